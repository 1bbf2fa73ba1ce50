//! Many idle objects: which one a pool hands out next, and how many it keeps after a burst.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use bp_benches::allocations;

use crate::contestants::{CAPACITY, Contestant};
use crate::harness::{Load, Timing, settle};

/// The objects that are out at once in a burst; every pool may keep them.
const BURST: usize = 1000;

/// The objects that are out at once afterwards, and how often.
const STEADY: usize = 8;
const STEADY_USES: usize = 1000;

/// Gets and fills one buffer after another, while as many wait as the pool keeps.
///
/// Last in, first out finds the one that is in the cache. First in, first out goes through all.
pub(crate) fn refill<C: Contestant>(load: Load, ops: u64) -> Timing {
    let fill = |object: &mut Vec<u8>| {
        object.resize(load.size, 1);
        black_box(object);
    };
    let work = || {
        settle(0, 1);
        let pool = C::new(load.size);
        let mut all: Vec<_> = (0..CAPACITY).map(|_| pool.get()).collect();
        for object in &mut all {
            fill(object);
        }
        drop(all);
        let start = Instant::now();
        (0..ops).for_each(|_| fill(&mut pool.get()));
        (start, Instant::now())
    };
    // On a thread of its own: the floor's objects end with it.
    let span = thread::scope(|scope| scope.spawn(work).join().expect("no contestant panics"));
    Timing::over(&[span], ops as f64)
}

/// What a pool holds of memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) name: &'static str,
    pub(crate) after_burst: i64,
    pub(crate) after_trims: i64,
}

/// Takes many objects out at once and returns them; then takes few out at once for a while, with
/// a trim before and one after, where there is such a thing.
pub(crate) fn keep<C: Contestant>(size: usize) -> Kept {
    let use_at_once = |pool: &C, count| {
        let all: Vec<_> = (0..count).map(|_| pool.get()).collect();
        drop(black_box(all));
    };
    let work = || {
        allocations::start();
        let pool = C::new(size);
        use_at_once(&pool, BURST);
        let after_burst = allocations::so_far().held;
        pool.trim();
        (0..STEADY_USES).for_each(|_| use_at_once(&pool, STEADY));
        pool.trim();
        Kept { name: C::NAME, after_burst, after_trims: allocations::stop().held }
    };
    thread::scope(|scope| scope.spawn(work).join().expect("no contestant panics"))
}
