//! Many threads on one pool: every object in one place at a time, none lost, none too many.
//!
//! `stress_` tests also run under Valgrind and the sanitizer for addresses, so they do little, but
//! all of it at once. A thread that used a pool a thousand times may come to be at home there in
//! earnest, so most tests go beyond that, and some begin there.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use bp::{AnyPool, BytePool, PutReason};
use bp_tests::ledger::balance;
use bp_tests::probe::{ProbePool, ProbeRef, Step, probes};
use bp_tests::random::Random;
use bp_tests::threads::together;

/// Asserts what must hold when all threads are done and no guard is left.
#[track_caller]
fn at_rest(pool: &dyn AnyPool, made: usize, alive: usize) {
    let stats = pool.stats();
    balance(&stats);
    assert_eq!(stats.in_use, 0, "{stats:?}");
    assert_eq!(stats.misses + stats.preloaded, made, "{stats:?}");
    assert_eq!(stats.idle, alive, "{stats:?}");
    assert!(stats.idle <= pool.capacity());
}

/// Marks the object as this thread's, gives others the chance to do the same, and looks again.
fn use_alone(probe: &mut ProbeRef, thread: usize) {
    assert_eq!(probe.mark, 0, "not blank");
    probe.mark = thread + 1;
    thread::yield_now();
    assert_eq!(probe.mark, thread + 1, "in two hands");
}

#[test]
fn stress_few_threads() {
    for (threads, capacity) in [(2, 1), (2, 2), (3, 2), (4, 8), (4, 100)] {
        let (pool, steps) = probes(capacity);
        let shared = pool.clone();
        together(threads, move |thread| {
            for _ in 0..1000 {
                use_alone(&mut shared.get(), thread);
            }
        });
        at_rest(&pool, steps.count(Step::Create), steps.alive());
        let stats = pool.stats();
        assert_eq!(stats.hits + stats.misses, 1000 * threads);
        assert_eq!(steps.count(Step::Get), 1000 * threads);
    }
}

#[test]
fn stress_64_threads_on_few_cores() {
    for capacity in [1, 16, 64, 1000] {
        let (pool, steps) = probes(capacity);
        let shared = pool.clone();
        together(64, move |thread| {
            for _ in 0..250 {
                let mut first = shared.get();
                use_alone(&mut first, thread);
                let mut second = shared.get();
                use_alone(&mut second, thread);
                drop(first);
                use_alone(&mut shared.get(), thread);
            }
        });
        at_rest(&pool, steps.count(Step::Create), steps.alive());
    }
}

#[test]
fn stress_handover() {
    for capacity in [1, 8, 300] {
        let (pool, steps) = probes(capacity);
        let (give, taken) = sync_channel(16);
        let getting = pool.clone();
        let getter = thread::spawn(move || {
            for _ in 0..5000 {
                let mut probe = getting.get();
                use_alone(&mut probe, 0);
                give.send(probe).expect("the other end waits");
            }
        });
        for probe in taken {
            assert_eq!(probe.mark, 1);
        }
        getter.join().expect("gets");
        at_rest(&pool, steps.count(Step::Create), steps.alive());
        assert_eq!(pool.stats().returned + pool.stats().discarded_full, 5000);
    }
}

#[test]
fn stress_handover_both_ways() {
    let (pool, steps) = probes(64);
    let shelf = Arc::new(Mutex::new(Vec::new()));
    let (shared, shelved) = (pool.clone(), Arc::clone(&shelf));
    together(4, move |thread| {
        let mut random = Random::new(thread as u64);
        for _ in 0..2000 {
            let mut probe = shared.get();
            use_alone(&mut probe, thread);
            let other = {
                let mut shelf = shelved.lock().expect("no panic here");
                shelf.push(probe);
                let at = random.below(shelf.len());
                (shelf.len() > 20).then(|| shelf.swap_remove(at))
            };
            // Dropped without the lock, most often as another thread's.
            drop(other);
        }
    });
    assert_eq!(pool.stats().in_use, shelf.lock().expect("no panic here").len());
    shelf.lock().expect("no panic here").clear();
    at_rest(&pool, steps.count(Step::Create), steps.alive());
}

#[test]
fn stress_every_operation_at_once() {
    for capacity in [1, 4, 64, 200] {
        let (pool, steps) = probes(capacity);
        let shared = pool.clone();
        together(6, move |thread| {
            let mut random = Random::new(thread as u64);
            let mut guards = Vec::new();
            let mut items = Vec::new();
            for _ in 0..1000 {
                match random.below(16) {
                    0..4 => guards.push(shared.get()),
                    4 => guards.extend(shared.try_get()),
                    5..9 => drop(guards.pop()),
                    9 => items.push(shared.take()),
                    10 => {
                        let put = items.pop().map(|item| shared.put(item));
                        items.extend(put.and_then(Result::err).map(bp::PutError::into_item));
                    }
                    11 => drop(guards.pop().map(ProbeRef::release)),
                    12 => drop(guards.pop().map(ProbeRef::discard)),
                    13 => items.extend(guards.pop().map(ProbeRef::detach)),
                    14 => assert!(shared.trim() <= capacity),
                    _ => assert!(shared.clear() <= capacity),
                }
                guards.truncate(8);
                items.truncate(8);
                for probe in &mut guards {
                    probe.mark = 0;
                    use_alone(probe, thread);
                }
            }
        });
        let stats = pool.stats();
        balance(&stats);
        assert_eq!((stats.in_use, stats.idle), (0, steps.alive()), "{stats:?}");
        assert_eq!(pool.clear(), stats.idle);
        assert_eq!(steps.alive(), 0);
    }
}

#[test]
fn stress_idle_objects_never_exceed_the_capacity() {
    const THREADS: usize = 6;
    const HELD: usize = 4;
    for capacity in [0, 1, 7, 64] {
        let (pool, steps) = probes(capacity);
        let (shared, seen) = (pool.clone(), Arc::clone(&steps));
        together(THREADS, move |thread| {
            let mut random = Random::new(thread as u64);
            let mut guards = Vec::new();
            for _ in 0..1000 {
                match random.below(3) {
                    0 => drop(guards.pop()),
                    1 => drop(shared.put(shared.take())),
                    _ if guards.len() == HELD => guards.clear(),
                    _ => guards.push(shared.get()),
                }
                // Counted by the objects. What a thread has in its hands is at most `HELD` and
                // one on the way; all else that is alive is idle.
                assert!(seen.alive() <= capacity + THREADS * (HELD + 1));
            }
        });
        at_rest(&pool, steps.count(Step::Create), steps.alive());
    }
}

#[test]
fn stress_preloaded_objects_are_found_by_all() {
    let pool = BytePool::builder(64, 16).preload(1.0).build().expect("a rate");
    let (shared, blocks) = (pool.clone(), Arc::new(Mutex::new(Vec::new())));
    let all = Arc::clone(&blocks);
    together(8, move |_| {
        for _ in 0..8 {
            let block = shared.get();
            all.lock().expect("no panic here").push(block);
        }
    });
    let stats = pool.stats();
    assert_eq!(stats.hits + stats.misses, 64);
    // With a lock held at the wrong moment one may be created instead, and one stays idle.
    assert_eq!(stats.idle, stats.misses);
    blocks.lock().expect("no panic here").clear();
    assert_eq!(pool.len(), 64);
}

#[test]
fn stress_short_lived_threads() {
    let (pool, steps) = probes(8);
    for round in 0..500 {
        let workers: Vec<_> = (0..2)
            .map(|worker| {
                let pool = pool.clone();
                thread::spawn(move || use_alone(&mut pool.get(), 2 * round + worker))
            })
            .collect();
        for worker in workers {
            worker.join().expect("uses an object");
        }
    }
    at_rest(&pool, steps.count(Step::Create), steps.alive());
    assert!(steps.count(Step::Create) <= 4, "threads that have ended keep nothing: {steps:?}");
}

/// Uses its pool when its thread ends.
struct AtEnd(ProbePool);

impl Drop for AtEnd {
    fn drop(&mut self) {
        drop((self.0.get(), self.0.get()));
        self.0.put(self.0.take()).map_or_else(drop, drop);
        self.0.trim();
    }
}

thread_local! {
    static HELD: RefCell<Vec<ProbeRef>> = const { RefCell::new(Vec::new()) };
    static LAST_WORDS: RefCell<Option<AtEnd>> = const { RefCell::new(None) };
    static MORE: RefCell<Vec<(ProbeRef, ProbePool)>> = const { RefCell::new(Vec::new()) };
}

#[test]
fn stress_guards_in_thread_locals() {
    for at in 0..60 {
        let (pool, steps) = probes(2);
        let worker = {
            let pool = pool.clone();
            thread::spawn(move || {
                // In every order, since that of the destructors follows from it.
                for place in [at, at + 1 + at / 3 % 2, at + 2 - at / 3 % 2] {
                    match place % 3 {
                        0 => HELD.with_borrow_mut(|held| held.extend([pool.get(), pool.get()])),
                        1 => MORE.with_borrow_mut(|more| more.push((pool.get(), pool.clone()))),
                        _ => LAST_WORDS.set(Some(AtEnd(pool.clone()))),
                    }
                }
            })
        };
        worker.join().expect("ends");
        at_rest(&pool, steps.count(Step::Create), steps.alive());
        assert_eq!(pool.len(), 2);
    }
}

#[test]
fn stress_the_last_handle_goes_with_the_thread() {
    for _ in 0..100 {
        let (pool, steps) = probes(4);
        let guard = pool.get();
        let worker = thread::spawn(move || {
            MORE.with_borrow_mut(|more| more.push((pool.get(), pool)));
        });
        drop(guard);
        worker.join().expect("keeps them to the end");
        assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));
    }
}

#[test]
fn stress_closing_while_in_use() {
    for round in 0..100 {
        let (pool, steps) = probes([1, 3, 64][round % 3]);
        let shared = pool.clone();
        let closed = Arc::new(AtomicBool::new(false));
        together(4, move |thread| {
            for turn in 0..20 {
                let was_closed = closed.load(Ordering::SeqCst);
                let released = ProbeRef::release(shared.get());
                if was_closed {
                    assert_eq!(released.expect_err("closed").reason, PutReason::Closed);
                } else if let Err(refused) = released {
                    assert_ne!(refused.reason, PutReason::Unfit);
                }
                if thread == 0 && turn == 10 {
                    shared.close();
                    closed.store(true, Ordering::SeqCst);
                }
            }
        });
        assert_eq!((pool.len(), steps.alive()), (0, 0));
        balance(&pool.stats());
        drop(pool);
        assert_eq!(Arc::strong_count(&steps), 1);
    }
}

/// Uses the pool until this thread is at home there.
fn settle(pool: &ProbePool) {
    for _ in 0..1200 {
        drop(pool.get());
    }
}

#[test]
fn stress_closing_beside_a_thread_at_home() {
    for capacity in [1, 4, 64] {
        for _ in 0..10 {
            let (pool, steps) = probes(capacity);
            let user = pool.clone();
            let (settled, is_settled) = channel();
            let at_home = thread::spawn(move || {
                settle(&user);
                settled.send(()).expect("somebody waits");
                while ProbeRef::release(user.get()).is_ok() {}
                assert!(user.try_get().is_none());
            });
            is_settled.recv().expect("settles");
            pool.close();
            at_home.join().expect("finds it closed");
            assert_eq!((pool.len(), steps.alive()), (0, 0));
            drop(pool);
            assert_eq!(Arc::strong_count(&steps), 1);
        }
    }
}

/// Sets a flag when it goes, also by a panic: others wait for it.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn stress_looking_in_on_a_thread_at_home() {
    for capacity in [1, 4, 64] {
        let (pool, steps) = probes(capacity);
        let shared = pool.clone();
        let done = AtomicBool::new(false);
        together(3, move |thread| {
            if thread == 0 {
                let _done = SetAtEnd(&done);
                settle(&shared);
                for _ in 0..2000 {
                    use_alone(&mut shared.get(), thread);
                }
            }
            while !done.load(Ordering::SeqCst) {
                if thread == 1 {
                    let stats = shared.stats();
                    assert!(stats.idle <= capacity, "{stats:?}");
                    shared.trim();
                } else {
                    shared.clear();
                    use_alone(&mut shared.get(), thread);
                }
                thread::yield_now();
            }
        });
        at_rest(&pool, steps.count(Step::Create), steps.alive());
    }
}

#[test]
fn stress_a_home_is_left_to_others() {
    // What a thread was at home with is found by those that come after, also by one that takes
    // its place, and by the destructors that run when its place is given up already.
    let (pool, steps) = probes(4);
    for round in 0..20 {
        let user = pool.clone();
        let worker = thread::spawn(move || {
            if round % 2 == 0 {
                HELD.with_borrow_mut(|held| held.push(user.get()));
                LAST_WORDS.set(Some(AtEnd(user.clone())));
            }
            settle(&user);
            if round % 2 == 1 {
                MORE.with_borrow_mut(|more| more.push((user.get(), user.clone())));
                LAST_WORDS.set(Some(AtEnd(user.clone())));
            }
        });
        worker.join().expect("ends");
        at_rest(&pool, steps.count(Step::Create), steps.alive());
        let idle: Vec<_> = std::iter::from_fn(|| pool.try_get()).collect();
        assert!(!idle.is_empty() && pool.is_empty(), "round {round}");
    }
    assert!(steps.count(Step::Create) <= 8, "{steps:?}");
}

#[test]
fn stress_handles_and_guards_go_in_any_order() {
    for round in 0..100 {
        let (pool, steps) = probes(4);
        let parts: Vec<_> = (0..4).map(|_| Mutex::new(Some((pool.clone(), pool.get())))).collect();
        drop(pool.get());
        drop(pool);
        together(4, move |thread| {
            let mut part = parts[thread].lock().expect("no panic here");
            let (pool, guard) = part.take().expect("one for each");
            if (thread + round) % 2 == 0 {
                drop(pool);
                drop(guard);
            } else {
                drop(guard);
                drop(pool.get());
                drop(pool);
            }
        });
        assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));
    }
}

#[test]
fn stress_trims_and_clears_while_in_use() {
    let (pool, steps) = probes(32);
    let (shared, removed) = (pool.clone(), Arc::new(AtomicUsize::new(0)));
    let gone = Arc::clone(&removed);
    together(4, move |thread| {
        for turn in 0..500 {
            if thread == 0 {
                let n = if turn % 10 == 0 { shared.clear() } else { shared.trim() };
                gone.fetch_add(n, Ordering::SeqCst);
            } else {
                let mut probes = [shared.get(), shared.get(), shared.get()];
                for probe in &mut probes {
                    use_alone(probe, thread);
                }
            }
        }
    });
    at_rest(&pool, steps.count(Step::Create), steps.alive());
    let stats = pool.stats();
    assert_eq!(stats.trimmed + stats.cleared, removed.load(Ordering::SeqCst));
}

#[test]
fn stress_large_pools_grow_at_once() {
    // Two threads find the first ring of the depot missing at the same time, and later the second.
    for _ in 0..5 {
        let (pool, steps) = probes(4000);
        let shared = pool.clone();
        together(4, move |_| drop((0..1000).map(|_| shared.get()).collect::<Vec<_>>()));
        at_rest(&pool, steps.count(Step::Create), steps.alive());
        let drained: Vec<_> = std::iter::from_fn(|| pool.try_get()).collect();
        assert_eq!((drained.len(), pool.len()), (steps.alive(), 0));
    }
}

#[test]
fn bytes_are_right_when_all_is_at_rest() {
    let (pool, _steps) = probes(100);
    let shared = pool.clone();
    together(4, move |thread| {
        let mut random = Random::new(thread as u64);
        for _ in 0..500 {
            let mut guards: Vec<_> = (0..random.below(40)).map(|_| shared.get()).collect();
            for probe in &mut guards {
                probe.bytes.1 = random.below(1000);
            }
        }
        shared.trim();
    });
    let shown = pool.stats().bytes_idle;
    let idle: Vec<_> = std::iter::from_fn(|| pool.try_get()).collect();
    assert_eq!(shown, idle.iter().map(|probe| probe.bytes.1).sum::<usize>());
    assert_eq!(pool.stats().bytes_idle, 0);
}

#[test]
fn figures_read_meanwhile_make_sense() {
    let (pool, _steps) = probes(8);
    let shared = pool.clone();
    let done = AtomicUsize::new(0);
    together(3, move |thread| {
        if thread > 0 {
            for _ in 0..5000 {
                drop((shared.get(), shared.get()));
            }
            done.fetch_add(1, Ordering::SeqCst);
        } else {
            let mut before = shared.stats();
            while done.load(Ordering::SeqCst) < 2 {
                let now = shared.stats();
                assert!(now.idle <= 8 && now.in_use <= 20_000, "{now:?}");
                assert!(now.hits >= before.hits && now.misses >= before.misses, "{now:?}");
                assert!(now.hits + now.misses <= 20_000, "{now:?}");
                before = now;
            }
        }
    });
    let stats = pool.stats();
    assert_eq!((stats.hits + stats.misses, stats.in_use), (20_000, 0));
}

#[test]
fn a_guard_crosses_threads_many_times() {
    let (pool, steps) = probes(1);
    let (give, take) = channel::<ProbeRef>();
    let mut probe = pool.get();
    for turn in 1..100 {
        probe.mark = turn;
        let give = give.clone();
        thread::spawn(move || give.send(probe)).join().expect("sends").expect("the end waits");
        probe = take.recv().expect("sent");
        assert_eq!(probe.mark, turn);
    }
    drop(probe);
    at_rest(&pool, 1, steps.alive());
}
