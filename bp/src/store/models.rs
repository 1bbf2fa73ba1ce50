//! Loom models of the store: the interleavings of two or three threads, one property each.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p bp --lib --profile loom -- models
//! ```
//!
//! A model is worth what it catches. Each of these faults was put in, and each was caught, most
//! by several models, of which one is named:
//!
//! * The lock taken `Relaxed`: `a_get_takes_what_another_thread_returns_or_creates`.
//! * Released `Relaxed`, by its owner or anybody else; either fence missing; an owner that does
//!   not look again, or is not waited for: `of_two_gets_one_finds_the_idle_object`. One that
//!   looks again `Relaxed`: `an_owner_that_went_on_to_another_lock_has_left_the_first`.
//! * The depot entered without a lock, or emptied before the shards are closed; a busy shard not
//!   waited for; `closed` not set: `nothing_is_stored_behind_closing`. A closed shard that still has room:
//!   `overflow_into_the_depot_ends_with_closing`.
//! * A spare pushed to a closed shard; the store freed without the fence:
//!   `a_detached_node_is_not_left_behind_by_closing`.
//! * A ring made by another thread taken for a full depot: `two_threads_make_one_ring`. This one
//!   was not put in but found.
//! * A mark left in a popped pointer: `trim_or_a_get_has_the_old_object`.
//!
//! On the store as it was before its locks had owners, also: `handles` counted down `Relaxed` or
//! `Acquire`, a clone or a node not counted, a reference given up too early, the shard looked at
//! after the unlock, room for one too many, a refused node forgotten, figures counted wrongly, a
//! ring published, loaded or stamped `Relaxed`.
//!
//! Beyond loom 0.7 are `handles` counted down with `Release` alone, as its fence acquires also
//! what another thread has read; an owner that enters `Relaxed`, as no other thread runs between
//! that store and the fence behind it; and the cost and the truth of `membarrier`.

mod harness;
mod ring;

use self::harness::*;
use crate::{Pool, PutReason};

// === Gets and returns ===

#[test]
fn of_two_gets_one_finds_the_idle_object() {
    for parts in [shape(1, 1, 0), shape(1, 0, 1), shape(2, 1, 0)] {
        model(move || {
            let (pool, census) = pool(parts, 1);
            let other = pool.clone();
            let other = at_home(1, move || used(other.get()));
            let mine = used(pool.get());
            let other = other.join().unwrap();
            let stats = balanced(&pool);
            assert_eq!((stats.hits, stats.idle, stats.in_use), (1, 0, 2));
            drop((mine, other, pool));
            census.assert_all_gone();
        });
    }
}

#[test]
fn a_get_takes_what_another_thread_returns_or_creates() {
    for parts in [shape(1, 1, 0), shape(1, 0, 1), shape(2, 1, 0), shape(2, 0, 2)] {
        model(move || {
            let (pool, census) = pool(parts, 0);
            let guard = used(pool.get());
            let other = at_home(1, move || drop(guard));
            let mine = used(pool.get());
            other.join().unwrap();
            let stats = balanced(&pool);
            assert_eq!(stats.in_use, 1);
            assert_eq!(census.alive(), stats.idle + stats.in_use);
            drop((mine, pool));
            census.assert_all_gone();
        });
    }
}

#[test]
fn two_returns_and_a_get_lose_nothing() {
    long_model(|| {
        let (pool, census) = pool(shape(2, 1, 0), 0);
        let (one, two) = (used(pool.get()), used(pool.get()));
        let one = at_home(0, move || drop(one));
        let two = at_home(1, move || drop(two));
        drop(used(pool.get()));
        one.join().unwrap();
        two.join().unwrap();
        let stats = balanced(&pool);
        assert_eq!((stats.in_use, stats.idle), (0, census.alive()));
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn of_two_returns_one_takes_the_last_room() {
    for parts in [shape(1, 1, 0), shape(1, 0, 1), shape(2, 0, 1)] {
        model(move || {
            let (pool, census) = pool(parts, 0);
            let (one, two) = (used(pool.get()), used(pool.get()));
            let other = at_home(1, move || drop(two));
            drop(one);
            other.join().unwrap();
            let stats = balanced(&pool);
            assert_eq!((stats.returned, stats.discarded_full, census.alive()), (1, 1, 1));
            drop(pool);
            census.assert_all_gone();
        });
    }
}

#[test]
fn the_figures_are_never_absurd_while_others_return() {
    model(|| {
        let (pool, census) = pool(shape(1, 1, 1), 1);
        let guard = used(pool.get());
        let other = pool.clone();
        let other = at_home(1, move || {
            drop(guard);
            drop(used(other.get()));
        });
        let stats = pool.stats();
        assert!(stats.idle <= 2 && stats.in_use <= 2 && stats.returned <= 3, "{stats:?}");
        assert!(pool.len() <= 2);
        other.join().unwrap();
        let stats = balanced(&pool);
        assert_eq!((stats.in_use, stats.idle), (0, census.alive()));
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn idle_bytes_follow_the_idle_objects() {
    for parts in [shape(1, 1, 0), shape(1, 0, 2)] {
        model(move || {
            let (pool, census) = pool_with::<true>(parts, 1);
            let mut guard = pool.get();
            guard.use_it();
            guard.held = 10;
            let other = at_home(1, move || drop(guard));
            let mine = pool.get();
            mine.use_it();
            other.join().unwrap();
            let stats = balanced(&pool);
            assert_eq!(stats.bytes_idle, 10 * stats.idle);
            drop((mine, pool));
            census.assert_all_gone();
        });
    }
}

#[test]
fn idle_bytes_never_fall_below_none() {
    model(|| {
        let (pool, census) = pool_with::<true>(shape(1, 0, 1), 0);
        let guard = pool.get();
        let other = at_home(0, move || drop(guard));
        let mine = pool.try_get();
        assert!(pool.stats().bytes_idle <= 1);
        other.join().unwrap();
        drop((mine, pool));
        census.assert_all_gone();
    });
}

#[test]
fn two_threads_make_one_ring() {
    model(|| {
        let (pool, census) = pool(shape(2, 0, 2), 0);
        let (one, two) = (used(pool.get()), used(pool.get()));
        let other = at_home(1, move || drop(two));
        drop(one);
        other.join().unwrap();
        assert_eq!((pool.len(), census.alive()), (2, 2));
        let guards = (used(pool.get()), used(pool.get()));
        assert_eq!(balanced(&pool).hits, 2);
        drop((guards, pool));
        census.assert_all_gone();
    });
}

// === Moving in and out ===

#[test]
fn take_and_put_hand_on_emptied_nodes() {
    long_model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 1);
        // Leaves its node behind.
        drop(pool.take());
        let other = pool.clone();
        let other = at_home(0, move || drop(other.put(Object::new(&other.config().census))));
        drop(pool.put(Object::new(&census)));
        other.join().unwrap();
        let stats = balanced(&pool);
        assert_eq!((stats.taken, stats.in_use, stats.idle), (1, 0, census.alive()));
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn a_detached_node_is_not_left_behind_by_closing() {
    model(|| {
        let (pool, census) = pool(shape(2, 1, 0), 0);
        let guard = used(pool.get());
        let other = at_home(1, move || {
            let mut item = Guard::detach(guard);
            item.moved_out = true;
        });
        drop(pool);
        other.join().unwrap();
        census.assert_all_gone();
    });
}

#[test]
fn spare_nodes_are_freed_once() {
    long_model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 1);
        let other = pool.clone();
        // Twice: the second time as the owner, where locks have owners.
        let other = at_home(0, move || (0..2).for_each(|_| take_and_put(&other)));
        pool.clear();
        other.join().unwrap();
        let stats = balanced(&pool);
        assert_eq!((stats.in_use, stats.idle), (0, census.alive()));
        drop(pool);
        census.assert_all_gone();
    });
}

// === Trim and clear ===

#[test]
fn trim_or_a_get_has_the_old_object() {
    for parts in [shape(1, 1, 0), shape(1, 0, 1)] {
        long_model(move || {
            let (pool, census) = pool(parts, 1);
            assert_eq!(pool.trim(), 0, "seen for the first time");
            let other = pool.clone();
            let other = at_home(1, move || drop(used(other.get())));
            let trimmed = pool.trim();
            other.join().unwrap();
            let stats = balanced(&pool);
            // A depot's object that was used between two of trim's steps still counts as old.
            let at_most = if parts.depot == 0 { 1 } else { 2 };
            assert!((1..=at_most).contains(&(stats.hits + stats.trimmed)), "{stats:?}");
            assert_eq!((stats.trimmed, stats.idle), (trimmed, census.alive()));
            drop(pool);
            census.assert_all_gone();
        });
    }
}

#[test]
fn trim_leaves_what_is_returned_meanwhile() {
    for parts in [shape(1, 1, 0), shape(2, 1, 0), shape(1, 0, 1)] {
        model(move || {
            let (pool, census) = pool(parts, 0);
            let guard = used(pool.get());
            let other = at_home(1, move || drop(guard));
            assert_eq!(pool.trim(), 0);
            other.join().unwrap();
            let stats = balanced(&pool);
            assert_eq!((stats.in_use, stats.idle), (0, census.alive()));
            drop(pool);
            census.assert_all_gone();
        });
    }
}

#[test]
fn clear_drops_what_it_finds_and_nothing_else() {
    for parts in [shape(1, 1, 0), shape(1, 0, 2), shape(2, 1, 0)] {
        model(move || {
            let (pool, census) = pool(parts, 1);
            let guard = Pool::get_with(&pool, || unreachable!("one is idle"));
            let other = at_home(1, move || drop(guard));
            let cleared = pool.clear();
            other.join().unwrap();
            let stats = balanced(&pool);
            assert_eq!(stats.cleared, cleared);
            assert_eq!((stats.in_use, stats.idle), (0, census.alive()));
            drop(pool);
            census.assert_all_gone();
        });
    }
}

// === Owners of locks ===

#[test]
fn an_owner_sees_what_a_trim_did_to_its_shard() {
    long_model(|| {
        let (pool, census) = pool(shape(1, 2, 0), 2);
        let other = pool.clone();
        let other = at_home(0, move || assert_eq!(other.trim(), 0));
        // This thread owns the lock, and a trim leaves it that.
        let guards = (used(pool.get()), used(pool.get()));
        drop(guards);
        other.join().unwrap();
        let stats = balanced(&pool);
        assert_eq!((stats.in_use, stats.idle), (0, census.alive()));
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn an_owner_that_went_on_to_another_lock_has_left_the_first() {
    long_model(|| {
        let (first, first_census) = pool(shape(1, 2, 0), 2);
        let (second, second_census) = pool(shape(1, 1, 0), 1);
        let other = first.clone();
        let other = at_home(0, move || assert!(other.clear() <= 2));
        let guards = (used(first.get()), used(first.get()));
        let guard = used(second.get());
        drop((guard, second));
        other.join().unwrap();
        drop((guards, first));
        first_census.assert_all_gone();
        second_census.assert_all_gone();
    });
}

// === The end ===

#[test]
fn nothing_is_stored_behind_closing() {
    for parts in [shape(1, 1, 0), shape(1, 0, 1), shape(2, 1, 0), shape(2, 0, 1)] {
        model(move || {
            let (pool, census) = pool(parts, 0);
            let guard = used(pool.get());
            let other = at_home(1, move || drop(guard));
            pool.close();
            other.join().unwrap();
            assert_eq!((pool.len(), census.alive()), (0, 0));
            let stats = balanced(&pool);
            assert_eq!(stats.cleared + stats.discarded_closed + stats.discarded_full, 1);
            drop(pool);
            census.assert_all_gone();
        });
    }
}

#[test]
fn overflow_into_the_depot_ends_with_closing() {
    long_model(|| {
        let (pool, census) = pool(shape(2, 1, 1), 0);
        let guards = (used(pool.get()), used(pool.get()));
        // The first fills the home shard, the second overflows.
        let other = at_home(1, move || drop(guards));
        pool.close();
        other.join().unwrap();
        assert_eq!((pool.len(), census.alive()), (0, 0));
        balanced(&pool);
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn release_tells_what_became_of_the_object() {
    long_model(|| {
        let (pool, census) = pool(shape(2, 1, 0), 0);
        let guard = used(pool.get());
        let other = at_home(1, move || match Guard::release(guard) {
            Ok(()) => 1,
            Err(refused) => {
                assert_eq!(refused.reason, PutReason::Closed);
                refused.item.use_it();
                0
            }
        });
        pool.close();
        let kept = other.join().unwrap();
        let stats = balanced(&pool);
        assert_eq!((stats.returned, stats.cleared), (kept, kept));
        assert_eq!(stats.discarded_closed, 1 - kept);
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn a_closed_pool_still_serves_gets() {
    long_model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 1);
        let other = pool.clone();
        let other = at_home(1, move || drop(used(other.get())));
        pool.close();
        other.join().unwrap();
        drop(used(pool.get()));
        assert_eq!((balanced(&pool).in_use, census.alive()), (0, 0));
        drop(pool);
        census.assert_all_gone();
    });
}

#[test]
fn the_last_guard_or_the_last_handle_frees_the_store() {
    for parts in [shape(1, 1, 0), shape(1, 0, 1), shape(2, 1, 0), shape(1, 0, 0)] {
        model(move || {
            let (pool, census) = pool(parts, 0);
            let guard = used(pool.get());
            let other = at_home(1, move || drop(guard));
            drop(pool);
            other.join().unwrap();
            census.assert_all_gone();
        });
    }
}

#[test]
fn two_guards_and_the_last_handle_free_the_store_once() {
    long_model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 0);
        let (one, two) = (used(pool.get()), used(pool.get()));
        let other = at_home(1, move || drop(one));
        drop(pool);
        drop(two);
        other.join().unwrap();
        census.assert_all_gone();
    });
}

#[test]
fn the_pool_is_open_while_a_handle_exists() {
    long_model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 1);
        let other = pool.clone();
        let other = at_home(1, move || {
            let second = other.clone();
            drop(other);
            drop(used(second.get()));
            second
        });
        drop(used(pool.get()));
        drop(pool);
        let second = other.join().unwrap();
        let stats = balanced(&second);
        assert_eq!((stats.discarded_closed, stats.cleared), (0, 0));
        assert!(second.put(Object::new(&census)).map_err(|e| e.reason) != Err(PutReason::Closed));
        drop(second);
        census.assert_all_gone();
    });
}

#[test]
fn of_two_handles_the_last_closes() {
    model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 1);
        let other = pool.clone();
        // Sees the store through its handle alone: no lock, no node.
        let other = at_home(1, move || other.config().read());
        drop(pool);
        other.join().unwrap();
        census.assert_all_gone();
    });
}

#[test]
fn a_guard_frees_the_store_after_every_handle_is_done_with_it() {
    model(|| {
        let (pool, census) = pool(shape(1, 1, 0), 0);
        let guard = used(pool.get());
        let other = pool.clone();
        let guard = at_home(0, move || drop(guard));
        let other = at_home(0, move || other.config().read());
        drop(pool);
        guard.join().unwrap();
        other.join().unwrap();
        census.assert_all_gone();
    });
}
