//! What the parts of a store promise together, on one thread and with parts of any shape.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, OnceCell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::Shape;
use crate::{Pool, Recipe, Ref};

struct Steps;

impl Recipe for Steps {
    type Item = u32;
    type Config = ();

    fn create((): &()) -> u32 {
        0
    }

    fn reset(_: &mut u32, (): &()) {}
}

/// One shard and many, with depot and without, alone and together.
fn shapes_of_100() -> impl Iterator<Item = Shape> {
    [(1, 0, 100), (1, 12, 88), (8, 6, 52), (16, 6, 4), (4, 12, 52), (64, 1, 36)]
        .map(|(shards, per_shard, depot)| Shape { shards, per_shard, depot })
        .into_iter()
        .chain([Shape::of(100)])
}

fn use_at_once(pool: &Pool<Steps>, n: usize) {
    let guards: Vec<_> = (0..n).map(|_| pool.get()).collect();
    drop(guards);
}

#[test]
fn one_thread_fills_the_pool_and_another_drains_it() {
    for shape in shapes_of_100() {
        let pool = Pool::<Steps>::of_shape(shape, ());
        use_at_once(&pool, 101);
        assert_eq!((pool.len(), pool.stats().discarded_full), (100, 1), "{shape:?}");
        thread::scope(|scope| {
            scope.spawn(|| use_at_once(&pool, 100));
        });
        let stats = pool.stats();
        assert_eq!((stats.hits, stats.misses, stats.idle), (100, 101, 100), "{shape:?}");
        stats.assert_balanced();
    }
}

#[test]
fn two_trims_give_back_a_burst_and_keep_what_is_used() {
    for shape in shapes_of_100() {
        let pool = Pool::<Steps>::of_shape(shape, ());
        use_at_once(&pool, 100);
        let trims = [(); 5].map(|()| {
            let trimmed = pool.trim();
            use_at_once(&pool, 10);
            trimmed
        });
        assert_eq!(trims, [0, 90, 0, 0, 0], "{shape:?}");
        assert_eq!(pool.stats().misses, 100, "{shape:?}");
    }
}

#[test]
fn steady_use_survives_any_number_of_trims() {
    for shape in shapes_of_100() {
        let pool = Pool::<Steps>::of_shape(shape, ());
        for _ in 0..20 {
            use_at_once(&pool, 10);
            assert_eq!(pool.trim(), 0, "{shape:?}");
        }
        assert_eq!(pool.stats().misses, 10, "{shape:?}");
    }
}

#[test]
fn what_was_preloaded_or_put_survives_the_first_trim() {
    for shape in shapes_of_100() {
        let pool = Pool::<Steps>::of_shape(shape, ());
        pool.put(1).unwrap();
        assert_eq!((pool.trim(), pool.len()), (0, 1), "{shape:?}");
        pool.clear();
        for _ in 0..100 {
            pool.put(1).unwrap();
        }
        assert_eq!((pool.trim(), pool.len()), (0, 100), "{shape:?}");
        assert_eq!((pool.trim(), pool.len()), (100, 0), "{shape:?}");
        pool.stats().assert_balanced();
    }
}

#[test]
fn take_and_put_use_a_node_again() {
    let pool = Pool::<Steps>::of_shape(Shape { shards: 2, per_shard: 1, depot: 0 }, ());
    pool.put(7).unwrap();
    let node = std::ptr::from_ref(&*pool.get());
    assert_eq!(pool.take(), 7);
    pool.put(8).unwrap();
    let guard = pool.get();
    assert_eq!((std::ptr::from_ref(&*guard), *guard), (node, 8));
}

/// What holds more bytes than there are: no more is known of a capacity that is not of bytes.
struct Endless;

impl Recipe for Endless {
    type Item = Vec<()>;
    type Config = ();

    const MEASURED: bool = true;

    fn create((): &()) -> Vec<()> {
        Vec::new()
    }

    fn reset(item: &mut Vec<()>, (): &()) {
        item.clear();
    }

    fn measure(item: &Vec<()>) -> (usize, usize) {
        (item.len(), item.capacity())
    }
}

#[test]
fn bytes_beyond_all_numbers_do_not_upset_the_figures() {
    for (shards, per_shard, depot) in [(1, 3, 0), (2, 1, 1), (1, 1, 2), (4, 1, 0)] {
        let pool = Pool::<Endless>::of_shape(Shape { shards, per_shard, depot }, ());
        drop([pool.get(), pool.get(), pool.get()]);
        let stats = pool.stats();
        assert_eq!(stats.idle, 3);
        stats.assert_balanced();
    }
}

/// Every step and `Drop` uses the pool that it serves.
struct Reentrant;

thread_local! {
    static SELF: RefCell<Option<Rc<Pool<Reentrant>>>> = const { RefCell::new(None) };
}

struct Busy;

fn use_pool() {
    let Some(pool) = SELF.take() else { return };
    drop(pool.try_get());
    drop(pool.put(Busy));
    pool.trim();
    pool.clear();
    assert!(pool.len() <= pool.capacity());
    let _ = pool.stats();
    SELF.set(Some(pool));
}

impl Drop for Busy {
    fn drop(&mut self) {
        use_pool();
    }
}

impl Recipe for Reentrant {
    type Item = Busy;
    type Config = ();

    const MEASURED: bool = true;

    fn create((): &()) -> Busy {
        use_pool();
        Busy
    }

    fn reset(_: &mut Busy, (): &()) {
        use_pool();
    }

    fn keep(_: &Busy, (): &()) -> bool {
        use_pool();
        true
    }

    fn measure(_: &Busy) -> (usize, usize) {
        use_pool();
        (1, 1)
    }
}

#[test]
fn steps_and_drops_may_use_the_pool() {
    for (shards, per_shard, depot) in [(1, 0, 0), (1, 1, 0), (1, 0, 1), (2, 1, 1)] {
        let shape = Shape { shards, per_shard, depot };
        let pool = Rc::new(Pool::<Reentrant>::of_shape(shape, ()));
        SELF.set(Some(Rc::clone(&pool)));
        for _ in 0..3 {
            let guards: Vec<_> = (0..4).map(|_| pool.get()).collect();
            drop(guards);
            drop(pool.put(pool.take()));
            drop(Ref::release(pool.get()));
            pool.trim();
        }
        pool.close();
        drop(pool.get());
        SELF.set(None);
        pool.stats().assert_balanced();
        assert_eq!(pool.stats().in_use, 0);
    }
}

/// Panics where its value says so.
struct Fragile(&'static str);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert_ne!(self.0, "drop");
    }
}

impl Recipe for Fragile {
    type Item = Fragile;
    type Config = Rc<()>;

    fn create(_: &Rc<()>) -> Fragile {
        Fragile("")
    }

    fn reset(item: &mut Fragile, _: &Rc<()>) {
        assert_ne!(item.0, "reset");
    }

    fn keep(item: &Fragile, _: &Rc<()>) -> bool {
        assert_ne!(item.0, "keep");
        item.0 != "unfit"
    }
}

#[test]
fn a_panic_costs_one_object_and_frees_its_memory() {
    let config = Rc::new(());
    let pool =
        Pool::<Fragile>::of_shape(Shape { shards: 1, per_shard: 2, depot: 2 }, config.clone());
    let panics = |f: &dyn Fn()| catch_unwind(AssertUnwindSafe(f)).is_err();

    for step in ["keep", "reset"] {
        assert!(panics(&|| pool.get().0 = step));
    }
    assert_eq!(pool.stats().discarded_panic, 2);
    assert!(panics(&|| drop(pool.get_with(|| panic!("create")))));
    assert!(panics(&|| {
        let mut guard = pool.get();
        guard.0 = "drop";
        Ref::discard(guard);
    }));
    pool.stats().assert_balanced();
    assert_eq!((pool.stats().in_use, pool.len()), (0, 0));

    // One of four idle objects panics when it is dropped; the others go all the same.
    for step in ["", "drop", "", ""] {
        pool.put(Fragile(step)).map_err(|e| e.reason).unwrap();
    }
    assert!(panics(&|| {
        pool.clear();
    }));
    assert_eq!((pool.stats().cleared, pool.len()), (4, 0));

    // The same when the last handle goes.
    pool.put(Fragile("drop")).map_err(|e| e.reason).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(move || drop(pool))).is_err());
    assert_eq!(Rc::strong_count(&config), 1, "the store is freed");
}

/// The system's allocator, which a test can make use the pool: it is other code too (I6).
struct UsesThePool;

thread_local! {
    /// What to do once, at the next allocation of this thread.
    static AT_ALLOCATION: Cell<Option<fn()>> = const { Cell::new(None) };
    static POOL: OnceCell<Pool<Steps>> = const { OnceCell::new() };
}

#[global_allocator]
static ALLOCATOR: UsesThePool = UsesThePool;

// SAFETY: the system's allocator, which is told the truth.
unsafe impl GlobalAlloc for UsesThePool {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(act) = AT_ALLOCATION.take() {
            act();
        }
        // SAFETY: passes on what the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: passes on what the caller promises.
        unsafe { System.dealloc(memory, layout) };
    }
}

#[test]
fn the_allocator_may_use_the_pool() {
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        POOL.with(|pool| {
            let pool = pool.get_or_init(|| Pool::of_shape(Shape::with_shards(1, 1), ()));
            drop(pool.get());
            // Trim waits for every lock, so it would wait for one that this thread holds. What
            // allocates here is the thread's record, after many uses.
            AT_ALLOCATION.set(Some(|| {
                POOL.with(|pool| pool.get().expect("made above").trim());
            }));
            for _ in 0..5000 {
                drop(pool.get());
            }
            // Nothing allocates where a thread that ended has left its record.
            AT_ALLOCATION.set(None);
            done.send(()).expect("the test waits");
        });
    });
    assert_eq!(ended.recv_timeout(Duration::from_secs(20)), Ok(()), "waits for its own lock");
}
