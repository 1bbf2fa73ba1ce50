//! Which traits pools and guards have, for which items and configs.

use std::cell::Cell;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;

use bp::{
    AnyPool, BufferPool, BufferRef, BuildError, Builder, BytePool, ByteRef, Pool, PoolStats,
    Poolable, PutError, PutReason, Ref,
};
use bp_tests::probe::{ProbePool, ProbeRef, probes};

/// Tells whether a type has a trait.
///
/// The inherent constant, there only with the trait, goes before the one of the trait `Lacks`.
macro_rules! has {
    ($Type:ty: $($Trait:tt)+) => {{
        struct Asked<T: ?Sized>(PhantomData<T>);

        #[allow(dead_code)]
        trait Lacks {
            const ANSWER: bool = false;
        }

        impl<T: ?Sized> Lacks for Asked<T> {}

        #[allow(dead_code)]
        impl<T: ?Sized + $($Trait)+> Asked<T> {
            const ANSWER: bool = true;
        }

        <Asked<$Type>>::ANSWER
    }};
}

/// An item that is as its field is, in a pool with any config.
struct Holds<I, C>(I, PhantomData<fn(C)>);

impl<I: Default, C> Poolable for Holds<I, C> {
    type Config = C;

    fn create(_: &C) -> Self {
        Holds(I::default(), PhantomData)
    }

    fn reset(&mut self, _: &C) {}
}

/// `Send` and `Sync`; each alone; neither.
type Both = u8;
type SendOnly = Cell<u8>;
type Neither = Rc<u8>;

/// A lock's guard, with the `Default` that an item must have here.
struct SyncOnly(PhantomData<MutexGuard<'static, u8>>);

impl Default for SyncOnly {
    fn default() -> Self {
        SyncOnly(PhantomData)
    }
}

/// Asserts one line of the table: for each config, [pool Send, pool Sync, guard Send, guard Sync].
macro_rules! threads {
    ($Item:ty, $($Config:ty => [$($has:literal),*];)*) => {$(
        assert_eq!(
            [
                has!(Pool<Holds<$Item, $Config>>: Send),
                has!(Pool<Holds<$Item, $Config>>: Sync),
                has!(Ref<Holds<$Item, $Config>>: Send),
                has!(Ref<Holds<$Item, $Config>>: Sync),
            ],
            [$($has == 1),*],
            "item {}, config {}", stringify!($Item), stringify!($Config),
        );
    )*};
}

#[test]
fn the_kinds_are_what_they_are_called() {
    assert!(has!(Both: Send) && has!(Both: Sync));
    assert!(has!(SendOnly: Send) && !has!(SendOnly: Sync));
    assert!(!has!(SyncOnly: Send) && has!(SyncOnly: Sync));
    assert!(!has!(Neither: Send) && !has!(Neither: Sync));
    assert!(has!(Holds<SendOnly, Neither>: Send), "the config does not rub off on the item");
}

#[test]
fn what_is_sound_crosses_threads_and_nothing_else_does() {
    threads! { Both,
        Both => [1, 1, 1, 1];
        SendOnly => [0, 0, 0, 0];
        SyncOnly => [0, 0, 0, 1];
        Neither => [0, 0, 0, 0];
    }
    threads! { SendOnly,
        Both => [1, 1, 1, 0];
        SendOnly => [0, 0, 0, 0];
        SyncOnly => [0, 0, 0, 0];
        Neither => [0, 0, 0, 0];
    }
    threads! { SyncOnly,
        Both => [0, 0, 0, 1];
        SendOnly => [0, 0, 0, 0];
        SyncOnly => [0, 0, 0, 1];
        Neither => [0, 0, 0, 0];
    }
    threads! { Neither,
        Both => [0, 0, 0, 0];
        SendOnly => [0, 0, 0, 0];
        SyncOnly => [0, 0, 0, 0];
        Neither => [0, 0, 0, 0];
    }
}

bp::pool! {
    /// As its object: for one thread at a time.
    struct CellPool(Cell<u8>) -> CellRef { create: |_| Cell::new(0) }

    /// As its object: for one thread.
    struct RcPool(Rc<u8>) -> RcRef { create: |_| Rc::new(0) }
}

#[test]
fn typed_pools_and_guards_are_as_the_untyped() {
    assert!(has!(BufferPool: Send) && has!(BufferPool: Sync));
    assert!(has!(BufferRef: Send) && has!(BufferRef: Sync));
    assert!(has!(BytePool: Send) && has!(BytePool: Sync));
    assert!(has!(ByteRef: Send) && has!(ByteRef: Sync));
    assert!(has!(CellPool: Send) && has!(CellPool: Sync));
    assert!(has!(CellRef: Send) && !has!(CellRef: Sync));
    assert!(!has!(RcPool: Send) && !has!(RcPool: Sync));
    assert!(!has!(RcRef: Send) && !has!(RcRef: Sync));
    drop((CellPool::new(1).get(), RcPool::new(1).get()));
}

/// Not safe to see after a panic, behind a shared reference.
type Torn = Cell<u8>;

#[test]
fn pools_are_unwind_safe_and_guards_as_their_objects() {
    // Objects that a panic reaches are dropped, so only the config is seen afterwards.
    assert!(has!(Pool<Holds<Torn, Both>>: UnwindSafe));
    assert!(has!(Pool<Holds<Torn, Both>>: RefUnwindSafe));
    assert!(!has!(Pool<Holds<Both, Torn>>: UnwindSafe));
    assert!(!has!(Pool<Holds<Both, Torn>>: RefUnwindSafe));
    assert!(has!(Ref<Holds<Both, Both>>: UnwindSafe));
    assert!(has!(Ref<Holds<Both, Both>>: RefUnwindSafe));
    assert!(has!(Ref<Holds<Torn, Both>>: UnwindSafe));
    assert!(!has!(Ref<Holds<Torn, Both>>: RefUnwindSafe));
    assert!(!has!(Ref<Holds<Both, Torn>>: UnwindSafe));
    assert!(has!(BufferPool: UnwindSafe) && has!(BufferPool: RefUnwindSafe));
    assert!(has!(BufferRef: UnwindSafe) && has!(BufferRef: RefUnwindSafe));
    assert!(has!(CellPool: UnwindSafe) && has!(CellPool: RefUnwindSafe));
}

#[test]
fn a_guard_is_one_pointer_wide() {
    const POINTER: usize = size_of::<usize>();
    assert_eq!(size_of::<Ref<Holds<[u64; 32], String>>>(), POINTER);
    assert_eq!(size_of::<Option<Ref<Holds<[u64; 32], String>>>>(), POINTER);
    assert_eq!(size_of::<Pool<Holds<[u64; 32], String>>>(), POINTER);
    assert_eq!(size_of::<Option<Pool<Holds<[u64; 32], String>>>>(), POINTER);
    assert_eq!([size_of::<BufferRef>(), size_of::<Option<BufferRef>>()], [POINTER; 2]);
    assert_eq!([size_of::<ByteRef>(), size_of::<Option<ByteRef>>()], [POINTER; 2]);
    assert_eq!([size_of::<ProbeRef>(), size_of::<Option<ProbeRef>>()], [POINTER; 2]);
    assert_eq!([size_of::<BufferPool>(), size_of::<Option<BufferPool>>()], [POINTER; 2]);
}

#[test]
fn pools_and_guards_have_the_usual_traits() {
    fn pool<P: AnyPool + Clone + Debug + 'static>() {}
    fn error<E: Error + Debug + Display + Send + Sync + 'static>() {}
    fn value<V: Copy + Debug + PartialEq + Eq + Send + Sync + 'static>() {}

    pool::<Pool<ProbePool>>();
    pool::<ProbePool>();
    pool::<BufferPool>();
    pool::<BytePool>();
    error::<BuildError>();
    error::<PutError<Vec<u8>>>();
    // Whatever the object is.
    assert!(has!(PutError<Holds<Both, Both>>: Error));
    value::<PoolStats>();
    value::<PutReason>();
    assert!(has!(BufferRef: Debug) && has!(ByteRef: AsRef<[u8]>) && has!(ByteRef: AsMut<[u8]>));
    assert!(!has!(BufferRef: Clone), "an object has one guard");
    assert!(!has!(BufferRef: Copy) && !has!(Ref<Holds<Both, Both>>: Clone));
}

#[test]
fn what_lacks_debug_or_display_does_not_get_it() {
    assert!(!has!(Ref<Holds<Both, Both>>: Debug));
    assert!(has!(Pool<Holds<Both, Both>>: Debug), "a pool shows no objects");
    assert!(has!(Ref<ProbePool>: Debug) && !has!(Ref<ProbePool>: Display));
    assert!(!has!(Builder<Pool<Holds<Both, Holds<Both, Both>>>>: Debug));
}

#[test]
fn debug_shows_the_object_and_how_full_the_pool_is() {
    let bytes = BytePool::new(4, 3);
    let mut block = bytes.get();
    block.copy_from_slice(&[1, 2, 3]);
    assert_eq!(format!("{block:?}"), "[1, 2, 3]");
    assert_eq!(format!("{bytes:?}"), "BytePool { len: 0, capacity: 4, .. }");
    drop(block);
    assert_eq!(format!("{bytes:?}"), "BytePool { len: 1, capacity: 4, .. }");

    let untyped = Pool::<Holds<Both, Both>>::new(4, 0);
    assert_eq!(format!("{untyped:?}"), "Pool { len: 0, capacity: 4, .. }");

    let (probes, _steps) = probes(1);
    let guard = probes.get();
    assert_eq!(format!("{guard:?}"), format!("{:?}", &*guard));
}

/// Shows itself.
struct Shown(&'static str);

impl Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0)
    }
}

impl Poolable for Shown {
    type Config = ();

    fn create((): &()) -> Self {
        Shown("shown")
    }

    fn reset(&mut self, (): &()) {}
}

#[test]
fn display_of_a_guard_is_that_of_its_object() {
    let guard = Pool::<Shown>::new(1, ()).get();
    assert_eq!(format!("{guard}|{guard:>7}|{guard:.2}"), "shown|  shown|sh");
}

#[test]
fn a_clone_is_a_handle_to_the_same_pool() {
    let (pool, _steps) = probes(2);
    let clone = pool.clone();
    drop(pool.get());
    assert_eq!((clone.len(), clone.stats()), (1, pool.stats()));
    assert!(std::ptr::eq(clone.config(), pool.config()));
}

#[test]
fn a_static_pool_is_used_as_any_other() {
    bp::pool! {
        /// For the whole process.
        static POOL: BufferPool = BufferPool::new(2, 16);
    }

    fn fill(pool: &BufferPool) -> usize {
        drop((pool.get(), pool.get(), pool.get()));
        pool.len()
    }

    assert_eq!(fill(&POOL), 2);
    assert_eq!(std::thread::spawn(|| POOL.clear()).join().expect("clears"), 2);
}
