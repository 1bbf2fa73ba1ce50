//! `Pool` and `Ref`: what becomes of objects, seen by the objects.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bp::{AnyPool, Pool, PutReason, Ref, TypedPool};
use bp_tests::ledger::Ledger;
use bp_tests::probe::{Probe, ProbePool, ProbeRef, Step, Steps, probes};

#[test]
fn the_steps_run_in_order_and_once_each() {
    let (pool, steps) = probes(1);
    let taken = |step| steps.count(step);
    assert_eq!((taken(Step::Check), taken(Step::Create)), (1, 0));

    drop(pool.get());
    assert_eq!((taken(Step::Create), taken(Step::Get)), (1, 1));
    assert_eq!((taken(Step::Keep), taken(Step::Reset), taken(Step::Drop)), (1, 1, 0));

    drop(pool.get());
    assert_eq!((taken(Step::Create), taken(Step::Get)), (1, 2));
    assert_eq!((taken(Step::Keep), taken(Step::Reset), taken(Step::Drop)), (2, 2, 0));

    pool.put(pool.take()).expect("room");
    assert_eq!((taken(Step::Create), taken(Step::Get)), (1, 3));
    assert_eq!((taken(Step::Keep), taken(Step::Reset), taken(Step::Drop)), (3, 3, 0));

    drop(pool);
    assert_eq!(taken(Step::Drop), 1);
    assert_eq!((taken(Step::Keep), taken(Step::Reset)), (3, 3), "nothing is cleaned to be dropped");
}

#[test]
fn keep_is_asked_before_reset() {
    let (pool, steps) = probes(1);
    let seen = Arc::clone(&steps);
    steps.once(Step::Keep, move || assert_eq!(seen.count(Step::Reset), 0));
    drop(pool.get());
    assert!(!steps.awaits(Step::Keep));
    assert_eq!(steps.count(Step::Reset), 1);
}

#[test]
fn an_object_that_is_not_fit_is_dropped_as_it_is() {
    let (pool, steps) = probes(4);
    let mut ledger = Ledger::open(&pool);

    pool.get().fit = false;
    ledger.book(&pool, |s| (s.misses, s.discarded_unfit) = (1, 1));
    assert_eq!((steps.count(Step::Reset), steps.alive()), (0, 0));

    let mut guard = pool.get();
    (guard.fit, guard.mark) = (false, 7);
    let refused = ProbeRef::release(guard).expect_err("not fit");
    assert_eq!((refused.reason, refused.item.mark), (PutReason::Unfit, 7));
    ledger.book(&pool, |s| (s.misses, s.discarded_unfit) = (2, 2));

    let refused = pool.put(refused.into_item()).expect_err("not fit");
    assert_eq!((refused.reason, refused.item.mark), (PutReason::Unfit, 7));
    ledger.book(&pool, |_| {});
    assert_eq!((steps.count(Step::Reset), steps.alive()), (0, 1));
}

#[test]
fn an_object_that_finds_no_room_is_not_reset() {
    let (pool, steps) = probes(1);
    let (first, mut second) = (pool.get(), pool.get());
    second.mark = 7;
    drop(first);
    let refused = ProbeRef::release(second).expect_err("full");
    assert_eq!((refused.reason, refused.item.mark), (PutReason::Full, 7));
    assert_eq!(pool.put(refused.item).expect_err("full").item.mark, 7);
    assert_eq!((steps.count(Step::Keep), steps.count(Step::Reset)), (1, 1));
}

#[test]
fn an_object_from_anywhere_may_be_put() {
    let (pool, steps) = probes(2);
    let mut foreign = Probe::new(&steps);
    foreign.mark = 7;
    pool.put(foreign).expect("room");
    assert_eq!((pool.len(), pool.stats().put, pool.stats().taken), (1, 1, 0));
    let probe = pool.try_get().expect("put before");
    assert_eq!((probe.mark, steps.count(Step::Create)), (0, 1));
}

#[test]
fn every_object_is_dropped_once() {
    let (pool, steps) = probes(3);
    let guards: Vec<_> = (0..10).map(|_| pool.get()).collect();
    assert_eq!((steps.count(Step::Create), steps.alive()), (10, 10));
    drop(guards);
    assert_eq!(steps.alive(), 3);

    ProbeRef::discard(pool.get());
    assert_eq!(steps.alive(), 2);
    let detached = ProbeRef::detach(pool.get());
    assert_eq!((pool.len(), steps.alive()), (1, 2));
    let in_use = pool.get();
    drop(pool);
    assert_eq!(steps.alive(), 2);
    drop(in_use);
    assert_eq!(steps.alive(), 1);
    drop(detached);
    assert_eq!((steps.alive(), steps.count(Step::Create)), (0, 10));
}

#[test]
fn the_config_is_dropped_with_the_last_that_needs_it() {
    let (pool, steps) = probes(2);
    let clone = pool.clone();
    let (first, second) = (pool.get(), pool.get());
    drop(first);
    drop((pool, clone));
    // The test's, and those of the store and the probe that are left.
    assert_eq!(Arc::strong_count(&steps), 3);
    drop(second);
    assert_eq!(Arc::strong_count(&steps), 1);
}

#[test]
fn what_a_take_leaves_for_the_next_put_goes_too() {
    // A node without its object refers to the store as any other.
    let left_by: [fn(&ProbePool); 3] = [
        |pool| drop(pool.take()),
        |pool| drop(ProbeRef::detach(pool.get())),
        |pool| {
            let (first, second) = (pool.get(), pool.get());
            drop(first);
            drop(ProbeRef::release(second));
        },
    ];
    for leave in left_by {
        let (pool, steps) = probes(1);
        drop(pool.get());
        leave(&pool);
        drop(pool);
        assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));

        let (pool, steps) = probes(1);
        drop(pool.get());
        let in_use = pool.get();
        leave(&pool);
        drop(pool);
        assert_eq!(steps.alive(), 1);
        drop(ProbeRef::detach(in_use));
        assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));
    }
}

#[test]
fn the_last_handle_closes_the_pool_and_no_other() {
    let (pool, steps) = probes(2);
    drop(pool.get());
    let clones: Vec<_> = (0..10).map(|_| pool.clone()).collect();
    drop(pool);
    assert_eq!(steps.alive(), 1);
    assert_eq!(clones[9].len(), 1);
    drop(clones);
    assert_eq!(steps.alive(), 0);
}

#[test]
fn an_untyped_pool_hands_out_the_same_objects() {
    let (typed, _steps) = probes(2);
    let untyped: &Pool<ProbePool> = typed.as_pool();
    let guard: Ref<ProbePool> = untyped.get();
    let address = std::ptr::from_ref::<Probe>(&guard);
    drop(guard);
    assert_eq!(std::ptr::from_ref::<Probe>(&*typed.get()), address);
    assert_eq!((untyped.stats().hits, typed.stats().hits), (1, 1));
    assert_eq!(ProbePool::from_pool(untyped.clone()).len(), 1);
}

#[test]
fn the_config_is_what_the_pool_was_built_with() {
    let (pool, steps) = probes(2);
    assert!(Arc::ptr_eq(pool.config(), &steps));
    assert_eq!(*Pool::<Aligned>::new(1, 7).config(), 7);
}

#[test]
fn bytes_follow_what_idle_objects_hold() {
    for capacity in [1, 8, 100, 1000] {
        let (pool, _steps) = probes(capacity);
        let mut guards: Vec<_> = (0..capacity + 3).map(|_| pool.get()).collect();
        for (size, guard) in guards.iter_mut().enumerate() {
            guard.bytes = (0, size);
        }
        assert_eq!(pool.stats().bytes_idle, 0, "what is in use is not idle");
        drop(guards);
        // The last three found no room.
        assert_eq!(pool.stats().bytes_idle, capacity * (capacity - 1) / 2);

        let mut guards: Vec<_> = (0..capacity).map(|_| pool.get()).collect();
        assert_eq!(pool.stats().bytes_idle, 0);
        for guard in &mut guards {
            guard.bytes.1 = 10;
        }
        drop(guards);
        assert_eq!(pool.stats().bytes_idle, 10 * capacity);

        let mut item = pool.take();
        assert_eq!(pool.stats().bytes_idle, 10 * (capacity - 1));
        item.bytes.1 = 5;
        pool.put(item).expect("room");
        assert_eq!(pool.stats().bytes_idle, 10 * (capacity - 1) + 5);
        pool.trim();
        pool.trim();
        assert_eq!((pool.stats().bytes_idle, pool.len()), (0, 0));
    }
}

#[test]
fn retention_by_use_drops_what_was_too_large_five_times_in_a_row() {
    let steps = Steps::new();
    let pool = ProbePool::builder(4, steps).retain_by_use().build().expect("measures");
    let uses = |used: usize| {
        let mut guard = pool.get();
        guard.bytes = (used, 100);
        drop(guard);
        pool.len()
    };
    // New probes hold nothing, so one that holds 100 has grown. A quarter used is enough.
    for _ in 0..20 {
        assert_eq!(uses(25), 1);
    }
    for _ in 0..4 {
        assert_eq!(uses(24), 1);
    }
    assert_eq!(uses(25), 1, "one large use starts the count anew");
    for _ in 0..4 {
        assert_eq!(uses(24), 1);
    }
    assert_eq!(pool.stats().discarded_unfit, 0);
    assert_eq!(uses(24), 0);
    assert_eq!(pool.stats().discarded_unfit, 1);
}

#[test]
fn strikes_do_not_reach_the_next_object_of_a_node() {
    let pool = ProbePool::builder(1, Steps::new()).retain_by_use().build().expect("measures");
    for _ in 0..4 {
        pool.get().bytes = (0, 100);
    }
    // By value, so that the node is emptied and filled again.
    let mut item = pool.take();
    item.bytes = (100, 100);
    pool.put(item).expect("room");
    for _ in 0..4 {
        pool.get().bytes = (0, 100);
        assert_eq!(pool.len(), 1);
    }
}

#[test]
fn a_pool_of_pools_works() {
    /// A pooled object that pools.
    struct Outer(ProbePool);

    impl bp::Poolable for Outer {
        type Config = Arc<Steps>;

        fn create(steps: &Arc<Steps>) -> Self {
            Outer(ProbePool::new(2, Arc::clone(steps)))
        }

        fn reset(&mut self, _: &Arc<Steps>) {}
    }

    let steps = Steps::new();
    let outer = Pool::<Outer>::new(2, Arc::clone(&steps));
    let inner = outer.get();
    let probe = inner.0.get();
    drop(inner);
    drop(outer);
    assert_eq!(steps.alive(), 1);
    drop(probe);
    assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));
}

/// An object that is aligned to more than a node.
#[repr(align(256))]
struct Aligned(u8);

impl bp::Poolable for Aligned {
    type Config = u8;

    fn create(value: &u8) -> Self {
        Aligned(*value)
    }

    fn reset(&mut self, value: &u8) {
        self.0 = *value;
    }
}

#[test]
fn a_large_object_is_moved_out_and_in_whole() {
    bp::pool! {
        struct PagePool([u8; 4096]) -> PageRef {
            create: |_| [0; 4096],
            reset: |page, _| page[0] = 0,
        }
    }
    let pool = PagePool::new(4);
    // Long enough to be at home.
    for round in 0..3000_u32 {
        let mut page = pool.take();
        assert_eq!(page[0], 0);
        assert_eq!(page[1..5], round.to_le_bytes());
        page[0] = 1;
        page[1..5].copy_from_slice(&(round + 1).to_le_bytes());
        page[4092..].copy_from_slice(&round.to_le_bytes());
        pool.put(page).expect("there is room");
        assert_eq!(pool.get()[4092..], round.to_le_bytes());
    }
    let stats = pool.stats();
    assert_eq!((stats.misses, stats.taken, stats.put, stats.idle), (1, 3000, 3000, 1));
}

#[test]
fn alignment_beyond_a_cache_line_is_kept() {
    let pool = Pool::<Aligned>::new(4, 7);
    let guards: Vec<_> = (0..8).map(|_| pool.get()).collect();
    for guard in &guards {
        assert_eq!(std::ptr::from_ref::<Aligned>(guard).addr() % 256, 0);
        assert_eq!(guard.0, 7);
    }
}

#[test]
fn objects_without_size_are_counted_and_dropped() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    struct Token;

    impl Drop for Token {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
        }
    }

    impl bp::Poolable for Token {
        type Config = ();

        fn create((): &()) -> Self {
            Token
        }

        fn reset(&mut self, (): &()) {}
    }

    let pool = Pool::<Token>::new(2, ());
    drop((pool.get(), pool.get(), pool.get()));
    assert_eq!((pool.len(), DROPPED.load(Ordering::SeqCst)), (2, 1));
    drop(pool);
    assert_eq!(DROPPED.load(Ordering::SeqCst), 3);
}

#[test]
fn objects_may_be_neither_send_nor_static() {
    use std::cell::Cell;
    use std::rc::Rc;

    /// Counts its resets where it was told to.
    struct Tally<'a>(&'a Cell<usize>, Rc<()>);

    struct Origin<'a>(&'a Cell<usize>);

    impl<'a> bp::Poolable for Tally<'a> {
        type Config = Origin<'a>;

        fn create(origin: &Origin<'a>) -> Self {
            Tally(origin.0, Rc::new(()))
        }

        fn reset(&mut self, _: &Origin<'a>) {
            self.0.set(self.0.get() + 1);
        }
    }

    let resets = Cell::new(0);
    let pool = Pool::<Tally<'_>>::new(1, Origin(&resets));
    let shared = Rc::clone(&pool.get().1);
    assert_eq!((resets.get(), Rc::strong_count(&shared)), (1, 2));
    drop(pool);
    assert_eq!(Rc::strong_count(&shared), 1);
}

#[test]
fn errors_say_what_happened() {
    let (pool, _steps) = probes(0);
    let full = pool.put(pool.take()).expect_err("no capacity");
    assert_eq!(full.to_string(), "object not taken: the pool is full");
    assert_eq!(format!("{full:?}"), "PutError { reason: Full, .. }");
    assert!(full.source().is_none());

    let (pool, _steps) = probes(1);
    let mut item = pool.take();
    item.fit = false;
    let unfit = pool.put(item).expect_err("not fit");
    assert_eq!(unfit.to_string(), "object not taken: the object is not fit to be kept");
    pool.close();
    let closed = pool.put(unfit.into_item()).expect_err("closed");
    assert_eq!(closed.to_string(), "object not taken: the pool is closed");
}

#[test]
fn pools_of_every_kind_are_listed_together() {
    let (probes, _steps) = probes(3);
    let (buffers, blocks) = (bp::BufferPool::new(2, 16), bp::BytePool::new(4, 16));
    let pools: [&dyn AnyPool; 3] = [&probes, &buffers, &blocks];
    drop((probes.get(), buffers.get(), blocks.get()));
    assert_eq!(pools.map(|pool| (pool.len(), pool.capacity())), [(1, 3), (1, 2), (1, 4)]);
    assert_eq!(pools.map(|pool| pool.stats().misses), [1, 1, 1]);
    assert_eq!(pools.map(AnyPool::trim), [0, 0, 0]);
    assert_eq!(pools.map(AnyPool::trim), [1, 1, 1]);
    drop((probes.get(), buffers.get(), blocks.get()));
    assert_eq!(pools.map(AnyPool::clear), [1, 1, 1]);
    assert!(pools.iter().all(|pool| pool.is_empty()));
}
