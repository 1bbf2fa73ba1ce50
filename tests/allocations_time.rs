//! What pooled timers allocate, on all threads: the one that uses them, and the driver.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bp::{TickerPool, TimerPool};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to `System` as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on; what `alloc` gave came from `System`.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn assert_allocates_nothing(what: &str, mut work: impl FnMut(u32)) {
    (0..2_000).for_each(&mut work);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    (0..10_000).for_each(work);
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0, "{what}");
}

/// Not a `#[test]`: the harness allocates too, on a thread of its own.
fn main() {
    const LATE: Duration = Duration::new(3600, 0);
    let (timers, tickers) = (TimerPool::new(64), TickerPool::new(64));
    timers.get(Duration::from_millis(1)).wait(); // The driver has started now.
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let others: Vec<_> = (0..50).map(|n| timers.get(n * LATE)).collect();
    assert!(ALLOCATIONS.load(Ordering::Relaxed) - before > 50, "nothing is counted");

    // Wherever among the others they fall.
    assert_allocates_nothing("get and drop of a timer", |n| drop(timers.get((n % 60) * LATE)));
    assert_allocates_nothing("get and drop of a ticker", |n| {
        drop(tickers.get((n % 60 + 1) * LATE));
    });
    assert_allocates_nothing("take and put", |n| {
        let timer = timers.take((n % 60) * LATE);
        assert!(timers.put(timer).is_ok());
    });
    let timer = timers.get(LATE);
    assert_allocates_nothing("reset", |n| {
        timer.reset((n % 60) * LATE);
    });
    // Neither do firing and waiting, once somebody waited.
    timer.reset(Duration::from_millis(10));
    timer.wait();
    let ticker = tickers.get(Duration::from_millis(10));
    ticker.wait();
    assert_allocates_nothing("fire and wait", |_| {
        timer.reset(Duration::from_nanos(1));
        timer.wait();
        ticker.reset(Duration::from_micros(1));
        ticker.wait();
        ticker.stop();
    });
    drop(others);
    println!("test use_of_a_pooled_timer_allocates_nothing ... ok");
}
