//! Who takes part: `bp` twice, what it is measured against, and its rivals.
//!
//! Every contestant does the same task: hand out an empty `Vec<u8>` of a given capacity behind a
//! guard, and take it back when the guard is dropped. Each does it in the fastest way that its
//! documentation offers for that task: with borrowed guards where there are any, filled as it is
//! used, and emptied by its own reset step or else by hand in [`Contestant::get`].

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bp::BufferPool;

/// The idle objects that a pool may keep, for those that have a bound.
pub(crate) const CAPACITY: usize = 1024;

/// What the others do with a figure of this contestant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The pool under test.
    Bp,
    /// No pool at all.
    Malloc,
    /// A pool that shares, bounds and closes nothing.
    Floor,
    /// Another crate.
    Rival,
}

/// A way to get a `Vec<u8>` and to give it back.
///
/// The measured loops are generic over this, so that every contestant is inlined into them.
pub(crate) trait Contestant: Sync + Sized + 'static {
    const NAME: &'static str;
    const ROLE: Role;

    /// Owns one object; gives it back when dropped.
    type Guard<'a>: DerefMut<Target = Vec<u8>>;

    /// Makes a fresh pool of objects that hold `size` bytes.
    fn new(size: usize) -> Self;

    /// Returns an empty object that holds at least the `size` bytes of [`new`](Self::new).
    fn get(&self) -> Self::Guard<'_>;

    /// Gives back memory that has not been used for a while. Most have no way to.
    fn trim(&self) {}
}

/// `bp` as most programs hold it: a pool made at run time.
pub(crate) struct Handle(BufferPool);

impl Contestant for Handle {
    const NAME: &'static str = "bp, handle";
    const ROLE: Role = Role::Bp;
    type Guard<'a> = bp::BufferRef;

    fn new(size: usize) -> Self {
        Handle(BufferPool::new(CAPACITY, size))
    }

    #[inline]
    fn get(&self) -> bp::BufferRef {
        self.0.get()
    }

    fn trim(&self) {
        self.0.trim();
    }
}

/// `bp` as a process-wide pool, reached through the check of its `LazyLock`.
///
/// One pool per size, since a static cannot depend on a parameter.
pub(crate) struct Static<const SIZE: usize>;

macro_rules! statics {
    ($($size:literal)*) => {$(
        impl Contestant for Static<$size> {
            const NAME: &'static str = "bp, static";
            const ROLE: Role = Role::Bp;
            type Guard<'a> = bp::BufferRef;

            fn new(size: usize) -> Self {
                assert_eq!(size, $size);
                Static
            }

            #[inline]
            fn get(&self) -> bp::BufferRef {
                bp::pool! { static POOL: BufferPool = BufferPool::new(CAPACITY, $size); }
                POOL.get()
            }
        }
    )*};
}

statics! { 8 1024 4096 16384 }

/// Plain allocation.
pub(crate) struct Malloc {
    size: usize,
}

impl Contestant for Malloc {
    const NAME: &'static str = "malloc";
    const ROLE: Role = Role::Malloc;
    type Guard<'a> = Allocated;

    fn new(size: usize) -> Self {
        Malloc { size }
    }

    #[inline]
    fn get(&self) -> Allocated {
        Allocated(Vec::with_capacity(self.size))
    }
}

/// A vector that derefs to itself, as a guard does.
pub(crate) struct Allocated(Vec<u8>);

impl Deref for Allocated {
    type Target = Vec<u8>;

    #[inline]
    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Allocated {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

/// The floor: a thread-local stack without a bound, whose objects no other thread can have.
pub(crate) struct Floor {
    size: usize,
}

thread_local! {
    /// The floor's idle objects.
    #[expect(clippy::vec_box, reason = "moves pointers, not objects, as the store of `bp` does")]
    static IDLE: UnsafeCell<Vec<Box<Vec<u8>>>> = const { UnsafeCell::new(Vec::new()) };
}

impl Contestant for Floor {
    const NAME: &'static str = "thread-local floor";
    const ROLE: Role = Role::Floor;
    type Guard<'a> = FloorRef;

    fn new(size: usize) -> Self {
        Floor { size }
    }

    #[inline]
    fn get(&self) -> FloorRef {
        let idle = IDLE.with(|idle| {
            // SAFETY: only this thread reaches the stack, and neither this nor the other borrow of
            // it outlives its expression or runs code that could borrow it again.
            unsafe { &mut *idle.get() }.pop()
        });
        FloorRef(Some(idle.unwrap_or_else(|| Box::new(Vec::with_capacity(self.size)))))
    }
}

/// An object of the [`Floor`]; `None` only while it is dropped.
#[expect(clippy::box_collection, reason = "as above")]
pub(crate) struct FloorRef(Option<Box<Vec<u8>>>);

impl Deref for FloorRef {
    type Target = Vec<u8>;

    #[inline]
    fn deref(&self) -> &Vec<u8> {
        self.0.as_ref().expect("the guard is alive")
    }
}

impl DerefMut for FloorRef {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        self.0.as_mut().expect("the guard is alive")
    }
}

impl Drop for FloorRef {
    #[inline]
    fn drop(&mut self) {
        if let Some(mut object) = self.0.take() {
            object.clear();
            IDLE.with(|idle| {
                // SAFETY: as in `get`; growing a vector of boxes runs no code of ours.
                unsafe { &mut *idle.get() }.push(object);
            });
        }
    }
}

/// opool: a ring of objects that are moved by value, with borrowed guards.
pub(crate) struct Opool(opool::Pool<Recycle, Vec<u8>>);

pub(crate) struct Recycle {
    size: usize,
}

impl opool::PoolAllocator<Vec<u8>> for Recycle {
    #[inline]
    fn allocate(&self) -> Vec<u8> {
        Vec::with_capacity(self.size)
    }

    #[inline]
    fn reset(&self, object: &mut Vec<u8>) {
        object.clear();
    }
}

impl Contestant for Opool {
    const NAME: &'static str = "opool";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = opool::RefGuard<'a, Recycle, Vec<u8>>;

    fn new(size: usize) -> Self {
        Opool(opool::Pool::new(CAPACITY, Recycle { size }))
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        self.0.get()
    }
}

/// object-pool: a stack behind a mutex, with borrowed guards; does not reset.
pub(crate) struct ObjectPool {
    pool: object_pool::Pool<Vec<u8>>,
    size: usize,
}

impl Contestant for ObjectPool {
    const NAME: &'static str = "object-pool";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = object_pool::Reusable<'a, Vec<u8>>;

    fn new(size: usize) -> Self {
        ObjectPool { pool: object_pool::Pool::from_vec(Vec::with_capacity(CAPACITY)), size }
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        let mut object = self.pool.pull(|| Vec::with_capacity(self.size));
        object.clear();
        object
    }
}

/// lockfree-object-pool's `LinearObjectPool`, its fastest: pages of 32 objects and a bit mask,
/// with borrowed guards.
pub(crate) struct Lockfree(lockfree_object_pool::LinearObjectPool<Vec<u8>>);

impl Contestant for Lockfree {
    const NAME: &'static str = "lockfree-object-pool";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = lockfree_object_pool::LinearReusable<'a, Vec<u8>>;

    fn new(size: usize) -> Self {
        let create = move || Vec::with_capacity(size);
        Lockfree(lockfree_object_pool::LinearObjectPool::new(create, Vec::clear))
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        self.0.pull()
    }
}

/// sharded-slab's `Pool`: a slab per thread, with borrowed guards, which stay on their thread.
pub(crate) struct ShardedSlab {
    pool: sharded_slab::Pool<Vec<u8>>,
    size: usize,
}

impl Contestant for ShardedSlab {
    const NAME: &'static str = "sharded-slab";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = SlabRef<'a, sharded_slab::pool::RefMut<'a, Vec<u8>>>;

    fn new(size: usize) -> Self {
        ShardedSlab { pool: sharded_slab::Pool::new(), size }
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        let object = self.pool.create().expect("the slab has room");
        let key = object.key();
        SlabRef::new(&self.pool, key, object, self.size)
    }
}

/// sharded-slab's `Pool` with owned guards, the ones that may change threads.
pub(crate) struct ShardedSlabOwned {
    pool: Arc<sharded_slab::Pool<Vec<u8>>>,
    size: usize,
}

impl Contestant for ShardedSlabOwned {
    const NAME: &'static str = "sharded-slab, owned";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = SlabRef<'a, sharded_slab::pool::OwnedRefMut<Vec<u8>>>;

    fn new(size: usize) -> Self {
        ShardedSlabOwned { pool: Arc::new(sharded_slab::Pool::new()), size }
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        let object = Arc::clone(&self.pool).create_owned().expect("the slab has room");
        let key = object.key();
        SlabRef::new(&self.pool, key, object, self.size)
    }
}

/// A guard that gives its object back. The crate's own guards do not: what they leave stays in
/// the slab under its key until that is cleared, which while they live does nothing.
pub(crate) struct SlabRef<'a, G> {
    pool: &'a sharded_slab::Pool<Vec<u8>>,
    key: usize,
    /// `None` only while it is dropped.
    object: Option<G>,
}

impl<'a, G: DerefMut<Target = Vec<u8>>> SlabRef<'a, G> {
    #[inline]
    fn new(pool: &'a sharded_slab::Pool<Vec<u8>>, key: usize, mut object: G, size: usize) -> Self {
        // The slab makes its objects by `Default`: only a new one has to grow.
        object.reserve(size);
        SlabRef { pool, key, object: Some(object) }
    }
}

impl<G: Deref<Target = Vec<u8>>> Deref for SlabRef<'_, G> {
    type Target = Vec<u8>;

    #[inline]
    fn deref(&self) -> &Vec<u8> {
        self.object.as_ref().expect("the guard is alive")
    }
}

impl<G: DerefMut<Target = Vec<u8>>> DerefMut for SlabRef<'_, G> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        self.object.as_mut().expect("the guard is alive")
    }
}

impl<G> Drop for SlabRef<'_, G> {
    #[inline]
    fn drop(&mut self) {
        drop(self.object.take());
        self.pool.clear(self.key);
    }
}

type BoxedCreate = Box<dyn Fn() -> Vec<u8> + Send + Sync>;

/// regex-automata's `Pool`, set up as the crate does for itself: one object for the first thread,
/// stacks behind mutexes for the rest, with borrowed guards; does not reset.
pub(crate) struct RegexAutomata(regex_automata::util::pool::Pool<Vec<u8>, BoxedCreate>);

impl Contestant for RegexAutomata {
    const NAME: &'static str = "regex-automata";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = regex_automata::util::pool::PoolGuard<'a, Vec<u8>, BoxedCreate>;

    fn new(size: usize) -> Self {
        let create: BoxedCreate = Box::new(move || Vec::with_capacity(size));
        RegexAutomata(regex_automata::util::pool::Pool::new(create))
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        let mut object = self.0.get();
        object.clear();
        object
    }
}

/// deadpool's unmanaged `Pool`: a stack behind a mutex and a semaphore, with owned guards (it has
/// no others), used without waiting; neither creates nor resets.
pub(crate) struct Deadpool(deadpool::unmanaged::Pool<Vec<u8>>);

impl Contestant for Deadpool {
    const NAME: &'static str = "deadpool, unmanaged";
    const ROLE: Role = Role::Rival;
    type Guard<'a> = deadpool::unmanaged::Object<Vec<u8>>;

    fn new(size: usize) -> Self {
        // More are never out at once.
        let filled: Vec<_> = (0..CAPACITY).map(|_| Vec::with_capacity(size)).collect();
        Deadpool(deadpool::unmanaged::Pool::from(filled))
    }

    #[inline]
    fn get(&self) -> Self::Guard<'_> {
        let mut object = self.0.try_get().expect("fewer are out than it was filled with");
        object.clear();
        object
    }
}
