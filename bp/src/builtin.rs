//! The pools that come with the library, each made by `pool!`, as any user's is.

mod buffer;
mod bytes;
mod multi;
mod size;

pub use buffer::{BufferConfig, BufferPool, BufferRef};
pub use bytes::{ByteConfig, BytePool, ByteRef, OnReturn};
pub use multi::{MultiBufferPool, MultiBytePool};
