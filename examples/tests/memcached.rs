//! The memcached client: against a real server, against scripts of what no server should say, and
//! the demonstration as its users run it.
//!
//! Without a memcached on this machine the tests that need one say so and pass, unless
//! `BP_NEED_MEMCACHED` is set, as it is by `ci/test.sh`.

use allocations::Counting;

#[path = "../../tests/support/allocations.rs"]
pub mod allocations;
mod common;
#[path = "../../tests/support/random.rs"]
pub mod random;
#[path = "../../tests/support/threads.rs"]
pub mod threads;

/// Puts `memcached` into the names of all these tests.
mod memcached {
    mod cases;
    mod fuzz;
    mod malformed;
    mod program;
    mod requests;
    mod script;
    mod server;
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
