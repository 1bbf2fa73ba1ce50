//! What the expansions of `pool!` and the derives may name. Not part of the public interface.
//!
//! The helpers that take a step give its closure a signature: called on the spot, a closure like
//! `|text| text.clear()` could not be inferred.

mod fields;

pub use std::sync::LazyLock;
pub use std::vec::Vec;

pub use bp_derive::placed;
pub use fields::{FieldDefault, Nested};

use crate::{BuildError, Poolable};

/// `create`, `reset` and `keep`.
pub type StepsOf<T, C> = (fn(&C) -> T, fn(&mut T, &C), fn(&T, &C) -> bool);

/// Returns the steps of a type that is `Poolable`.
///
/// One function for the three: a type that is not `Poolable` then gets one error, on the type,
/// and not one for each step. Optimised, each is as if called by its name.
#[inline]
pub fn steps_of<T: Poolable<Config = C>, C>() -> StepsOf<T, C> {
    (T::create, T::reset, T::keep)
}

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

/// Runs an `open` step.
#[inline]
pub fn open<C: ?Sized>(
    config: &mut C,
    capacity: usize,
    step: impl FnOnce(&mut C, usize) -> Result<(), BuildError>,
) -> Result<(), BuildError> {
    step(config, capacity)
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
