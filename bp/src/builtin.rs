//! The pools that come with the library, each made by `pool!`, as any user's is.

mod buffer;
mod bytes;
#[cfg(feature = "bytes")]
mod into_bytes;
#[cfg(feature = "mmap")]
mod mmap;
mod multi;
mod size;

pub use buffer::{BufferConfig, BufferPool, BufferRef};
pub use bytes::{ByteConfig, BytePool, ByteRef, OnReturn};
#[cfg(feature = "mmap")]
pub use mmap::{MmapBlock, MmapBytePool, MmapByteRef, MmapConfig};
pub use multi::{MultiBufferPool, MultiBytePool};
