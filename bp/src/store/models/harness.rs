//! What the models share: objects whose every use loom sees, pools of them, and how a model runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use loom::thread;

use super::super::Shape;
use super::super::thread as threads;
use crate::sync::UnsafeCell;
use crate::{Pool, Recipe, Ref};

/// What happened to the objects and the store of one run. Counters of std: they order nothing
/// that loom looks at.
#[derive(Default)]
pub(super) struct Census {
    pub(super) created: AtomicUsize,
    dropped: AtomicUsize,
    freed_stores: AtomicUsize,
}

impl Census {
    pub(super) fn alive(&self) -> usize {
        self.created.load(Ordering::Relaxed) - self.dropped.load(Ordering::Relaxed)
    }

    /// Asserts that nothing is left, and that nothing went twice.
    pub(super) fn assert_all_gone(&self) {
        assert_eq!(self.alive(), 0, "objects");
        assert_eq!(self.freed_stores.load(Ordering::Relaxed), 1, "stores");
    }
}

/// An object whose every use loom sees, so that an object handed on without the orderings for it
/// is an error.
pub(super) struct Object {
    uses: UnsafeCell<usize>,
    /// Where [`Steps`] measures, what the object says it holds.
    pub(super) held: usize,
    /// Moved out of the pool, which may go before it then.
    pub(super) moved_out: bool,
    census: Arc<Census>,
}

impl Object {
    pub(super) fn new(census: &Arc<Census>) -> Self {
        census.created.fetch_add(1, Ordering::Relaxed);
        Object { uses: UnsafeCell::new(0), held: 1, moved_out: false, census: Arc::clone(census) }
    }

    /// Returns how often the object was used before.
    pub(super) fn use_it(&self) -> usize {
        self.uses.with_mut(|uses| {
            // SAFETY: loom checks that nobody else looks at it.
            let uses = unsafe { &mut *uses };
            *uses += 1;
            *uses - 1
        })
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        self.use_it();
        self.census.dropped.fetch_add(1, Ordering::Relaxed);
        let config_is_gone = self.census.freed_stores.load(Ordering::Relaxed) > 0;
        assert!(self.moved_out || !config_is_gone, "config went before");
    }
}

/// A config that every step reads and that freeing the store writes: freeing it without the
/// orderings for it is an error.
pub(super) struct Config {
    cell: UnsafeCell<()>,
    pub(super) census: Arc<Census>,
}

// SAFETY: loom checks the uses of `cell`.
unsafe impl Sync for Config {}

impl Config {
    pub(super) fn read(&self) {
        self.cell.with(|_| ());
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        self.cell.with_mut(|_| ());
        self.census.freed_stores.fetch_add(1, Ordering::Relaxed);
    }
}

pub(super) struct Steps<const MEASURED: bool>;

impl<const MEASURED: bool> Recipe for Steps<MEASURED> {
    type Item = Object;
    type Config = Config;

    const MEASURED: bool = MEASURED;

    fn create(config: &Config) -> Object {
        config.read();
        Object::new(&config.census)
    }

    fn reset(item: &mut Object, config: &Config) {
        config.read();
        item.use_it();
    }

    fn measure(item: &Object) -> (usize, usize) {
        (item.held, item.held)
    }
}

pub(super) type Tested = Pool<Steps<false>>;
pub(super) type Guard = Ref<Steps<false>>;

pub(super) fn shape(shards: usize, per_shard: usize, depot: usize) -> Shape {
    Shape { shards, per_shard, depot }
}

/// Makes a pool with `idle` objects waiting, stored by a thread at home in shard 0.
pub(super) fn pool_with<const MEASURED: bool>(
    shape: Shape,
    idle: usize,
) -> (Pool<Steps<MEASURED>>, Arc<Census>) {
    let census = Arc::new(Census::default());
    let config = Config { cell: UnsafeCell::new(()), census: Arc::clone(&census) };
    let pool = Pool::of_shape(shape, config);
    let guards: Vec<_> = (0..idle).map(|_| pool.get()).collect();
    drop(guards);
    assert_eq!(pool.len(), idle);
    (pool, census)
}

pub(super) fn pool(shape: Shape, idle: usize) -> (Tested, Arc<Census>) {
    pool_with(shape, idle)
}

std::thread_local! {
    /// Whether the threads of the model that runs here ask for locks to be biased to them. Of
    /// std: loom's threads all run in the thread that checks the model.
    static BIAS: Cell<bool> = const { Cell::new(false) };
}

/// Starts a thread that is at home in shard `at`.
pub(super) fn at_home<T: 'static>(
    at: usize,
    f: impl FnOnce() -> T + 'static,
) -> thread::JoinHandle<T> {
    thread::spawn(move || {
        threads::set_applies(BIAS.get());
        threads::set_home(at);
        f()
    })
}

/// Runs a model in every interleaving with up to two preemptions.
pub(super) fn model(f: impl Fn() + Sync + Send + 'static) {
    check(2, f);
}

/// The same for a model of many steps, with up to one preemption: two take it minutes.
pub(super) fn long_model(f: impl Fn() + Sync + Send + 'static) {
    check(1, f);
}

/// Runs a model twice: with locks that nobody owns, and with such that whoever is at home owns.
/// `LOOM_MAX_PREEMPTIONS` can lower the bound.
pub(super) fn check(preemptions: usize, f: impl Fn() + Sync + Send + 'static) {
    let f = Arc::new(f);
    for bias in [false, true] {
        BIAS.set(bias);
        let f = Arc::clone(&f);
        explore(preemptions, move || {
            threads::set_applies(bias);
            f();
        });
    }
}

pub(super) fn explore(preemptions: usize, f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    let bound = builder.preemption_bound.unwrap_or(preemptions).min(preemptions);
    builder.preemption_bound = Some(bound);
    builder.max_branches = 10_000;
    builder.check(f);
}

/// Asserts that the figures balance, and returns them.
pub(super) fn balanced<R: Recipe>(pool: &Pool<R>) -> crate::PoolStats {
    let stats = pool.stats();
    stats.assert_balanced();
    stats
}

pub(super) fn used(guard: Guard) -> Guard {
    guard.use_it();
    guard
}

pub(super) fn take_and_put(pool: &Tested) {
    let item = pool.take();
    item.use_it();
    // Full, or none of the locks was had: the object goes.
    drop(pool.put(item));
}

/// Overwrites what is freed, so that a use after the free trips over what it reads there: loom
/// tracks accesses, not memory.
struct Poison;

#[global_allocator]
static POISON: Poison = Poison;

// SAFETY: the system's allocator, which is told the truth. What is overwritten is about to be
// freed, so nobody may look at it.
unsafe impl GlobalAlloc for Poison {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: passes on what the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // Only what may be a store, a shard or a node: they are aligned to cache lines.
        if layout.align() >= 64 {
            // SAFETY: allocated with this layout.
            unsafe { memory.write_bytes(0xDD, layout.size()) };
        }
        // SAFETY: passes on what the caller promises.
        unsafe { System.dealloc(memory, layout) };
    }
}
