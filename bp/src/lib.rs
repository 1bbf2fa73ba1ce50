//! Bounded, typed object pools.

// The derives and `pool!` name this crate as `::bp`, also when it is `bp` that uses them.
#[allow(unused_extern_crates)]
extern crate self as bp;

#[macro_use]
mod macros;

mod any;
mod builder;
mod builtin;
mod clear;
mod error;
mod guard;
mod pool;
mod poolable;
#[doc(hidden)]
pub mod private;
mod stats;
mod store;
mod sync;

pub use any::AnyPool;
pub use bp_derive::{Clear, Poolable};
pub use builder::{Builder, TypedPool};
pub use builtin::{BufferConfig, BufferPool, BufferRef, ByteConfig, BytePool, ByteRef, OnReturn};
#[cfg(feature = "timer")]
pub use builtin::{Ticker, TickerPool, TickerRef, Timer, TimerPool, TimerRef};
pub use clear::Clear;
pub use error::{BuildError, PutError, PutReason};
pub use guard::Ref;
pub use pool::Pool;
pub use poolable::{Poolable, Recipe};
pub use stats::PoolStats;
