//! Tests through the public API, in one binary: a module per family.

mod buffer;
mod builder;
mod bytes;
mod cases;
mod derive;
mod every_pool;
mod macros;
#[cfg(target_os = "linux")]
mod mmap;
mod opening;
mod panics;
mod pool;
mod redeclared;
mod reentrancy;
mod threads;
mod traits;

use bp_tests::allocations::Counting;

// For the suite, which counts on its own thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
