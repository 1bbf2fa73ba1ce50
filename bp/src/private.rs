//! What the expansions of `pool!` and the derives may name. Not part of the public interface.
//!
//! The helpers that take a step give its closure a signature: called on the spot, a closure like
//! `|text| text.clear()` could not be inferred.

mod fields;

pub use std::sync::LazyLock;
pub use std::vec::Vec;

pub use fields::{FieldDefault, Nested};

use crate::BuildError;

/// Runs a step that makes something of the config.
#[inline]
pub fn make<C: ?Sized, T>(config: &C, step: impl FnOnce(&C) -> T) -> T {
    step(config)
}

/// Runs a `check` step.
#[inline]
pub fn check<C: ?Sized>(
    config: &C,
    step: impl FnOnce(&C) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    step(config)
}

/// Runs a `reset` step.
#[inline]
pub fn reset<T: ?Sized, C: ?Sized>(item: &mut T, config: &C, step: impl FnOnce(&mut T, &C)) {
    step(item, config);
}

/// Runs a `keep` step.
#[inline]
pub fn keep<T: ?Sized, C: ?Sized>(item: &T, config: &C, step: impl FnOnce(&T, &C) -> bool) -> bool {
    step(item, config)
}

/// Runs a `measure` step.
#[inline]
pub fn measure<T: ?Sized>(item: &T, step: impl FnOnce(&T) -> (usize, usize)) -> (usize, usize) {
    step(item)
}

/// Runs a `get` step.
#[inline]
pub fn prepare<T: ?Sized, U>(item: &mut T, step: impl FnOnce(&mut T) -> U) {
    step(item);
}

/// Runs the step of a field that is `#[pool(reset = with(..))]`.
#[inline]
pub fn reset_with<T: ?Sized>(value: &mut T, step: impl FnOnce(&mut T)) {
    step(value);
}
