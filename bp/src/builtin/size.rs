//! Sizes that the byte pools are built with: how they are checked, how limits follow from them.

use crate::BuildError;

/// How much larger than asked for a buffer may be and still be kept, unless a pool says otherwise.
pub(super) const DEFAULT_FACTOR: f64 = 1.25;

/// Returns `factor * size`, rounded up and saturating.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn scaled(size: usize, factor: f64) -> usize {
    // The cast saturates. `max`, since a size beyond 2^53 may round down.
    ((size as f64 * factor).ceil() as usize).max(size)
}

/// Refuses a factor below 1, which would drop the pool's own buffers, or one that is not finite.
pub(super) fn check_factor(factor: f64) -> Result<(), BuildError> {
    if factor.is_finite() && factor >= 1.0 {
        Ok(())
    } else {
        Err(BuildError::new("max_size_factor", factor, "finite and at least 1"))
    }
}

/// Refuses a size of which no buffer can be made.
pub(super) fn check_size(size: usize) -> Result<(), BuildError> {
    if size == 0 {
        Err(BuildError::new("size", size, "at least 1"))
    } else if isize::try_from(size).is_err() {
        Err(BuildError::new("size", size, "at most isize::MAX bytes"))
    } else {
        Ok(())
    }
}
