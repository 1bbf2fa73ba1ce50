//! The fence by which others take a shard from its owner: in a fork, and in a sandbox that refuses
//! it.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::{panic, thread};

use bp::{BufferPool, TypedPool};
use bp_tests::child::{in_child, in_fork, refuse_fence};
use bp_tests::ledger::balance;
use bp_tests::probe::{Probe, ProbePool, ProbeRef, probes};
use bp_tests::watch::panic_of;

/// Another thread, which has used a pool for so long that a shard is its own.
struct AtHome<T> {
    thread: JoinHandle<T>,
    go: Sender<()>,
}

impl<T: Send + 'static> AtHome<T> {
    /// Starts one, which keeps what `hold` returns, and does `then` when it is told to go on.
    fn new<P, H>(
        pool: &P,
        hold: fn(&P) -> H,
        then: impl FnOnce(&P, H) -> T + Send + 'static,
    ) -> Self
    where
        P: TypedPool + Clone + Send + 'static,
        H: 'static,
    {
        let handle = pool.clone();
        let (at_home, came_home) = channel();
        let (go, told) = channel();
        let thread = thread::spawn(move || {
            use_for_long(&handle);
            let kept = hold(&handle);
            at_home.send(()).unwrap();
            told.recv().unwrap();
            then(&handle, kept)
        });
        came_home.recv().unwrap();
        AtHome { thread, go }
    }

    fn go_on(self) -> T {
        self.go.send(()).unwrap();
        self.thread.join().unwrap()
    }
}

fn use_for_long<P: TypedPool>(pool: &P) {
    (0..10_000).for_each(|_| drop(pool.as_pool().get()));
}

#[test]
fn a_fork_uses_the_pool_that_it_has_a_copy_of() {
    in_child("fence::a_fork_uses_the_pool_that_it_has_a_copy_of", || {
        let pool = BufferPool::new(4, 64);
        let owner = AtHome::new(&pool, |_| (), |pool, ()| use_for_long(pool));
        let copy_works = in_fork(|| {
            let found = pool.try_get().expect("the other thread's, in its own shard");
            drop(found);
            assert_eq!((pool.len(), pool.clear()), (1, 1));
            use_for_long(&pool);
            assert_eq!(pool.stats().misses, 2);
        });
        assert!(copy_works);
        assert_eq!(pool.len(), 1);
        owner.go_on();
        assert_eq!(pool.stats().misses, 1);
    });
}

#[test]
fn a_sandbox_that_refuses_the_fence_is_named_and_costs_the_owner_nothing() {
    let name = "fence::a_sandbox_that_refuses_the_fence_is_named_and_costs_the_owner_nothing";
    in_child(name, || {
        let pool = BufferPool::new(4, 64);
        let owner = AtHome::new(&pool, |_| (), |pool, ()| use_for_long(pool));
        if !refuse_fence() {
            return;
        }
        let refused = "the system call membarrier, which worked at first, is refused now";
        for panic in [panic_of(|| pool.get()), panic_of(|| pool.trim())] {
            assert!(panic.starts_with(refused), "{panic}");
        }
        owner.go_on();
        assert_eq!(pool.len(), 1);
        // Closing looks into every shard too.
        std::mem::forget(pool);
    });
}

#[test]
fn what_a_refused_fence_interrupts_is_lost_and_counted() {
    in_child("fence::what_a_refused_fence_interrupts_is_lost_and_counted", || {
        let (pool, steps) = probes(1);
        let (dropped, released, detached) = (pool.get(), pool.get(), pool.get());
        let taken = pool.take();

        // The one shard is the owner's, and has room. Its handle is the last to go.
        let owner = AtHome::new(&pool, ProbePool::get, |pool, held| {
            drop(held);
            pool.stats()
        });
        if !refuse_fence() {
            return;
        }
        let panics = [
            panic_of(|| drop(dropped)),
            panic_of(|| ProbeRef::release(released)),
            panic_of(|| ProbeRef::detach(detached)),
            panic_of(|| pool.put(taken)),
        ];
        for panic in panics {
            assert!(panic.starts_with("the system call membarrier"), "{panic}");
        }
        assert_eq!(steps.alive(), 1, "the one that is held");
        drop(pool);

        let stats = owner.go_on();
        balance(&stats);
        assert_eq!((stats.in_use, stats.discarded_panic, stats.detached), (0, 2, 1));
        assert_eq!((stats.taken, stats.put, stats.idle), (1, 0, 1));
        assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1), "the pool is freed");
    });
}

#[test]
fn what_a_refused_clear_dropped_is_counted() {
    in_child("fence::what_a_refused_clear_dropped_is_counted", || {
        // Two shards of one each. This thread is at home in the first, before the other comes.
        let (pool, steps) = probes(2);
        drop(pool.get());
        let owner = AtHome::new(&pool, |_| (), |pool, ()| pool.stats());
        pool.put(Probe::new(&steps)).unwrap();
        if !refuse_fence() {
            return;
        }
        let panic = panic_of(|| pool.clear());
        assert!(panic.starts_with("the system call membarrier"), "{panic}");
        assert_eq!(steps.alive(), 1, "the first shard was cleared");
        drop(pool);

        let stats = owner.go_on();
        balance(&stats);
        assert_eq!((stats.cleared, stats.idle, stats.in_use), (1, 1, 0));
    });
}

#[test]
fn while_a_refused_fence_is_reported_the_owner_goes_on() {
    in_child("fence::while_a_refused_fence_is_reported_the_owner_goes_on", || {
        let pool = BufferPool::new(1, 64);
        let (done, owner_done) = channel();
        let use_and_tell = move |pool: &BufferPool, ()| {
            (0..100).for_each(|_| drop(pool.get()));
            done.send(()).unwrap();
            pool.stats()
        };
        let owner = AtHome::new(&pool, |_| (), use_and_tell);
        if !refuse_fence() {
            return;
        }
        let (go, owner_done) = (owner.go.clone(), Mutex::new(owner_done));
        panic::set_hook(Box::new(move |_| {
            go.send(()).unwrap();
            owner_done.lock().unwrap().recv().unwrap();
        }));
        let refused = panic_of(|| pool.trim());
        assert!(refused.starts_with("the system call membarrier"), "{refused}");
        let stats = owner.thread.join().unwrap();
        assert_eq!((stats.hits, stats.misses), (10_099, 1));
        std::mem::forget(pool);
    });
}
