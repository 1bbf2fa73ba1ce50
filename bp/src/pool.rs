//! `Pool`, the handle: takes objects out, puts objects in, tells and tunes what is idle.

use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

use crate::store::{Shape, Store};
use crate::{BuildError, Builder, PoolStats, PutError, Recipe, Ref};

/// A bounded store of idle objects, made and cleaned by the steps of `R`.
///
/// A pool keeps at most [`capacity`](Self::capacity) idle objects, at any moment; how many are in
/// use is not limited. [`get`](Self::get) does not wait for an object: it hands out an idle one or
/// creates one. Objects are handed out behind a guard, [`Ref`], that brings them back.
///
/// Cloning a pool clones the handle, not the store. When the last handle goes, the pool closes:
/// idle objects are dropped then, those still in use when their guards are.
///
/// Mostly used through a typed pool, as [`pool!`](crate::pool!) and the derive make them, which
/// has all of these methods.
///
/// # Examples
///
/// ```
/// use bp::{Poolable, Pool};
///
/// #[derive(Poolable)]
/// struct Request {
///     path: String,
///     body: Vec<u8>,
/// }
///
/// let pool = Pool::<Request>::new(64, ());
/// let mut request = pool.get();
/// request.path.push_str("/index.html");
/// drop(request);
///
/// // The same object again, blank, with the memory it had.
/// assert_eq!(pool.get().path, "");
/// assert_eq!(pool.stats().hits, 1);
/// ```
pub struct Pool<R: Recipe> {
    /// One of the handles that the store counts.
    store: NonNull<Store<R>>,
    _shares: PhantomData<(R::Item, R::Config)>,
}

// SAFETY: a handle hands objects to whichever thread asks and drops them where it likes (Item:
// Send), which never shares them; steps run with the config on many threads at once (Config:
// Sync), and the last owner frees it (Config: Send).
unsafe impl<R: Recipe> Send for Pool<R>
where
    R::Item: Send,
    R::Config: Send + Sync,
{
}

// SAFETY: as for `Send`: what a shared handle can do, a clone sent to another thread can.
unsafe impl<R: Recipe> Sync for Pool<R>
where
    R::Item: Send,
    R::Config: Send + Sync,
{
}

// A panic in a step or in an object's `Drop` leaves the store as it was, less one object.
impl<R: Recipe> UnwindSafe for Pool<R> where R::Config: RefUnwindSafe {}
impl<R: Recipe> RefUnwindSafe for Pool<R> where R::Config: RefUnwindSafe {}

impl<R: Recipe> Pool<R> {
    /// Makes an empty pool that keeps up to `capacity` idle objects.
    ///
    /// With a capacity of 0 every get creates, and every return drops.
    ///
    /// A pool allocates its shards when it is built: 256 bytes each, four per core rounded up to a
    /// power of two, at most 64, and fewer for small capacities. What finds a thread's shard full
    /// goes to rings of 16 bytes a place, which are allocated when they are needed, the first with
    /// up to 1,024 places, and stay until the pool goes. All else is paid for by the object, not
    /// by the capacity. A multi pool is a pool for each class.
    ///
    /// # Panics
    ///
    /// Panics if the recipe's `check` step refuses the config, or its `open` step fails;
    /// [`builder`](Self::builder) returns that as an error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bp::{Poolable, Pool};
    /// # #[derive(Poolable)]
    /// # struct Request { body: Vec<u8> }
    /// let pool = Pool::<Request>::new(64, ());
    /// assert_eq!((pool.len(), pool.capacity()), (0, 64));
    ///
    /// let keeps_nothing = Pool::<Request>::new(0, ());
    /// drop(keeps_nothing.get());
    /// assert!(keeps_nothing.is_empty());
    /// ```
    #[track_caller]
    pub fn new(capacity: usize, config: R::Config) -> Self {
        Self::builder(capacity, config).build_or_panic()
    }

    /// Starts a pool with more to set than its capacity and config.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bp::{Poolable, Pool};
    /// # #[derive(Poolable)]
    /// # struct Request { body: Vec<u8> }
    /// let pool = Pool::<Request>::builder(64, ()).preload(0.25).build()?;
    /// assert_eq!(pool.len(), 16);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn builder(capacity: usize, config: R::Config) -> Builder<Self> {
        Builder::new(capacity, config)
    }

    /// Makes the pool that a builder describes.
    pub(crate) fn build(
        capacity: usize,
        mut config: R::Config,
        by_use: bool,
        preload: usize,
    ) -> Result<Self, BuildError> {
        R::check(&config)?;
        R::open(&mut config, capacity)?;
        let store = Store::allocate(Shape::of(capacity), config, by_use);
        let pool = Pool { store, _shares: PhantomData };
        pool.store().preload(preload);
        Ok(pool)
    }

    /// Makes a pool of parts that a test chose.
    #[cfg(test)]
    pub(crate) fn of_shape(shape: Shape, config: R::Config) -> Self {
        Pool { store: Store::allocate(shape, config, false), _shares: PhantomData }
    }

    #[inline]
    fn store(&self) -> &Store<R> {
        // SAFETY: alive: the handles together hold a reference, and this is one of them.
        unsafe { self.store.as_ref() }
    }

    /// Returns an object behind a guard: an idle one, or a new one if nothing is idle.
    ///
    /// Does not wait for an object to come back. Passes by a lock that another thread holds for
    /// more than a moment, so an object may be created although one was idle.
    ///
    /// # Panics
    ///
    /// Where the recipe's `create` does, or its `measure` on a new object in a pool that
    /// [retains by use](Builder::retain_by_use); the pool is as before then. Also where a sandbox
    /// that was entered late refuses a system call; see [the crate's docs](crate#systems).
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// let (one, _two) = (pool.get(), pool.get()); // nothing is idle yet
    /// drop(one);
    /// drop(pool.get()); // the first one again
    /// assert_eq!((pool.stats().misses, pool.stats().hits), (2, 1));
    /// ```
    #[inline]
    pub fn get(&self) -> Ref<R> {
        self.try_get().unwrap_or_else(|| self.get_new(Store::create))
    }

    /// Returns an idle object behind a guard, or `None` if nothing is idle.
    ///
    /// As for [`get`](Self::get), what lies behind a lock that another thread holds may be missed.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// assert!(pool.try_get().is_none());
    /// drop(pool.get());
    /// assert!(pool.try_get().is_some());
    /// ```
    #[inline]
    pub fn try_get(&self) -> Option<Ref<R>> {
        // SAFETY: popped, so owned here, and idle nodes are not spare.
        self.store().pop().map(|node| unsafe { Ref::from_node(node) })
    }

    /// Returns an idle object behind a guard, or what `create` makes if nothing is idle.
    ///
    /// The object is pooled like any other when the guard is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// let large = pool.get_with(|| Vec::with_capacity(4096));
    /// assert!(large.capacity() >= 4096);
    /// ```
    pub fn get_with(&self, create: impl FnOnce() -> R::Item) -> Ref<R> {
        self.try_get().unwrap_or_else(|| self.get_new(|_| create()))
    }

    /// Returns an idle object behind a guard, or what `create` makes if nothing is idle.
    ///
    /// # Errors
    ///
    /// What `create` returns; the pool is as before then.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::collections::TryReserveError;
    /// let pool = bp::BufferPool::new(8, 64);
    /// let refused = pool.try_get_with(|| {
    ///     let mut buffer = Vec::new();
    ///     buffer.try_reserve(usize::MAX)?;
    ///     Ok::<_, TryReserveError>(buffer)
    /// });
    /// assert!(refused.is_err());
    /// ```
    pub fn try_get_with<E>(
        &self,
        create: impl FnOnce() -> Result<R::Item, E>,
    ) -> Result<Ref<R>, E> {
        if let Some(idle) = self.try_get() {
            return Ok(idle);
        }
        let item = create()?;
        Ok(self.get_new(|_| item))
    }

    #[cold]
    fn get_new(&self, create: impl FnOnce(&Store<R>) -> R::Item) -> Ref<R> {
        let item = create(self.store());
        let node = self.store().admit(item);
        // SAFETY: made for this call, with an item.
        unsafe { Ref::from_node(node) }
    }

    /// Moves an object out: an idle one, or a new one if nothing is idle.
    ///
    /// It comes back only by [`put`](Self::put). Prefer [`get`](Self::get): its guard returns the
    /// object by itself, and moves only a pointer.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// let buffer: Vec<u8> = pool.take();
    /// assert_eq!(buffer.capacity(), 64);
    /// drop(buffer);
    /// assert_eq!(pool.len(), 0);
    /// ```
    #[inline]
    pub fn take(&self) -> R::Item {
        self.try_take().unwrap_or_else(|| self.take_new())
    }

    /// Moves an idle object out, if there is one.
    #[inline]
    pub(crate) fn try_take(&self) -> Option<R::Item> {
        self.store().take()
    }

    /// Creates an object that counts as taken.
    #[cold]
    pub(crate) fn take_new(&self) -> R::Item {
        let store = self.store();
        let item = store.create();
        store.count_miss();
        store.count_taken();
        item
    }

    /// Stores an object, after `keep` approved of it and `reset` cleaned it.
    ///
    /// The object may come from anywhere. The pool looks for room before it resets, so that an
    /// object which finds none comes back as it was.
    ///
    /// # Errors
    ///
    /// The object and the reason, when it is not fit to be kept, or the pool is full or closed.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// let mut buffer = pool.take();
    /// buffer.push(1);
    /// pool.put(buffer)?;
    /// assert_eq!(pool.take(), []);
    /// # Ok::<(), bp::PutError<Vec<u8>>>(())
    /// ```
    #[inline]
    pub fn put(&self, item: R::Item) -> Result<(), PutError<R::Item>> {
        self.store().put(item)
    }

    /// Returns how many objects are idle.
    ///
    /// A snapshot, exact when nobody uses the pool meanwhile; never above the capacity.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(2, 64);
    /// let buffers = [pool.get(), pool.get(), pool.get()];
    /// assert_eq!(pool.len(), 0); // those in use do not count
    /// drop(buffers);
    /// assert_eq!(pool.len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.store().len()
    }

    /// Returns whether nothing is idle.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// assert!(pool.is_empty());
    /// drop(pool.get());
    /// assert!(!pool.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the most objects that the pool keeps idle.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::BufferPool::new(8, 64).capacity(), 8);
    /// assert_eq!(bp::BufferPool::new(0, 64).capacity(), 0); // keeps nothing
    /// ```
    pub fn capacity(&self) -> usize {
        self.store().capacity()
    }

    /// Returns what all objects of this pool share.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// assert_eq!(pool.config().size(), 64);
    /// ```
    pub fn config(&self) -> &R::Config {
        self.store().config()
    }

    /// Returns the figures of this pool.
    ///
    /// A snapshot. To be read now and then, not on each use: of a pool that measures its objects,
    /// as those of buffers and blocks do, it adds up the bytes under the lock of each shard that
    /// has any, which costs up to a microsecond a shard.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// drop(pool.get()); // created, and kept
    /// drop(pool.get()); // reused
    /// let stats = pool.stats();
    /// assert_eq!((stats.misses, stats.hits), (1, 1));
    /// ```
    pub fn stats(&self) -> PoolStats {
        self.store().stats()
    }

    /// Drops what has been idle since before the last trim, and returns how many objects that were.
    ///
    /// To be called regularly, by a timer or when memory is short. What is in steady use
    /// survives any number of trims; after a burst, two trims drop what it left behind. Reaches
    /// what any thread returned, also one that sleeps.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(100, 64);
    /// let burst: Vec<_> = (0..100).map(|_| pool.get()).collect();
    /// drop(burst);
    ///
    /// pool.trim(); // takes note of what is idle
    /// for _ in 0..1000 {
    ///     drop(pool.get());
    /// }
    /// assert_eq!(pool.trim(), 99); // what was not used since
    /// ```
    pub fn trim(&self) -> usize {
        self.store().trim()
    }

    /// Drops everything that is idle now, and returns how many objects that were.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::new(8, 64);
    /// let in_use = pool.get();
    /// drop(pool.get());
    /// assert_eq!(pool.clear(), 1);
    /// drop(in_use); // was in use, and is kept now
    /// assert_eq!(pool.len(), 1);
    /// ```
    pub fn clear(&self) -> usize {
        self.store().clear()
    }

    /// Closes the pool for all its handles: drops what is idle, and from now on what is returned.
    ///
    /// A get still works, by creating. There is no way back.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::PutReason;
    ///
    /// let pool = bp::BufferPool::new(8, 64);
    /// let buffer = pool.get();
    /// pool.close();
    /// drop(buffer);
    /// assert_eq!(pool.len(), 0);
    /// assert_eq!(pool.put(Vec::with_capacity(64)).unwrap_err().reason, PutReason::Closed);
    /// ```
    pub fn close(&self) {
        self.store().close();
    }
}

impl<R: Recipe> Clone for Pool<R> {
    /// Makes another handle to the same store.
    fn clone(&self) -> Self {
        self.store().add_handle();
        Pool { store: self.store, _shares: PhantomData }
    }
}

impl<R: Recipe> Drop for Pool<R> {
    fn drop(&mut self) {
        // SAFETY: this is one of the handles, and nothing uses it after this.
        unsafe { Store::drop_handle(self.store) }
    }
}

impl<R: Recipe> Debug for Pool<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}
