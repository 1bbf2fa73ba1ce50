//! The pools that come with the library, each made by `pool!`, as any user's is.

mod buffer;
mod bytes;
#[cfg(feature = "bytes")]
mod into_bytes;
mod size;

pub use buffer::{BufferConfig, BufferPool, BufferRef};
pub use bytes::{ByteConfig, BytePool, ByteRef, OnReturn};
