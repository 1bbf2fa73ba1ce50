//! `YCbCrLayout`: how the three planes of a YCbCr image lie in one buffer.
//!
//! The arithmetic is that of Go's `image.YCbCr`, for every rectangle: a colour sample belongs to
//! the pixels whose coordinates divide to the same quotient, and division rounds toward zero. So
//! the sizes of the colour planes follow from where the rectangle begins and ends, not from its
//! size: (1,1)-(3,3) has four samples of each colour in 4:2:0, (0,0)-(2,2) one.

use super::config::check_dimensions;
use super::rect::Rect;
use super::subsampling::Subsampling;
use crate::BuildError;

/// Where everything lies. Can be made for any values; sizes that overflow saturate, and `check`
/// refuses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct YCbCrLayout {
    pub(super) rect: Rect,
    pub(super) subsampling: Subsampling,
    pub(super) y_stride: usize,
    pub(super) c_stride: usize,
    /// Bytes of the Y plane.
    pub(super) y_len: usize,
    /// Bytes of each colour plane.
    pub(super) c_len: usize,
}

impl YCbCrLayout {
    /// Rows without gaps.
    pub(super) fn tight(rect: Rect, subsampling: Subsampling) -> Self {
        let (c_width, _) = chroma_dimensions(rect, subsampling);
        Self::with_strides(rect, subsampling, rect.width() as usize, c_width)
    }

    pub(super) fn with_strides(
        rect: Rect,
        subsampling: Subsampling,
        y_stride: usize,
        c_stride: usize,
    ) -> Self {
        let (_, c_height) = chroma_dimensions(rect, subsampling);
        let y_len = y_stride.saturating_mul(rect.height() as usize);
        let c_len = c_stride.saturating_mul(c_height);
        YCbCrLayout { rect, subsampling, y_stride, c_stride, y_len, c_len }
    }

    /// Bytes of all planes; `usize::MAX` where that overflows.
    pub(super) fn len(&self) -> usize {
        self.y_len.saturating_add(self.c_len.saturating_mul(2))
    }

    /// Refuses what no pool can hold.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        let (width, height) = self.rect.dimensions();
        check_dimensions(width, height, self.len())?;
        if self.y_stride < width as usize {
            return Err(BuildError::new("y_stride", self.y_stride, "at least the width"));
        }
        if self.c_stride < chroma_dimensions(self.rect, self.subsampling).0 {
            let rule = "at least the width of a colour plane";
            return Err(BuildError::new("c_stride", self.c_stride, rule));
        }
        Ok(())
    }

    /// The index in the Y plane of the pixel at (x, y).
    pub(super) fn y_offset(&self, x: i32, y: i32) -> Option<usize> {
        let (min_x, min_y) = self.rect.min();
        self.rect
            .contains(x, y)
            .then(|| y.abs_diff(min_y) as usize * self.y_stride + x.abs_diff(min_x) as usize)
    }

    /// The index in a colour plane of the sample for the pixel at (x, y).
    pub(super) fn c_offset(&self, x: i32, y: i32) -> Option<usize> {
        if !self.rect.contains(x, y) {
            return None;
        }
        let (min_x, min_y) = self.rect.min();
        let (across, down) = self.subsampling.factors();
        let (width, height) = chroma_dimensions(self.rect, self.subsampling);
        // Where a rectangle ends at zero or just below, its last pixels divide to a sample that
        // the sizes leave out; they take the last that there is.
        let column = index(min_x, x, across).min(width.checked_sub(1)?);
        let row = index(min_y, y, down).min(height.checked_sub(1)?);
        Some(row * self.c_stride + column)
    }
}

/// Samples in a row of a colour plane, and its rows.
pub(super) fn chroma_dimensions(rect: Rect, subsampling: Subsampling) -> (usize, usize) {
    let ((min_x, min_y), (max_x, max_y)) = (rect.min(), rect.max());
    let (across, down) = subsampling.factors();
    (samples(min_x, max_x, across), samples(min_y, max_y, down))
}

/// Samples from `min` to `max` along one axis, where `factor` pixels share one.
fn samples(min: i32, max: i64, factor: u32) -> usize {
    let factor = i64::from(factor);
    let samples = (max + factor - 1) / factor - i64::from(min) / factor;
    // `max >= min`, and the division is monotonous.
    usize::try_from(samples).unwrap_or(usize::MAX)
}

/// The sample of the pixel at `at`, counted from the one at `min`, which is not greater.
fn index(min: i32, at: i32, factor: u32) -> usize {
    let factor = i64::from(factor);
    usize::try_from(i64::from(at) / factor - i64::from(min) / factor).unwrap_or(usize::MAX)
}
