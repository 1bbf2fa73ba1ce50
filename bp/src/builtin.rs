//! The pools that come with the library, each made by `pool!`, as any user's is.

mod buffer;
mod bufio;
mod bytes;
pub(crate) mod claim;
mod copy;
#[cfg(feature = "image")]
mod image;
#[cfg(feature = "bytes")]
mod into_bytes;
#[cfg(feature = "mmap")]
mod mmap;
mod multi;
mod on_return;
mod size;
#[cfg(feature = "timer")]
mod time;

#[cfg(feature = "image")]
pub use self::image::*;
pub use buffer::{BufferConfig, BufferPool, BufferRef};
pub use bufio::{
    BufioReaderPool, BufioReaderRef, BufioWriterPool, BufioWriterRef, IntoInnerError,
    WriterPanicked,
};
pub use bytes::{ByteConfig, BytePool, ByteRef};
pub use copy::{CopyIoPool, copy, read_all};
#[cfg(feature = "mmap")]
pub use mmap::{MmapBlock, MmapBytePool, MmapByteRef, MmapConfig, MultiMmapBytePool};
pub use multi::{MultiBufferPool, MultiBytePool};
pub use on_return::OnReturn;
#[cfg(feature = "timer")]
pub use time::{Ticker, TickerPool, TickerRef, Timer, TimerPool, TimerRef};
