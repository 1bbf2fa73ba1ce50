//! Every step, and an object's `Drop`, may use the pool that calls it.
//!
//! A lock held over user code would wait for itself, so all of it runs under a watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bp_tests::ledger::balance;
use bp_tests::probe::{ProbePool, ProbeRef, Step, probes};
use bp_tests::watch::must_end;

/// Does everything that a pool offers, but closing it.
fn use_all(pool: &ProbePool) {
    drop((pool.get(), pool.get()));
    drop(pool.try_get());
    drop(pool.get_with(|| pool.take()));
    ProbeRef::discard(pool.get());
    drop(ProbeRef::detach(pool.get()));
    let _ = ProbeRef::release(pool.get());
    let _ = pool.put(pool.take());
    assert!(pool.len() <= pool.capacity());
    balance(&pool.stats());
    drop(pool.clone());
    pool.trim();
    pool.trim();
    drop((pool.get(), pool.get()));
    pool.clear();
    drop((pool.get(), pool.get()));
}

/// Makes the pool take every step; on each, `deed` happens once.
fn at_every_step(capacity: usize, deed: fn(&ProbePool)) {
    for step in [Step::Create, Step::Keep, Step::Measure, Step::Reset, Step::Get, Step::Drop] {
        must_end(move || {
            let (pool, steps) = probes(capacity);
            let done = Arc::new(AtomicUsize::new(0));
            let acts: [fn(&ProbePool); 8] = [
                |pool| drop(pool.get()),
                |pool| drop(pool.get_with(|| pool.take())),
                |pool| drop(pool.put(pool.take())),
                |pool| drop(ProbeRef::release(pool.get())),
                |pool| ProbeRef::discard(pool.get()),
                |pool| drop((0..pool.capacity() + 2).map(|_| pool.get()).collect::<Vec<_>>()),
                |pool| assert!(pool.trim() + pool.trim() <= 2 * pool.capacity()),
                |pool| assert!(pool.clear() <= pool.capacity()),
            ];
            for act in acts {
                let (inner, did) = (pool.clone(), Arc::clone(&done));
                steps.once(step, move || {
                    deed(&inner);
                    did.fetch_add(1, Ordering::SeqCst);
                });
                act(&pool);
                balance(&pool.stats());
                assert!(pool.len() <= capacity);
            }
            // Not every act leads to every step. What is left of the deed has a handle.
            assert!(done.load(Ordering::SeqCst) > 0, "{step:?} was not reached");
            steps.once(step, || {});
            drop(pool);
            assert_eq!(steps.alive(), 0, "{step:?}");
        });
    }
}

#[test]
fn steps_may_use_their_pool() {
    for capacity in [0, 1, 2, 64] {
        at_every_step(capacity, use_all);
    }
}

#[test]
fn steps_may_close_their_pool() {
    for capacity in [0, 1, 64] {
        at_every_step(capacity, |pool| {
            pool.close();
            use_all(pool);
            assert!(pool.is_empty());
        });
    }
}

#[test]
fn a_reset_that_closes_the_pool_loses_its_object() {
    must_end(|| {
        let (pool, steps) = probes(4);
        let (dropped, released) = (pool.get(), pool.get());
        let inner = pool.clone();
        steps.once(Step::Reset, move || inner.close());
        drop(dropped);
        assert!(ProbeRef::release(released).is_err());
        assert_eq!((pool.len(), pool.stats().discarded_closed, steps.alive()), (0, 2, 0));
    });
}

#[test]
fn a_reset_that_fills_the_pool_finds_it_full() {
    must_end(|| {
        let (pool, steps) = probes(2);
        let fill = |pool: &ProbePool| {
            let inner = pool.clone();
            steps.once(Step::Reset, move || drop((inner.get(), inner.get())));
        };
        let guard = pool.get();
        fill(&pool);
        drop(guard);
        assert_eq!((pool.len(), pool.stats().discarded_full), (2, 1));

        let (item, _other) = (pool.take(), pool.take());
        fill(&pool);
        let refused = pool.put(item).expect_err("filled behind its back");
        assert_eq!((refused.reason, pool.len()), (bp::PutReason::Full, 2));
    });
}

#[test]
fn the_last_handle_may_go_inside_a_step() {
    for step in [Step::Keep, Step::Measure, Step::Reset, Step::Drop] {
        must_end(move || {
            let (pool, steps) = probes(4);
            drop((pool.get(), pool.get()));
            let guard = pool.get();
            steps.once(step, move || drop(pool));
            if step == Step::Drop {
                ProbeRef::discard(guard);
            } else {
                drop(guard);
            }
            assert!(!steps.awaits(step));
            assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1), "{step:?}");
        });
    }
}

#[test]
fn dropping_objects_may_return_guards_of_the_same_pool() {
    must_end(|| {
        let (pool, steps) = probes(8);
        let held: Vec<_> = (0..8).map(|_| pool.get()).collect();
        drop(pool.get());
        // While the one idle object is cleared, eight others come back.
        steps.once(Step::Drop, move || drop(held));
        assert_eq!(pool.clear(), 1);
        assert_eq!((pool.len(), steps.alive()), (8, 8));
    });
}
