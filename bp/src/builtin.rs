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

// What a feature brings says so here, once for all that it brings: rustdoc puts the line before the
// item's own first one.
#[cfg(feature = "image")]
pub use self::image::*;
pub use buffer::{BufferConfig, BufferPool, BufferRef};
pub use bufio::{
    BufioReaderPool, BufioReaderRef, BufioWriterPool, BufioWriterRef, IntoInnerError,
    WriterPanicked,
};
pub use bytes::{ByteConfig, BytePool, ByteRef};
pub use copy::{CopyIoPool, copy, read_all};
/// *Needs feature `mmap`.*
#[cfg(feature = "mmap")]
pub use mmap::{MmapBlock, MmapBytePool, MmapByteRef, MmapConfig, MultiMmapBytePool};
pub use multi::{MultiBufferPool, MultiBytePool};
pub use on_return::OnReturn;
/// *Needs feature `timer`.*
#[cfg(feature = "timer")]
pub use time::{Ticker, TickerPool, TickerRef, Timer, TimerPool, TimerRef};
