//! What is larger than all classes: made for its one request, counted, and never kept.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, Weak};

use bp::{ByteRef, PutReason};
use bp_tests::allocations::allocated_by;
use bp_tests::ledger::balance;
use bp_tests::watch::panic_of;

use super::{MultiTablePool, Table, bytes};

type Steps = Arc<Mutex<Vec<(&'static str, usize)>>>;

/// Acquires something, and notes each step with the size that its config is for.
struct SiteConfig {
    size: usize,
    acquired: Option<Arc<()>>,
    steps: Steps,
}

impl SiteConfig {
    fn note(&self, step: &'static str) {
        self.steps.lock().expect("no panics").push((step, self.size));
    }
}

impl Drop for SiteConfig {
    fn drop(&mut self) {
        self.note("gone");
    }
}

/// Needs what its config acquired.
struct Site {
    size: usize,
    acquired: Weak<()>,
}

impl Site {
    fn foreign(size: usize) -> Self {
        Site { size, acquired: Weak::new() }
    }
}

bp::pool! {
    /// Sites, which are nothing without their config.
    struct SitePool(Site) -> SiteRef {
        config: SiteConfig,
        new: |size: usize| SiteConfig { size, acquired: None, steps: Steps::default() },
        check: |config| {
            config.note("check");
            Ok(())
        },
        open: |config, _capacity| {
            config.note("open");
            config.acquired = Some(Arc::new(()));
            Ok(())
        },
        create: |config| {
            config.note("create");
            let acquired = config.acquired.as_ref().expect("open comes first");
            Site { size: config.size, acquired: Arc::downgrade(acquired) }
        },
        reset: |_site, config| config.note("reset"),
        keep: |_site, config| {
            config.note("keep");
            true
        },
        dispose: |_site, config| config.note("dispose"),
    }
}
bp::multi_pool! {
    /// Sites by size.
    struct MultiSitePool(SitePool) -> SiteRef {
        size: |site| site.size,
        fit: |_site, _size| (),
    }
}

#[test]
fn what_is_larger_than_all_classes_is_never_kept() {
    let pool = bytes(&[(8, 16), (8, 64)]);
    for round in 1..4 {
        let mut block: ByteRef = pool.get(1000);
        assert_eq!(*block, [0; 1000]);
        block.fill(7);
        assert_eq!((pool.stats().misses, pool.stats().in_use), (round, 1));
        drop(block);
        assert_eq!((pool.len(), pool.stats().bytes_idle), (0, 0));
    }
    let before = pool.stats();
    assert_eq!(pool.take(1000), [0; 1000]);
    assert_eq!((before.taken, pool.stats().taken, pool.stats().detached), (0, 1, 0));
    assert_eq!((pool.stats().misses, pool.stats().in_use), (before.misses + 1, 0));
    assert_eq!(pool.capacity(), 16);
    balance(&pool.stats());
    let refused = ByteRef::release(pool.get(100)).expect_err("no room");
    assert_eq!((refused.item.len(), refused.reason), (100, PutReason::Full));
}

#[test]
fn what_is_larger_than_all_classes_is_counted_whatever_becomes_of_it() {
    let pool = bytes(&[(8, 16)]);
    let guards: Vec<_> = (0..100).map(|n| pool.get(100 + n)).collect();
    assert_eq!((pool.stats().misses, pool.stats().in_use), (100, 100));
    for (n, guard) in guards.into_iter().enumerate() {
        match n % 4 {
            0 => drop(guard),
            1 => ByteRef::discard(guard),
            2 => _ = ByteRef::detach(guard),
            _ => _ = ByteRef::release(guard),
        }
        assert_eq!(pool.stats().in_use, 99 - n);
        // Figures of those that are gone stay.
        if n % 10 == 0 {
            assert_eq!(pool.trim() + pool.clear(), 0);
        }
    }
    let stats = pool.stats();
    assert_eq!((stats.discarded_full, stats.discarded_by_user, stats.detached), (50, 25, 25));
    balance(&stats);
    let panicked = std::panic::catch_unwind(|| {
        let _block = pool.get(17);
        panic!("in use");
    });
    assert!(panicked.is_err());
    assert_eq!(pool.stats().discarded_panic, 1);

    let before = pool.get(17);
    pool.close();
    drop((before, pool.get(17)));
    assert_eq!(pool.stats().discarded_closed, 2);
    balance(&pool.stats());
    assert_eq!(pool.classes()[0].stats.misses, 0, "none of it in a class");
}

/// What was acquired for the one object was given up before its guard.
#[test]
fn what_is_larger_than_all_classes_has_a_config_that_lives_as_long() {
    let steps = Steps::default();
    let told = |of: &Steps| std::mem::take(&mut *of.lock().expect("no panics"));
    let noted = Arc::clone(&steps);
    let builder = MultiSitePool::builder().class(2, 10);
    let builder = builder.configure(move |config| config.steps = Arc::clone(&noted));
    let pool = builder.build().expect("one class");
    assert_eq!(told(&steps), [("check", 10), ("open", 10)], "for the class, and no more");

    let first = pool.get(100);
    let second = pool.try_get_with(200, |&size| Ok::<_, Infallible>(Site::foreign(size)));
    let second = second.expect("created");
    let expected = [("check", 100), ("open", 100), ("create", 100), ("check", 200), ("open", 200)];
    assert_eq!(told(&steps), expected);
    assert!(first.acquired.upgrade().is_some(), "still there");
    let (of_first, handle) = (first.acquired.clone(), pool.clone());
    drop(pool);
    assert!(of_first.upgrade().is_some());

    // Cleaned and dropped by the steps of its own size.
    drop(first);
    assert_eq!(told(&steps), [("keep", 100), ("reset", 100), ("dispose", 100)]);
    assert_eq!(handle.trim(), 0);
    assert!(of_first.upgrade().is_none(), "goes with its object");
    assert_eq!(told(&steps), [("gone", 100)]);

    // A guard outlives its multi pool, and so does what it needs.
    drop(handle);
    assert_eq!(told(&steps), [("gone", 10)]);
    drop(second);
    assert_eq!(told(&steps), [("keep", 200), ("reset", 200), ("dispose", 200), ("gone", 200)]);
}

/// Configs are not hoarded, also where nobody trims.
#[test]
fn what_is_larger_than_all_classes_leaves_little_behind() {
    let steps = Steps::default();
    let noted = Arc::clone(&steps);
    let builder = MultiSitePool::builder().class(2, 10);
    let builder = builder.configure(move |config| config.steps = Arc::clone(&noted));
    let pool = builder.build().expect("one class");
    let held: Vec<_> = (11..15).map(|size| pool.get(size)).collect();
    let alive = || {
        let steps = steps.lock().expect("no panics");
        let of = |step| steps.iter().filter(|(of, _)| *of == step).count();
        of("open") - of("gone") - 1
    };
    for size in 100..200 {
        drop(pool.get(size));
        let _mine = pool.take(size);
        assert!(alive() <= 2 * held.len() + 1, "{} configs", alive());
    }
    assert_eq!((pool.stats().misses, pool.stats().in_use), (204, 4));
}

#[test]
fn a_config_that_is_refused_takes_nothing_from_those_who_can_do_without() {
    let pool = MultiTablePool::builder().class(2, (10, "ten")).build().expect("one class");
    let refused = pool.try_get_with((2000, ""), |_| Err::<Table, _>("no table"));
    assert_eq!(refused.map(|table| table.shown), Err("no table"));
    let table = || Table { made_for: (2000, ""), shown: 0, fits: 0 };
    let message = panic_of(|| pool.try_get_with((2000, ""), |_| Ok::<_, Infallible>(table())));
    assert_eq!(message, "size is 2000, but must be at most as configured");
    assert_eq!((pool.stats().misses, pool.stats().in_use), (0, 0));
}

#[test]
fn what_is_larger_than_all_classes_is_made_as_for_a_class_of_its_size() {
    let pool = MultiTablePool::builder()
        .class(2, (10, "ten"))
        .configure(|config| config.most = 500)
        .build()
        .expect("one class");
    let table = pool.get((300, "large"));
    assert_eq!((table.made_for, table.shown), ((300, "class"), 300));
    let message = panic_of(|| pool.get((501, "too large")));
    assert_eq!(message, "size is 501, but must be at most as configured");
}

#[test]
fn what_is_larger_than_all_classes_costs_its_own_memory_only() {
    const LARGE: usize = 100_000;
    let pool = bytes(&[(1, 50_000)]);
    let allocated = allocated_by(|| pool.get(LARGE));
    assert!(allocated.times <= 6 && allocated.bytes < LARGE + 2048, "{allocated:?}");
}

#[test]
fn more_than_memory_can_be_is_refused_before_it_is_asked_for() {
    let pool = bytes(&[(1, 64)]);
    let message = panic_of(|| pool.get(usize::MAX));
    assert!(message.contains("at most isize::MAX bytes"), "{message}");
    assert_eq!((pool.stats().in_use, pool.stats().misses), (0, 0));
    assert_eq!(pool.get(64).len(), 64);
}
