//! Bounded, typed object pools.

// The derives and `pool!` name this crate as `::bp`, also when it is `bp` that uses them.
#[allow(unused_extern_crates)]
extern crate self as bp;

#[macro_use]
mod macros;

mod any;
mod builder;
mod builtin;
mod byte_source;
mod clear;
mod error;
mod guard;
mod keyed;
mod multi;
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
pub use builtin::{
    BufferConfig, BufferPool, BufferRef, ByteConfig, BytePool, ByteRef, MultiBufferPool,
    MultiBytePool, OnReturn,
};
pub use byte_source::{ByteSource, Heap, Limited};
pub use clear::Clear;
pub use error::{BuildError, PutError, PutReason};
pub use guard::Ref;
pub use keyed::{KeyedPool, SizeKey};
pub use multi::{Multi, MultiBuilder, MultiPool, SizeClass};
pub use pool::Pool;
pub use poolable::{Poolable, Recipe};
pub use stats::PoolStats;
