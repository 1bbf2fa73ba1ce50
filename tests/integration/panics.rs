//! Panics, in every step and around every guard: the object goes, the pool stays.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use bp::PoolStats;
use bp_tests::ledger::Ledger;
use bp_tests::probe::{ProbePool, ProbeRef, Step, Steps, probes};
use bp_tests::watch::panic_of;

/// Asserts that the pool works as if nothing had happened, and that nothing is lost.
#[track_caller]
fn still_works(pool: &ProbePool, steps: &Steps, ledger: &mut Ledger) {
    for step in Step::ALL {
        assert!(!steps.awaits(step), "{step:?} was not reached");
    }
    ledger.book(pool, |_| {});
    pool.clear();
    ledger.book(pool, |s| {
        s.cleared += s.idle;
        s.idle = 0;
    });
    assert_eq!(steps.alive(), 0);
    let address = std::ptr::from_ref(&*pool.get());
    assert_eq!(std::ptr::from_ref(&*pool.get()), address);
    ledger.book(pool, |s| {
        s.misses += 1;
        s.hits += 1;
        s.returned += 2;
        s.idle = 1;
    });
}

#[test]
fn a_create_that_panics_changes_nothing() {
    let (pool, steps) = probes(2);
    let mut ledger = Ledger::open(&pool);
    steps.panic_once(Step::Create);
    assert_eq!(panic_of(|| pool.get()), "Create panics");
    ledger.book(&pool, |_| {});
    steps.panic_once(Step::Create);
    assert_eq!(panic_of(|| pool.take()), "Create panics");
    ledger.book(&pool, |_| {});
    assert_eq!(panic_of(|| pool.get_with(|| panic!("closure panics"))), "closure panics");
    ledger.book(&pool, |_| {});
    let trying = || pool.try_get_with(|| -> Result<_, ()> { panic!("closure panics") });
    assert_eq!(panic_of(trying), "closure panics");
    still_works(&pool, &steps, &mut ledger);
}

#[test]
fn a_create_that_panics_while_preloading_leaves_no_pool_and_no_object() {
    let steps = Steps::new();
    // The third of four.
    let at_third = Arc::clone(&steps);
    steps.once(Step::Create, move || {
        let again = Arc::clone(&at_third);
        at_third.once(Step::Create, move || again.panic_once(Step::Create));
    });
    let built = || ProbePool::builder(4, Arc::clone(&steps)).preload(1.0).build();
    assert_eq!(panic_of(built), "Create panics");
    assert_eq!((steps.count(Step::Create), steps.alive()), (2, 0));
    assert_eq!(Arc::strong_count(&steps), 1, "no store is left");
}

#[test]
fn a_check_that_panics_leaves_no_pool() {
    let steps = Steps::new();
    steps.panic_once(Step::Check);
    assert_eq!(panic_of(|| ProbePool::new(4, Arc::clone(&steps))), "Check panics");
    assert_eq!(Arc::strong_count(&steps), 1, "no store is left");
}

#[test]
fn a_step_of_the_way_back_that_panics_costs_the_one_object() {
    for step in [Step::Keep, Step::Measure, Step::Reset] {
        let (pool, steps) = probes(3);
        let mut ledger = Ledger::open(&pool);
        let (first, second) = (pool.get(), pool.get());
        drop(pool.get());
        ledger.book(&pool, |s| (s.misses, s.in_use, s.returned, s.idle) = (3, 2, 1, 1));

        steps.panic_once(step);
        assert_eq!(panic_of(|| drop(first)), format!("{step:?} panics"));
        ledger.book(&pool, |s| (s.in_use, s.discarded_panic) = (1, 1));
        assert_eq!(steps.alive(), 2);

        steps.panic_once(step);
        assert_eq!(panic_of(|| ProbeRef::release(second)), format!("{step:?} panics"));
        ledger.book(&pool, |s| (s.in_use, s.discarded_panic) = (0, 2));
        assert_eq!(steps.alive(), 1);

        // What is put was nobody's guard, so it counts nowhere.
        let item = pool.take();
        ledger.book(&pool, |s| (s.hits, s.taken, s.idle) = (1, 1, 0));
        steps.panic_once(step);
        assert_eq!(panic_of(|| pool.put(item)), format!("{step:?} panics"));
        assert_eq!(steps.alive(), 0);
        still_works(&pool, &steps, &mut ledger);
    }
}

#[test]
fn a_measure_after_the_reset_that_panics_costs_the_object_too() {
    let (pool, steps) = probes(2);
    let mut ledger = Ledger::open(&pool);
    let guard = pool.get();
    let at_reset = Arc::clone(&steps);
    steps.once(Step::Reset, move || at_reset.panic_once(Step::Measure));
    assert_eq!(panic_of(|| drop(guard)), "Measure panics");
    ledger.book(&pool, |s| (s.misses, s.discarded_panic) = (1, 1));
    still_works(&pool, &steps, &mut ledger);
}

#[test]
fn a_get_step_that_panics_costs_the_one_object() {
    /// Gets an object in one of the ways there are.
    type Get = fn(&ProbePool);
    let ways: [Get; 4] = [
        |pool| drop(pool.get()),
        |pool| drop(pool.try_get()),
        |pool| drop(pool.get_with(|| unreachable!())),
        |pool| drop(pool.try_get_with(|| -> Result<_, ()> { unreachable!() })),
    ];
    for get in ways {
        let (pool, steps) = probes(2);
        let mut ledger = Ledger::open(&pool);
        drop((pool.get(), pool.get()));
        steps.panic_once(Step::Get);
        assert_eq!(panic_of(|| get(&pool)), "Get panics");
        ledger.book(&pool, |s| {
            (s.misses, s.hits, s.returned, s.discarded_panic, s.idle) = (2, 1, 2, 1, 1);
        });
        still_works(&pool, &steps, &mut ledger);
    }

    let (pool, steps) = probes(2);
    let mut ledger = Ledger::open(&pool);
    steps.panic_once(Step::Get);
    assert_eq!(panic_of(|| pool.get()), "Get panics");
    ledger.book(&pool, |s| (s.misses, s.discarded_panic) = (1, 1));
    steps.panic_once(Step::Get);
    assert_eq!(panic_of(|| pool.take()), "Get panics");
    ledger.book(&pool, |s| (s.misses, s.taken) = (2, 1));
    still_works(&pool, &steps, &mut ledger);
}

#[test]
fn a_drop_that_panics_leaves_the_pool_as_it_is() {
    let (pool, steps) = probes(1);
    let mut ledger = Ledger::open(&pool);

    let guard = pool.get();
    steps.panic_once(Step::Drop);
    assert_eq!(panic_of(|| ProbeRef::discard(guard)), "Drop panics");
    ledger.book(&pool, |s| (s.misses, s.discarded_by_user) = (1, 1));

    let mut guard = pool.get();
    guard.fit = false;
    steps.panic_once(Step::Drop);
    assert_eq!(panic_of(|| drop(guard)), "Drop panics");
    ledger.book(&pool, |s| (s.misses, s.discarded_unfit) = (2, 1));

    let (first, second) = (pool.get(), pool.get());
    drop(first);
    steps.panic_once(Step::Drop);
    assert_eq!(panic_of(|| drop(second)), "Drop panics");
    ledger.book(&pool, |s| {
        (s.misses, s.returned, s.discarded_full, s.idle) = (4, 1, 1, 1);
    });
    still_works(&pool, &steps, &mut ledger);
}

#[test]
fn a_drop_that_panics_while_idle_objects_go_takes_the_others_along() {
    for capacity in [3, 100] {
        let (pool, steps) = probes(capacity);
        let fill = || drop((0..capacity).map(|_| pool.get()).collect::<Vec<_>>());
        let mut ledger = Ledger::open(&pool);
        fill();
        pool.trim();
        steps.panic_once(Step::Drop);
        assert_eq!(panic_of(|| pool.trim()), "Drop panics");
        ledger.book(&pool, |s| (s.misses, s.returned, s.trimmed) = (capacity, capacity, capacity));
        assert_eq!(steps.alive(), 0);

        fill();
        steps.panic_once(Step::Drop);
        assert_eq!(panic_of(|| pool.clear()), "Drop panics");
        ledger.book(&pool, |s| {
            (s.misses, s.returned, s.cleared) = (2 * capacity, 2 * capacity, capacity);
        });
        assert_eq!(steps.alive(), 0);

        fill();
        steps.panic_once(Step::Drop);
        assert_eq!(panic_of(|| pool.close()), "Drop panics");
        assert_eq!((steps.alive(), pool.len()), (0, 0));
        drop(pool.get());
        assert_eq!(pool.stats().discarded_closed, 1);
    }
}

#[test]
fn a_drop_that_panics_while_the_last_handle_goes_frees_the_store() {
    let (pool, steps) = probes(3);
    drop((pool.get(), pool.get(), pool.get()));
    steps.panic_once(Step::Drop);
    assert_eq!(panic_of(|| drop(pool)), "Drop panics");
    assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));

    let (pool, steps) = probes(3);
    let guard = pool.get();
    drop(pool);
    steps.panic_once(Step::Drop);
    assert_eq!(panic_of(|| drop(guard)), "Drop panics");
    assert_eq!((steps.alive(), Arc::strong_count(&steps)), (0, 1));
}

#[test]
fn a_guard_dropped_by_a_panic_discards_its_object() {
    let (pool, steps) = probes(2);
    let mut ledger = Ledger::open(&pool);
    // Neither step is asked, so neither can turn the panic into an abort.
    let sent = pool.clone();
    let died = thread::spawn(move || {
        let _guard = sent.get();
        sent.config().panic_once(Step::Keep);
        sent.config().panic_once(Step::Reset);
        panic!("while a guard is alive");
    });
    assert!(died.join().is_err());
    ledger.book(&pool, |s| (s.misses, s.discarded_panic) = (1, 1));
    assert_eq!((steps.count(Step::Keep), steps.count(Step::Reset), steps.alive()), (0, 0, 0));
    for step in [Step::Keep, Step::Reset] {
        assert_eq!(panic_of(|| drop(pool.get())), format!("{step:?} panics"));
    }
    ledger.book(&pool, |s| (s.misses, s.discarded_panic) = (3, 3));
    still_works(&pool, &steps, &mut ledger);
}

#[test]
fn a_pool_works_while_its_thread_panics() {
    /// Uses the pool where a panic passes by.
    struct Witness<'a>(&'a ProbePool, Option<ProbeRef>, Option<PoolStats>);

    impl Drop for Witness<'_> {
        fn drop(&mut self) {
            assert!(thread::panicking());
            let held = self.1.take().expect("given");
            ProbeRef::release(held).expect("released although panicking");
            assert_eq!(self.0.len(), 1);
            self.0.put(self.0.take()).expect("room");
            drop(self.0.get());
            self.2 = Some(self.0.stats());
            self.0.trim();
            self.0.clear();
        }
    }

    let (pool, steps) = probes(2);
    let mut ledger = Ledger::open(&pool);
    let mut witness = None;
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        witness = Some(Witness(&pool, Some(pool.get()), None));
        let _dropped_by_the_panic = witness.take();
        panic!("past a witness");
    }));
    assert!(unwound.is_err());
    ledger.book(&pool, |s| {
        (s.misses, s.hits, s.returned, s.put, s.taken, s.discarded_panic) = (1, 2, 1, 1, 1, 1);
    });
    still_works(&pool, &steps, &mut ledger);
}

#[test]
fn every_guard_of_a_panicking_thread_counts() {
    let (pool, steps) = probes(64);
    let died = thread::spawn({
        let pool = pool.clone();
        move || {
            let _guards: Vec<_> = (0..100).map(|_| pool.get()).collect();
            panic!("while many guards are alive");
        }
    });
    assert!(died.join().is_err());
    let stats = pool.stats();
    assert_eq!((stats.misses, stats.discarded_panic, stats.in_use), (100, 100, 0));
    assert_eq!(steps.alive(), 0);
}
