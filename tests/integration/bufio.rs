//! Buffered readers and writers from pools: as std's in all that those promise, and nothing of one
//! stream seen in the next.

mod differential;
mod pools;
mod reader;
pub(crate) mod script;
mod writer;
