//! The pools that come with the library, each made by `pool!`, as any user's is.

mod buffer;
mod bytes;
mod size;
#[cfg(feature = "timer")]
mod time;

pub use buffer::{BufferConfig, BufferPool, BufferRef};
pub use bytes::{ByteConfig, BytePool, ByteRef, OnReturn};
#[cfg(feature = "timer")]
pub use time::{Ticker, TickerPool, TickerRef, Timer, TimerPool, TimerRef};
