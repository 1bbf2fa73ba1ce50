//! What every pool must do, whatever it holds and however it was made.
//!
//! [`suite!`](crate::suite!) writes a module of tests for one pool. The tests are the functions
//! below, over [`Subject`], which names what a typed pool and its guard have as methods of their
//! own.

use std::collections::HashSet;
use std::fmt::Debug;
use std::thread;

use bp::{AnyPool, BuildError, PutError, PutReason};

use crate::allocations::{Allocated, allocated_by};
use crate::ledger::Ledger;

/// A pool under test.
// Its methods fail as the pool's own do; that is documented there.
#[allow(clippy::missing_errors_doc)]
pub trait Subject {
    /// The pool.
    type Pool: AnyPool + Clone + Debug + Send + Sync + 'static;
    /// Its guard.
    type Guard: Debug + Send + 'static;
    /// Its objects.
    type Item: Debug + Send + 'static;

    /// Makes a pool.
    fn pool(capacity: usize) -> Self::Pool;
    /// Makes a pool with objects in it.
    fn preloaded(capacity: usize, rate: f64) -> Result<Self::Pool, BuildError>;
    /// Leaves traces in an object.
    fn dirty(guard: &mut Self::Guard);
    /// Returns whether an object is as a new one.
    fn is_blank(guard: &Self::Guard) -> bool;
    /// Returns where an object is.
    fn address(guard: &Self::Guard) -> usize;

    /// `FooPool::get`.
    fn get(pool: &Self::Pool) -> Self::Guard;
    /// `FooPool::try_get`.
    fn try_get(pool: &Self::Pool) -> Option<Self::Guard>;
    /// `FooPool::get_with`.
    fn get_with(pool: &Self::Pool, create: impl FnOnce() -> Self::Item) -> Self::Guard;
    /// `FooPool::try_get_with`.
    fn try_get_with(
        pool: &Self::Pool,
        create: impl FnOnce() -> Result<Self::Item, &'static str>,
    ) -> Result<Self::Guard, &'static str>;
    /// `FooPool::take`.
    fn take(pool: &Self::Pool) -> Self::Item;
    /// `FooPool::put`.
    fn put(pool: &Self::Pool, item: Self::Item) -> Result<(), PutError<Self::Item>>;
    /// `FooPool::close`.
    fn close(pool: &Self::Pool);
    /// `FooRef::detach`.
    fn detach(guard: Self::Guard) -> Self::Item;
    /// `FooRef::discard`.
    fn discard(guard: Self::Guard);
    /// `FooRef::release`.
    fn release(guard: Self::Guard) -> Result<(), PutError<Self::Item>>;
}

/// Writes a module with all tests of [`suite`](mod@crate::suite) for one pool.
///
/// `build` makes a builder; `dirty` and `blank` take what the guard derefs to. With `of`, the tests
/// of a [`Subject`](crate::suite::Subject) that was written by hand.
#[macro_export]
macro_rules! suite {
    (mod $name:ident for $Pool:ty, $Guard:ty, $Item:ty {
        build: |$capacity:ident| $builder:expr,
        dirty: |$dirtied:ident| $dirty:expr,
        blank: |$judged:ident| $blank:expr $(,)?
    }) => {
        mod $name {
            use super::*;

            struct Tested;

            impl $crate::suite::Subject for Tested {
                type Pool = $Pool;
                type Guard = $Guard;
                type Item = $Item;

                fn pool($capacity: usize) -> $Pool {
                    $builder.build().expect("a config that is right")
                }
                fn preloaded($capacity: usize, rate: f64) -> Result<$Pool, bp::BuildError> {
                    $builder.preload(rate).build()
                }
                fn dirty(guard: &mut $Guard) {
                    let $dirtied = &mut **guard;
                    $dirty;
                }
                fn is_blank(guard: &$Guard) -> bool {
                    let $judged = &**guard;
                    $blank
                }
                fn address(guard: &$Guard) -> usize {
                    ::std::ptr::from_ref(&**guard).cast::<u8>().addr()
                }
                fn get(pool: &$Pool) -> $Guard {
                    pool.get()
                }
                fn try_get(pool: &$Pool) -> Option<$Guard> {
                    pool.try_get()
                }
                fn get_with(pool: &$Pool, create: impl FnOnce() -> $Item) -> $Guard {
                    pool.get_with(create)
                }
                fn try_get_with(
                    pool: &$Pool,
                    create: impl FnOnce() -> Result<$Item, &'static str>,
                ) -> Result<$Guard, &'static str> {
                    pool.try_get_with(create)
                }
                fn take(pool: &$Pool) -> $Item {
                    pool.take()
                }
                fn put(pool: &$Pool, item: $Item) -> Result<(), bp::PutError<$Item>> {
                    pool.put(item)
                }
                fn close(pool: &$Pool) {
                    pool.close();
                }
                fn detach(guard: $Guard) -> $Item {
                    <$Guard>::detach(guard)
                }
                fn discard(guard: $Guard) {
                    <$Guard>::discard(guard);
                }
                fn release(guard: $Guard) -> Result<(), bp::PutError<$Item>> {
                    <$Guard>::release(guard)
                }
            }

            $crate::suite! { of Tested }
        }
    };
    (of $Tested:ty) => {
        $crate::suite! { @tests $Tested:
            a_new_pool_is_empty
            a_returned_object_is_the_next_one
            a_returned_object_is_blank
            objects_in_use_are_apart
            try_get_creates_nothing
            get_with_creates_only_where_nothing_is_idle
            take_moves_out_and_put_brings_back
            put_gives_back_what_finds_no_room
            detach_moves_the_object_out
            discard_drops_the_object
            release_tells_what_became_of_the_object
            the_capacity_is_exact
            preload_creates_its_part_of_the_capacity
            trim_drops_what_two_trims_saw_idle
            clear_drops_what_is_idle
            a_closed_pool_keeps_nothing
            clones_share_the_store
            guards_outlive_their_pool
            nothing_is_allocated_in_steady_state
            debug_tells_name_and_fill
        }
    };
    (@tests $Tested:ty: $($test:ident)*) => {
        $(#[test]
        fn $test() {
            $crate::suite::$test::<$Tested>();
        })*
    };
}

/// Capacities around those where the store is laid out differently.
const CAPACITIES: [usize; 10] = [0, 1, 2, 3, 7, 63, 64, 65, 1000, 1500];

/// A new pool holds nothing, and figures nothing.
pub fn a_new_pool_is_empty<S: Subject>() {
    for capacity in CAPACITIES {
        let pool = S::pool(capacity);
        Ledger::open(&pool);
        assert_eq!((pool.len(), pool.capacity()), (0, capacity));
        assert!(pool.is_empty());
    }
}

/// What comes back is what the next get hands out.
pub fn a_returned_object_is_the_next_one<S: Subject>() {
    let pool = S::pool(4);
    let mut ledger = Ledger::open(&pool);
    let guard = S::get(&pool);
    ledger.book(&pool, |s| (s.misses, s.in_use) = (1, 1));
    let address = S::address(&guard);
    drop(guard);
    ledger.book(&pool, |s| (s.in_use, s.returned, s.idle) = (0, 1, 1));
    for round in 1..10 {
        let guard = S::get(&pool);
        assert_eq!(S::address(&guard), address);
        ledger.book(&pool, |s| (s.hits, s.in_use, s.idle) = (round, 1, 0));
        drop(guard);
        ledger.book(&pool, |s| (s.returned, s.in_use, s.idle) = (round + 1, 0, 1));
    }
}

/// Nothing of one user reaches the next, by guard or by value.
pub fn a_returned_object_is_blank<S: Subject>() {
    let pool = S::pool(1);
    let mut guard = S::get(&pool);
    assert!(S::is_blank(&guard), "when new");
    let address = S::address(&guard);

    S::dirty(&mut guard);
    assert!(!S::is_blank(&guard), "the test leaves no traces");
    drop(guard);
    let mut guard = S::get(&pool);
    assert_eq!(S::address(&guard), address);
    assert!(S::is_blank(&guard), "after a drop");

    S::dirty(&mut guard);
    S::release(guard).expect("room");
    let mut guard = S::get(&pool);
    assert!(S::is_blank(&guard), "after a release");

    S::dirty(&mut guard);
    let item = S::detach(guard);
    S::put(&pool, item).expect("room");
    let guard = S::try_get(&pool).expect("put before");
    assert!(S::is_blank(&guard), "after a put");
}

/// No two guards show one object.
pub fn objects_in_use_are_apart<S: Subject>() {
    let pool = S::pool(16);
    for _ in 0..2 {
        let guards: Vec<_> = (0..40).map(|_| S::get(&pool)).collect();
        assert_eq!(addresses::<S>(&guards).len(), 40);
        assert_eq!(pool.stats().in_use, 40);
    }
}

/// `try_get` hands out what is idle and nothing else.
pub fn try_get_creates_nothing<S: Subject>() {
    let pool = S::pool(2);
    let mut ledger = Ledger::open(&pool);
    assert!(S::try_get(&pool).is_none());
    ledger.book(&pool, |_| {});
    drop(S::get(&pool));
    let guard = S::try_get(&pool).expect("one is idle");
    assert!(S::try_get(&pool).is_none());
    ledger.book(&pool, |s| {
        (s.misses, s.returned, s.hits, s.in_use) = (1, 1, 1, 1);
    });
    drop(guard);
}

/// The closure stands in for `create`, and its object is pooled.
pub fn get_with_creates_only_where_nothing_is_idle<S: Subject>() {
    let pool = S::pool(2);
    let mut ledger = Ledger::open(&pool);
    let (one, other) = (S::take(&pool), S::take(&pool));
    ledger.book(&pool, |s| (s.misses, s.taken) = (2, 2));

    assert_eq!(S::try_get_with(&pool, || Err("refused")).expect_err("refused"), "refused");
    ledger.book(&pool, |_| {});

    let first = S::get_with(&pool, || one);
    let second = S::try_get_with(&pool, || Ok(other)).expect("created");
    assert_ne!(S::address(&first), S::address(&second));
    ledger.book(&pool, |s| (s.misses, s.in_use) = (4, 2));
    let last = S::address(&second);
    drop(first);
    drop(second);
    ledger.book(&pool, |s| (s.in_use, s.returned, s.idle) = (0, 2, 2));

    let first = S::get_with(&pool, || unreachable!("two are idle"));
    let second = S::try_get_with(&pool, || unreachable!("one is idle")).expect("a hit");
    assert!([S::address(&first), S::address(&second)].contains(&last));
    ledger.book(&pool, |s| (s.hits, s.in_use, s.idle) = (2, 2, 0));
}

/// Objects go out and in by value.
pub fn take_moves_out_and_put_brings_back<S: Subject>() {
    let pool = S::pool(2);
    let mut ledger = Ledger::open(&pool);
    let item = S::take(&pool);
    ledger.book(&pool, |s| (s.misses, s.taken) = (1, 1));
    S::put(&pool, item).expect("room");
    ledger.book(&pool, |s| (s.put, s.idle) = (1, 1));
    let item = S::take(&pool);
    ledger.book(&pool, |s| (s.hits, s.taken, s.idle) = (1, 2, 0));
    let another = S::take(&pool);
    ledger.book(&pool, |s| (s.misses, s.taken) = (2, 3));
    S::put(&pool, item).expect("room");
    S::put(&pool, another).expect("room");
    ledger.book(&pool, |s| (s.put, s.idle) = (3, 2));
}

/// What finds no room comes back, with the reason.
pub fn put_gives_back_what_finds_no_room<S: Subject>() {
    for capacity in [0, 1, 65] {
        let pool = S::pool(capacity);
        let mut ledger = Ledger::open(&pool);
        let items: Vec<_> = (0..capacity + 2).map(|_| S::take(&pool)).collect();
        ledger.book(&pool, |s| (s.misses, s.taken) = (capacity + 2, capacity + 2));
        let refused: Vec<_> =
            items.into_iter().filter_map(|item| S::put(&pool, item).err()).collect();
        assert_eq!(refused.len(), 2);
        assert!(refused.iter().all(|error| error.reason == PutReason::Full));
        ledger.book(&pool, |s| (s.put, s.idle) = (capacity, capacity));

        S::close(&pool);
        ledger.book(&pool, |s| (s.cleared, s.idle) = (capacity, 0));
        for error in refused {
            let error = S::put(&pool, error.into_item()).expect_err("closed");
            assert_eq!(error.reason, PutReason::Closed);
        }
        ledger.book(&pool, |_| {});
    }
}

/// A detached object does not come back.
pub fn detach_moves_the_object_out<S: Subject>() {
    let pool = S::pool(2);
    let mut ledger = Ledger::open(&pool);
    let item = S::detach(S::get(&pool));
    ledger.book(&pool, |s| (s.misses, s.detached) = (1, 1));
    drop(item);
    ledger.book(&pool, |_| {});
    drop(S::get(&pool));
    let item = S::detach(S::get(&pool));
    ledger.book(&pool, |s| (s.misses, s.returned, s.hits, s.detached) = (2, 1, 1, 2));
    S::put(&pool, item).expect("room");
    ledger.book(&pool, |s| (s.put, s.idle) = (1, 1));
}

/// A discarded object does not come back.
pub fn discard_drops_the_object<S: Subject>() {
    let pool = S::pool(2);
    let mut ledger = Ledger::open(&pool);
    S::discard(S::get(&pool));
    ledger.book(&pool, |s| (s.misses, s.discarded_by_user) = (1, 1));
    drop(S::get(&pool));
    S::discard(S::get(&pool));
    ledger.book(&pool, |s| {
        (s.misses, s.returned, s.hits, s.discarded_by_user) = (2, 1, 1, 2);
    });
}

/// `release` returns as a drop does, and gives back what the pool does not take.
pub fn release_tells_what_became_of_the_object<S: Subject>() {
    let pool = S::pool(1);
    let mut ledger = Ledger::open(&pool);
    let (first, second, third) = (S::get(&pool), S::get(&pool), S::get(&pool));
    let kept = S::address(&first);
    ledger.book(&pool, |s| (s.misses, s.in_use) = (3, 3));
    S::release(first).expect("room");
    ledger.book(&pool, |s| (s.in_use, s.returned, s.idle) = (2, 1, 1));
    assert_eq!(S::release(second).expect_err("full").reason, PutReason::Full);
    ledger.book(&pool, |s| (s.in_use, s.discarded_full) = (1, 1));
    let again = S::get(&pool);
    assert_eq!(S::address(&again), kept);
    drop(again);
    ledger.book(&pool, |s| (s.hits, s.returned) = (1, 2));
    S::close(&pool);
    assert_eq!(S::release(third).expect_err("closed").reason, PutReason::Closed);
    ledger.book(&pool, |s| {
        (s.in_use, s.idle, s.cleared, s.discarded_closed) = (0, 0, 1, 1);
    });
}

/// One thread fills the whole pool, another drains it, and not one object more is kept.
pub fn the_capacity_is_exact<S: Subject>() {
    for capacity in CAPACITIES {
        let pool = S::pool(capacity);
        let mut ledger = Ledger::open(&pool);
        let guards: Vec<_> = (0..capacity + 10).map(|_| S::get(&pool)).collect();
        let created = addresses::<S>(&guards);
        ledger.book(&pool, |s| (s.misses, s.in_use) = (capacity + 10, capacity + 10));
        for (at, guard) in guards.into_iter().enumerate() {
            drop(guard);
            assert_eq!(pool.len(), capacity.min(at + 1));
        }
        ledger.book(&pool, |s| {
            (s.in_use, s.idle, s.returned, s.discarded_full) = (0, capacity, capacity, 10);
        });

        let other = pool.clone();
        let drained = thread::spawn(move || {
            let guards: Vec<_> = (0..capacity).map_while(|_| S::try_get(&other)).collect();
            assert!(S::try_get(&other).is_none());
            guards
        });
        let drained = drained.join().expect("drains the pool");
        ledger.book(&pool, |s| (s.hits, s.in_use, s.idle) = (capacity, capacity, 0));
        let reused = addresses::<S>(&drained);
        assert_eq!(reused.len(), capacity, "none handed out twice");
        assert!(reused.is_subset(&created));
    }
}

/// Preloaded objects are there, rounded down, and are hits.
pub fn preload_creates_its_part_of_the_capacity<S: Subject>() {
    for capacity in CAPACITIES {
        for (rate, part) in [(0.0, 0), (0.25, capacity / 4), (1.0, capacity)] {
            let pool = S::preloaded(capacity, rate).expect("a rate that is right");
            let mut ledger = Ledger::default();
            ledger.book(&pool, |s| (s.preloaded, s.idle) = (part, part));
            let guards: Vec<_> = (0..part).map_while(|_| S::try_get(&pool)).collect();
            assert!(guards.iter().all(S::is_blank));
            ledger.book(&pool, |s| (s.hits, s.in_use, s.idle) = (part, part, 0));
        }
    }
    for rate in [-1.0, 2.0, f64::NAN] {
        assert_eq!(S::preloaded(1, rate).expect_err("a wrong rate").field(), "preload");
    }
}

/// A trim spares what was used since the one before; two trims drop all that was not.
pub fn trim_drops_what_two_trims_saw_idle<S: Subject>() {
    for capacity in CAPACITIES {
        let pool = S::pool(capacity);
        let mut ledger = Ledger::open(&pool);
        fill::<S>(&pool, &mut ledger);
        assert_eq!(pool.trim(), 0, "young");
        ledger.book(&pool, |_| {});
        assert_eq!(pool.trim(), capacity, "idle since");
        ledger.book(&pool, |s| (s.trimmed, s.idle) = (capacity, 0));
        assert_eq!(pool.trim(), 0, "nothing is left");

        // All of it in use at once between any two trims: nothing goes.
        fill::<S>(&pool, &mut ledger);
        for _ in 0..3 {
            pool.trim();
            let guards: Vec<_> = (0..capacity).map_while(|_| S::try_get(&pool)).collect();
            drop(guards);
            ledger.book(&pool, |s| {
                (s.hits, s.returned) = (s.hits + capacity, s.returned + capacity);
            });
        }
    }
}

/// `clear` drops what is idle, and the pool goes on.
pub fn clear_drops_what_is_idle<S: Subject>() {
    for capacity in CAPACITIES {
        let pool = S::pool(capacity);
        let mut ledger = Ledger::open(&pool);
        fill::<S>(&pool, &mut ledger);
        assert_eq!(pool.clear(), capacity);
        ledger.book(&pool, |s| (s.cleared, s.idle) = (capacity, 0));
        assert_eq!(pool.clear(), 0);
        fill::<S>(&pool, &mut ledger);
    }
}

/// Closing drops what is idle and what comes back; a get creates.
pub fn a_closed_pool_keeps_nothing<S: Subject>() {
    for capacity in CAPACITIES {
        let pool = S::pool(capacity);
        let mut ledger = Ledger::open(&pool);
        fill::<S>(&pool, &mut ledger);
        let before = S::get(&pool);
        let stored = ledger.expected().idle;
        if stored > 0 {
            ledger.book(&pool, |s| (s.hits, s.in_use, s.idle) = (1, 1, stored - 1));
        } else {
            ledger.book(&pool, |s| (s.misses, s.in_use) = (s.misses + 1, 1));
        }
        S::close(&pool);
        ledger.book(&pool, |s| (s.cleared, s.idle) = (s.idle, 0));
        drop(before);
        ledger.book(&pool, |s| (s.in_use, s.discarded_closed) = (0, 1));
        assert!(S::try_get(&pool).is_none());
        let after = S::get(&pool);
        assert!(S::is_blank(&after));
        drop(after);
        ledger.book(&pool, |s| (s.misses, s.discarded_closed) = (s.misses + 1, 2));
        // For all handles, and there is no way back.
        assert_eq!(
            S::put(&pool.clone(), S::take(&pool)).expect_err("closed").reason,
            PutReason::Closed
        );
        S::close(&pool);
        assert_eq!((pool.trim(), pool.clear(), pool.len()), (0, 0, 0));
    }
}

/// A clone is another handle to the same objects; only the last one to go closes the pool.
pub fn clones_share_the_store<S: Subject>() {
    let pool = S::pool(4);
    let clone = pool.clone();
    let guard = S::get(&pool);
    let address = S::address(&guard);
    drop(guard);
    drop(pool);
    assert_eq!((clone.len(), clone.capacity()), (1, 4));
    assert_eq!(S::address(&S::get(&clone)), address);
}

/// Guards stay good when the last handle is gone, on any thread.
pub fn guards_outlive_their_pool<S: Subject>() {
    let pool = S::pool(4);
    let mut guards: Vec<_> = (0..6).map(|_| S::get(&pool)).collect();
    drop(pool);
    guards.iter_mut().for_each(S::dirty);
    let last = guards.pop().expect("six");
    let another = guards.pop().expect("five");
    thread::spawn(move || drop(guards)).join().expect("drops them");
    assert!(!S::is_blank(&last));
    S::discard(another);
    assert_eq!(S::release(last).expect_err("no pool").reason, PutReason::Closed);
}

/// Once warm, neither guards nor values cost an allocation.
pub fn nothing_is_allocated_in_steady_state<S: Subject>() {
    for capacity in [1, 3, 64, 1000] {
        let pool = S::pool(capacity);
        drop((0..capacity).map(|_| S::get(&pool)).collect::<Vec<_>>());
        let by_guard = allocated_by(|| {
            for _ in 0..1000 {
                S::dirty(&mut S::get(&pool));
            }
        });
        assert_eq!(by_guard, Allocated::NOTHING, "by guard, capacity {capacity}");

        let warm = S::take(&pool);
        S::put(&pool, warm).expect("room");
        let by_value = allocated_by(|| {
            for _ in 0..1000 {
                let item = S::take(&pool);
                S::put(&pool, item).expect("room");
            }
        });
        assert_eq!(by_value, Allocated::NOTHING, "by value, capacity {capacity}");
        assert_eq!(pool.stats().misses, capacity);
    }
}

/// Pools say what they are and how full; guards show their object.
pub fn debug_tells_name_and_fill<S: Subject>() {
    let pool = S::pool(4);
    let guard = S::get(&pool);
    assert!(!format!("{guard:?}").is_empty());
    drop(guard);
    let shown = format!("{pool:?}");
    assert!(shown.contains("Pool { len: 1, capacity: 4, .. }"), "{shown}");
}

/// Fills an empty pool with returned objects.
fn fill<S: Subject>(pool: &S::Pool, ledger: &mut Ledger) {
    let capacity = pool.capacity();
    drop((0..capacity).map(|_| S::get(pool)).collect::<Vec<_>>());
    ledger.book(pool, |s| {
        s.misses += capacity;
        s.returned += capacity;
        s.idle = capacity;
    });
}

fn addresses<S: Subject>(guards: &[S::Guard]) -> HashSet<usize> {
    guards.iter().map(S::address).collect()
}
