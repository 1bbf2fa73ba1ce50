//! Buffered readers and writers over pooled blocks: `BufioReaderPool` and `BufioWriterPool`.
//!
//! A pool of std's `BufReader` would serve one type of reader, and could not give a used one a
//! new reader at all. So the readers and writers here are types of their own around a block of a
//! [`BytePool`](crate::BytePool): one pool serves every reader, owned or borrowed, and a block is
//! zeroed once, when it is created. What std's types promise holds for these too.
//!
//! Invariants that keep one stream's bytes from the next user:
//!
//! * A block is always as long as the pool's size; it is shortened only on its way out of here.
//! * A reader shows `pos..filled` of its block, a writer `..len`. Both begin empty, and cover only
//!   bytes that the own stream brought. (Or claims to have: what a reader did not write, of what it
//!   says it did, nobody can tell.)

#[macro_use]
mod pool;

mod error;
mod reader;
mod writer;

pub use error::{IntoInnerError, WriterPanicked};
pub use reader::{BufioReaderPool, BufioReaderRef};
pub use writer::{BufioWriterPool, BufioWriterRef};

/// The size of a block, unless the user sets another; Go's default.
const DEFAULT_SIZE: usize = 4096;
