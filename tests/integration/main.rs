//! Tests through the public API, in one binary: a module per family.

mod aio;
mod buffer;
mod bufio;
mod builder;
mod byte_source;
mod bytes;
mod cases;
mod copy;
mod derive;
mod dispose;
mod every_pool;
mod faults;
#[cfg(target_os = "linux")]
mod fence;
mod image;
mod into_bytes;
mod macros;
#[cfg(target_os = "linux")]
mod mmap;
mod model;
mod multi;
mod opening;
mod panics;
mod pool;
mod redeclared;
mod reentrancy;
mod threads;
mod time;
mod traits;
mod ycbcr;

use bp_tests::allocations::Counting;

// For the suite, which counts on its own thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
