//! Trouble that people reported on pools like these, each as a test: `case_`, its number in the
//! project's list of cases, and what happened.
//!
//! Cases of pools that are not here yet are tested with those pools.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use bp::{BufferPool, BufferRef, BytePool, PutReason, TypedPool};
use bp_tests::ledger::Ledger;
use bp_tests::probe::{ProbeRef, Step, probes};
use bp_tests::threads::together;
use bp_tests::watch::panic_of;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// golang/go#23199, uber-go/zap#1130: a few uses grow buffers, then thousands of small uses keep
/// them for ever.
#[test]
fn case_01_grown_buffers_go_by_use() {
    let pool = BufferPool::builder(16, KIB).retain_by_use().build().expect("measures");
    let mut grown: Vec<_> = (0..16).map(|_| pool.get()).collect();
    for buffer in &mut grown {
        buffer.resize(256 * KIB, 0);
    }
    drop(grown);
    assert!(pool.stats().bytes_idle >= 16 * 256 * KIB);
    for _ in 0..2000 {
        pool.get().resize(KIB, 0);
    }
    assert!(pool.stats().bytes_idle <= 2 * KIB, "{:?}", pool.stats());
    assert_eq!(pool.stats().discarded_unfit, 16);

    // With the fixed limit that is the default they are not kept in the first place.
    let pool = BufferPool::new(16, KIB);
    pool.get().resize(256 * KIB, 0);
    assert_eq!(pool.stats().bytes_idle, 0);
}

/// `VictoriaMetrics`#8510: every use is large, and a fixed cap drops each one.
#[test]
fn case_02_large_uses_hit() {
    let uses = |pool: &BufferPool| {
        for _ in 0..1000 {
            pool.get().resize(100 * KIB, 0);
        }
        pool.stats().hits
    };
    assert_eq!(uses(&BufferPool::new(16, KIB)), 0);
    let pool = BufferPool::builder(16, KIB).retain_by_use().build().expect("measures");
    assert_eq!(uses(&pool), 999);
}

/// dotnet/runtime#52098: sizes that are used once each.
#[test]
fn case_03_single_large_uses_leave_nothing() {
    let pool = BufferPool::builder(16, MIB).max_size_factor(4.0).build().expect("a factor");
    for size in [1, 2, 4, 8, 16, 32, 64] {
        pool.get_with(|| Vec::with_capacity(size * MIB)).reserve_exact(size * MIB);
        assert!(pool.stats().bytes_idle <= 4 * MIB, "after {size} MiB");
    }
    assert_eq!(pool.stats().discarded_unfit, 4);
    assert_eq!((pool.trim(), pool.trim()), (0, pool.stats().trimmed));
    assert_eq!((pool.len(), pool.stats().bytes_idle), (0, 0));
}

/// dotnet/coreclr#26062: a trim before every round of a steady workload.
#[test]
fn case_04_a_working_set_survives_trims() {
    for capacity in [8, 100, 1000] {
        let (pool, steps) = probes(capacity);
        for _ in 0..100 {
            pool.trim();
            drop((0..8).map(|_| pool.get()).collect::<Vec<_>>());
        }
        assert_eq!(steps.count(Step::Create), 8, "capacity {capacity}");
    }
}

/// A burst, then less: the surplus goes, what is used stays.
#[test]
fn case_04_what_a_burst_left_goes() {
    let (pool, steps) = probes(100);
    drop((0..100).map(|_| pool.get()).collect::<Vec<_>>());
    for _ in 0..10 {
        pool.trim();
        drop((0..10).map(|_| pool.get()).collect::<Vec<_>>());
    }
    assert_eq!((pool.len(), steps.count(Step::Create)), (10, 100));
}

/// dotnet/runtime#75518: an object that came back twice was handed out twice. Here the second
/// return does not compile (`ui/traits/returned_twice.rs`), and an equal object is another one.
#[test]
fn case_05_two_gets_differ_in_address() {
    let pool = BytePool::new(4, 16);
    let block = pool.take();
    let equal = block.clone();
    pool.put(block).expect("room");
    pool.put(equal).expect("room");
    let (first, second) = (pool.get(), pool.get());
    assert_ne!(first.as_ptr(), second.as_ptr());
    assert_eq!(pool.stats().hits, 2);
}

/// corefx#5949, grafana/tempo#1261, as far as there is one class: a foreign buffer that is too
/// short is given back, and every block has the full length.
#[test]
fn case_06_a_foreign_short_buffer_is_given_back() {
    let pool = BytePool::new(4, 8);
    let short = b"5byte".to_vec();
    let refused = pool.put(short).expect_err("too short");
    assert_eq!((refused.reason, &refused.item[..]), (PutReason::Unfit, &b"5byte"[..]));
    assert_eq!(pool.get().len(), 8);
}

/// grpc-go#7702 and its kind, as far as there is one class: filed by capacity, not by length.
#[test]
fn case_08_a_short_large_buffer_is_filed_by_capacity() {
    let pool = BufferPool::new(4, 64 * KIB);
    let mut buffer = pool.get();
    buffer.extend_from_slice(b"ten bytes.");
    let address = buffer.as_ptr();
    BufferRef::release(buffer).expect("as large as it was");
    let buffer = pool.get();
    assert_eq!((buffer.as_ptr(), buffer.capacity()), (address, 64 * KIB));
}

/// netty#2848: taken on one thread, dropped on another, and the bound was counted per thread.
#[test]
fn case_09_idle_is_within_the_capacity_at_every_moment() {
    let (pool, steps) = probes(300);
    let guards: Vec<_> = (0..1000).map(|_| pool.get()).collect();
    let (other, seen) = (pool.clone(), Arc::clone(&steps));
    thread::spawn(move || {
        let mut out = guards.len();
        for guard in guards {
            drop(guard);
            out -= 1;
            assert!(seen.alive() <= 300 + out, "{out} are out, {} alive", seen.alive());
            assert!(other.len() <= 300);
        }
    })
    .join()
    .expect("drops them");
    assert_eq!((pool.len(), steps.alive()), (300, 300));
}

/// `HikariCP`#1186: one thread only gets, another only returns.
#[test]
fn case_10_getting_here_and_returning_there_reuses() {
    const TIMES: usize = 1_000_000;
    let pool = BytePool::new(256, 16);
    let (give, taken) = sync_channel(64);
    let getting = pool.clone();
    let getter = thread::spawn(move || {
        for _ in 0..TIMES {
            give.send(getting.get()).expect("the other end waits");
        }
    });
    let returner = thread::spawn(move || taken.into_iter().for_each(drop));
    getter.join().expect("gets");
    returner.join().expect("returns");

    let stats = pool.stats();
    assert_eq!((stats.hits + stats.misses, stats.in_use), (TIMES, 0));
    assert!(stats.hits > TIMES / 10 * 9, "{stats:?}");
    // Neither thread took anything along.
    let idle: Vec<_> = std::iter::from_fn(|| pool.try_get()).collect();
    assert_eq!(idle.len(), stats.idle);
    assert_eq!(stats.idle, stats.misses - stats.discarded_full);
}

/// mimalloc#333: what a sleeping thread returned was out of reach.
#[test]
fn case_11_a_trim_reaches_what_a_sleeper_returned() {
    for (capacity, many) in [(8, 8), (100, 3), (1000, 1000)] {
        let (pool, steps) = probes(capacity);
        let (wake, sleep) = channel::<()>();
        let (asleep, is_asleep) = channel();
        let worker = thread::spawn({
            let pool = pool.clone();
            move || {
                drop((0..many).map(|_| pool.get()).collect::<Vec<_>>());
                asleep.send(()).expect("somebody waits");
                let _ = sleep.recv();
            }
        });
        is_asleep.recv().expect("falls asleep");
        assert_eq!(pool.len(), many);
        assert_eq!((pool.trim(), pool.trim()), (0, many));
        assert_eq!(steps.alive(), 0);
        drop(wake);
        worker.join().expect("wakes up");
    }
}

/// bb8#211, r2d2#53: a panic while a guard is alive.
#[test]
fn case_12_a_panic_discards_the_object_in_use() {
    let (pool, steps) = probes(4);
    let mut ledger = Ledger::open(&pool);
    let in_use = pool.clone();
    let died = thread::spawn(move || {
        let mut guard = in_use.get();
        guard.mark = 7;
        panic!("while a guard is alive");
    });
    assert!(died.join().is_err());
    ledger.book(&pool, |s| (s.misses, s.discarded_panic) = (1, 1));
    assert_eq!(steps.alive(), 0);
    let next = pool.get();
    assert_eq!(next.mark, 0);
    ledger.book(&pool, |s| (s.misses, s.in_use) = (2, 1));
}

/// `FFmpeg`'s buffer pool, `HikariCP`#2311: the pool goes first.
#[test]
fn case_13_guards_of_a_pool_that_is_gone() {
    for capacity in [0, 4, 100] {
        let (pool, steps) = probes(capacity);
        let guards: Vec<_> = (0..8).map(|_| pool.get()).collect();
        drop(pool.get());
        drop(pool);
        assert_eq!(steps.alive(), 8);
        let threads: Vec<_> =
            guards.into_iter().map(|guard| thread::spawn(move || drop(guard))).collect();
        for thread in threads {
            thread.join().expect("drops its guard");
        }
        assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));
    }
}

/// lockfree-object-pool#1, opool: bounds were too weak, or too strong. What must not compile is
/// in `ui/traits`, the whole table in `traits.rs`.
#[test]
fn case_14_an_item_that_is_not_sync_is_shared_by_pool() {
    bp::pool! {
        /// For one thread at a time.
        struct CellPool(Cell<usize>) -> CellRef {
            create: |_| Cell::new(0),
            reset: |cell, _| cell.set(0),
        }
    }

    let pool = CellPool::new(4);
    let shared = pool.clone();
    together(4, move |thread| {
        for _ in 0..100 {
            let cell: CellRef = shared.get();
            assert_eq!(cell.replace(thread), 0);
        }
    });
    assert_eq!(pool.stats().hits + pool.stats().misses, 400);
}

/// object-pool, opool's `LocalPool`: a burst on a pool of one.
#[test]
fn case_15_a_burst_leaves_one() {
    let (pool, steps) = probes(1);
    let burst: Vec<_> = (0..100).map(|_| pool.get()).collect();
    drop(burst);
    assert_eq!((pool.len(), steps.alive(), steps.count(Step::Drop)), (1, 1, 99));
    drop(pool);
    assert_eq!(steps.count(Step::Drop), 100);
}

/// lockfree-object-pool: a create that panicked poisoned the pool.
#[test]
fn case_16_a_create_that_panics_once() {
    let (pool, steps) = probes(4);
    let mut ledger = Ledger::open(&pool);
    steps.panic_once(Step::Create);
    assert_eq!(panic_of(|| pool.get()), "Create panics");
    ledger.book(&pool, |_| {});
    drop(pool.get());
    ledger.book(&pool, |s| (s.misses, s.returned, s.idle) = (1, 1, 1));
    assert_eq!(pool.try_get().expect("idle").mark, 0);
}

/// nexus-pool: a reset that panicked lost the slot.
#[test]
fn case_17_a_reset_that_panics_once() {
    let (pool, steps) = probes(1);
    for _ in 0..10 {
        let guard = pool.get();
        steps.panic_once(Step::Reset);
        assert_eq!(panic_of(|| drop(guard)), "Reset panics");
        assert_eq!((pool.len(), steps.alive()), (0, 0));
    }
    assert_eq!((steps.count(Step::Drop), pool.stats().discarded_panic), (10, 10));
    drop(pool.get());
    assert_eq!(pool.len(), 1, "the place is free again");
}

/// avio#578: a pool that starts empty.
#[test]
fn case_19_the_first_object_comes_back() {
    for capacity in [1, 2, 64, 1000] {
        let pool = BytePool::new(capacity, 16);
        let first = pool.get();
        let address = first.as_ptr();
        drop(first);
        assert_eq!(pool.get().as_ptr(), address);
    }
}

/// async-imap#31: sizes that alternate.
#[test]
fn case_20_alternating_sizes_are_bounded_and_reuse() {
    let rounds = |pool: BufferPool| {
        for round in 0..10_000 {
            pool.get().resize([1000, 1001, 4096][round % 3], 0);
            assert!(pool.stats().bytes_idle <= 8 * KIB);
        }
        pool.stats().hits
    };
    let built = |builder: bp::Builder<BufferPool>| builder.build().expect("right");
    assert_eq!(rounds(built(BufferPool::builder(8, KIB).retain_by_use())), 9999);
    assert_eq!(rounds(built(BufferPool::builder(8, KIB).max_size_factor(4.0))), 9999);
    // Two of three fit the default.
    assert!(rounds(BufferPool::new(8, KIB)) >= 6666);
}

/// sharded-slab#56: memory grew with the number of uses.
#[test]
fn case_21_a_million_uses_create_few_objects() {
    let (pool, steps) = probes(64);
    for _ in 0..1_000_000 {
        drop(pool.as_pool().get());
    }
    assert_eq!((steps.count(Step::Create), steps.alive()), (1, 1));
}

/// The same with objects that are got here and dropped there.
#[test]
fn case_21_uses_across_threads_create_few_objects() {
    const PAIRS: usize = 4;
    let (pool, steps) = probes(64);
    let shared = pool.clone();
    together(PAIRS, move |_| {
        let (give, taken) = sync_channel::<ProbeRef>(1);
        let dropper = thread::spawn(move || taken.into_iter().for_each(drop));
        for _ in 0..10_000 {
            give.send(shared.get()).expect("the other end waits");
        }
        drop(give);
        dropper.join().expect("drops them");
    });
    // In use at most: one in each channel and one at each end. One more for each thread, which
    // creates rather than wait for a lock.
    assert!(steps.count(Step::Create) <= 3 * PAIRS + 2 * PAIRS, "{steps:?}");
    assert_eq!(pool.len(), steps.alive());
}

/// restate#4935: a guard that is forgotten.
#[test]
fn case_22_a_forgotten_guard_is_safe() {
    let (pool, steps) = probes(2);
    std::mem::forget(pool.get());
    let guards: Vec<_> = (0..5).map(|_| pool.get()).collect();
    drop(guards);
    assert_eq!((pool.len(), pool.stats().in_use, steps.alive()), (2, 1, 3));
    drop(pool);
    // What was idle is gone; what was forgotten is leaked, and with it what it refers to.
    assert_eq!((steps.alive(), steps.count(Step::Drop)), (1, 5));
}

/// gomemcache#35, as far as it is a pool's: nothing without memory enters.
#[test]
fn case_32_a_buffer_of_no_capacity_does_not_enter() {
    assert!(BytePool::new(4, 1).put(Vec::new()).is_err());
    assert!(BufferPool::new(4, 1).put(Vec::new()).is_err());
}

/// skipper#1303: how much a preload is, and what it may not be.
#[test]
fn case_35_preloading() {
    let with = |capacity, rate| BufferPool::builder(capacity, 16).preload(rate).build();
    assert_eq!(with(12, 0.25).expect("a rate").len(), 3);
    assert_eq!(with(3, 0.25).expect("a rate").len(), 0);
    for (rate, shown) in [(2.0, "2"), (-1.0, "-1"), (f64::NAN, "NaN")] {
        let error = with(12, rate).expect_err("not a rate");
        assert_eq!((error.field(), error.value()), ("preload", shown));
    }
    for capacity in [4, 12, 1000] {
        let pool = with(capacity, 1.0).expect("a rate");
        assert_eq!(pool.trim(), 0, "preloaded objects survive the first trim");
        assert_eq!(pool.len(), capacity);
    }
}

/// deadpool#89, actix-web#4033: closed, or gone, with guards out.
#[test]
fn case_37_a_closed_pool_lets_go_of_everything() {
    let (pool, steps) = probes(4);
    let mut ledger = Ledger::open(&pool);
    let guards: Vec<_> = (0..3).map(|_| pool.get()).collect();
    drop(pool.get());
    ledger.book(&pool, |s| (s.misses, s.returned, s.in_use, s.idle) = (4, 1, 3, 1));
    pool.close();
    ledger.book(&pool, |s| (s.cleared, s.idle) = (1, 0));
    assert_eq!(steps.alive(), 3);
    drop(guards);
    ledger.book(&pool, |s| (s.discarded_closed, s.in_use) = (3, 0));
    assert_eq!(steps.alive(), 0);
    drop(pool);
    assert_eq!(Arc::strong_count(&steps), 1, "nothing keeps the store alive");
}
