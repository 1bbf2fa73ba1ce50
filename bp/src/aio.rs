//! *Needs feature `tokio`.*
//! Pools for tokio: copying that holds no buffer while it waits, and timers.
//!
//! [`copy`] and [`copy_bidirectional`] do what tokio's functions of those names do, but take a
//! buffer from a pool for each read and give it back as soon as it is written. tokio's hold a
//! buffer, or two, from the first poll to the last; a proxy with ten thousand idle connections
//! spends 160 MB on buffers with nothing in them. Here idle connections hold none, whatever
//! their number.
//!
//! [`SleepPool`] and [`IntervalPool`] keep tokio's timers. What that saves is little, and their
//! docs say how much.
//!
//! The functions of this module need no tokio runtime, only its traits; the timers need one.

mod copy;
mod direction;
#[macro_use]
mod timer_pool;
mod home;
mod interval;
mod sleep;

/// *Needs feature `tokio`.*
pub use self::{
    copy::{copy, copy_bidirectional, copy_bidirectional_with, copy_with, shared_pool},
    interval::{IntervalPool, PooledInterval},
    sleep::{PooledSleep, SleepPool},
};
/// *Needs feature `tokio`.* Brings an interval back to its [`IntervalPool`].
pub use interval::IntervalRef;
/// *Needs feature `tokio`.* Brings a timer back to its [`SleepPool`].
pub use sleep::SleepRef;
