//! Tests through the public API, in one binary: a module per family.

mod builder;
mod derive;
mod every_pool;
mod pool;
mod redeclared;

use bp_tests::allocations::Counting;

// For the suite, which counts on its own thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
