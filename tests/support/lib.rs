//! What the tests of `bp` share: a counting allocator, objects that tell what is done with them,
//! and the suite that every pool must pass.

pub mod allocations;
pub mod child;
pub mod ledger;
pub mod probe;
pub mod random;
#[macro_use]
pub mod suite;
pub mod threads;
pub mod watch;

/// The README's examples are tests, as those of the docs are.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
