//! `Multi`: several pools of one kind, each for a size class, behind one handle.
//!
//! A request goes to the smallest class that can hold it. Where that class has nothing idle, the
//! next one is asked, if it is not much larger; only then the class creates. A guard goes back to
//! the pool it came from by itself, as every guard does. An object that is put is filed by the
//! largest class whose requests it can serve, so that no class ever hands out less than it
//! promises.
//!
//! What is too large for any class gets a pool of its own, of capacity 0, with a config of its own
//! size. So it has a guard of the same type, and is dropped on return.
//!
//! What is special to a multi pool are the steps of [`MultiPool`], which
//! [`multi_pool!`](crate::multi_pool!) writes.

mod builder;
mod oversize;
mod sizes;
mod steps;
mod whole;

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

pub use self::builder::MultiBuilder;
use self::builder::Setup;
use self::oversize::Oversize;
use self::sizes::Sizes;
pub use self::steps::MultiPool;
pub use self::whole::SizeClass;
use crate::{BuildError, Pool, PutError, PutReason, Ref, TypedPool};

type RecipeOf<M> = <<M as MultiPool>::Pool as TypedPool>::Recipe;

/// The pools of all classes; what a pool made by [`multi_pool!`](crate::multi_pool!) wraps.
///
/// Cloning it clones the handle. Mostly used through a typed multi pool, such as
/// [`MultiBytePool`](crate::MultiBytePool), which has all of these methods.
///
/// # Examples
///
/// ```
/// use bp::{Multi, MultiBytePool, MultiPool};
///
/// let pool = MultiBytePool::builder().class(4, 64).build()?;
/// let multi: &Multi<MultiBytePool> = pool.as_multi();
/// drop(multi.get(&10)); // by reference here: a key need not be `Copy`
/// assert_eq!(multi.len(), 1);
/// # Ok::<(), bp::BuildError>(())
/// ```
pub struct Multi<M: MultiPool> {
    shared: Arc<Shared<M>>,
}

struct Shared<M: MultiPool> {
    sizes: Sizes,
    /// In the order of the sizes.
    classes: Box<[Class<M>]>,
    /// What is larger than all of them.
    oversize: Oversize<M::Pool>,
    /// What the builder was told about every class, for the pools of what belongs to none.
    setup: Setup<M>,
}

struct Class<M: MultiPool> {
    pool: M::Pool,
    /// The largest request that is served here.
    key: M::Key,
}

// As for `Pool`. The setup's closures are only called, and then as a builder calls them.
impl<M: MultiPool> UnwindSafe for Multi<M>
where
    M::Pool: RefUnwindSafe,
    M::Key: RefUnwindSafe,
{
}
impl<M: MultiPool> RefUnwindSafe for Multi<M>
where
    M::Pool: RefUnwindSafe,
    M::Key: RefUnwindSafe,
{
}

impl<M: MultiPool> Multi<M> {
    /// Starts a multi pool without classes.
    ///
    /// # Examples
    ///
    /// See [`MultiBuilder`].
    pub fn builder() -> MultiBuilder<M> {
        MultiBuilder::new()
    }

    /// The class that serves a request, as an index; none has that of what is too large for all.
    #[inline]
    fn class_for(&self, key: &M::Key) -> usize {
        let sizes = &self.shared.sizes;
        M::need(key).map_or(sizes.len(), |need| sizes.class_for(need))
    }

    #[inline]
    fn class(&self, at: usize) -> Option<&Class<M>> {
        self.shared.classes.get(at)
    }

    /// The next class, if it lends to this one.
    fn lender(&self, at: usize) -> Option<&Class<M>> {
        self.class(self.shared.sizes.lender(at)?)
    }

    /// Takes an idle object from a class.
    #[inline]
    fn idle(&self, at: usize) -> Option<Ref<RecipeOf<M>>> {
        self.class(at)?.pool().try_get()
    }

    /// Takes an idle object from the next class, if it lends to this one.
    fn borrow(&self, at: usize) -> Option<Ref<RecipeOf<M>>> {
        self.lender(at)?.pool().try_get()
    }

    /// Builds a pool for one request above all classes.
    fn pool_for(&self, key: &M::Key) -> Result<M::Pool, BuildError> {
        self.shared.setup.builder(0, key.clone()).build()
    }

    /// Returns an object that serves a request: an idle one, or a new one.
    ///
    /// Asks the smallest class that can hold the request; where nothing is idle there, the next
    /// one, if it is no more than four times as large; and creates only then. A request that is
    /// larger than all classes gets an object of its own, which is dropped on return: that of a
    /// pool made for it alone, whose config is checked and opened for its size, and lives at least
    /// as long as the guard.
    ///
    /// # Panics
    ///
    /// Where the recipe's `create` does, and where a request above all classes is one that no pool
    /// could be built for, as its `check` or `open` fails.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// assert_eq!(pool.get(100).len(), 100);
    /// assert_eq!(pool.classes()[1].len, 1); // it went back to the class of 1024
    ///
    /// assert_eq!(pool.get(5000).len(), 5000); // larger than all classes, and not kept
    /// assert_eq!(pool.len(), 1);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    #[inline]
    pub fn get(&self, key: &M::Key) -> M::Guard {
        let at = self.class_for(key);
        let mut guard = self.idle(at).unwrap_or_else(|| self.get_elsewhere(at, key));
        M::fit(&mut guard, key);
        guard.into()
    }

    #[cold]
    fn get_elsewhere(&self, at: usize, key: &M::Key) -> Ref<RecipeOf<M>> {
        match self.class(at) {
            Some(class) => self.borrow(at).unwrap_or_else(|| class.pool().get()),
            None => self.oversize(self.pool_for(key), Pool::get),
        }
    }

    /// Gets or takes what a request above all classes asks for, from its pool.
    fn oversize<T>(
        &self,
        pool: Result<M::Pool, BuildError>,
        get: impl FnOnce(&Pool<RecipeOf<M>>) -> T,
    ) -> T {
        let pool = pool.unwrap_or_else(|error| panic!("{error}"));
        let got = get(pool.as_pool());
        self.shared.oversize.count(pool);
        got
    }

    /// Returns an idle object that serves a request, or `None` if nothing is idle in the class of
    /// the request and in the one that lends to it.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 128).build()?;
    /// assert!(pool.try_get(50).is_none());
    /// drop(pool.get(100));
    /// assert!(pool.try_get(50).is_some()); // lent by the class of 128
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    #[inline]
    pub fn try_get(&self, key: &M::Key) -> Option<M::Guard> {
        let at = self.class_for(key);
        let mut guard = self.idle(at).or_else(|| self.borrow(at))?;
        M::fit(&mut guard, key);
        Some(guard.into())
    }

    /// Returns an idle object that serves a request, or what `create` makes of the key of the
    /// request's class; of the request itself, if it is larger than all classes.
    ///
    /// # Errors
    ///
    /// What `create` returns; the pool is as before then.
    ///
    /// # Panics
    ///
    /// Where `create` succeeds for a request above all classes that no pool could be built for, as
    /// its `check` or `open` fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::TryReserveError;
    ///
    /// let pool = bp::MultiBufferPool::builder().class(8, 4096).build()?;
    /// let buffer = pool.try_get_with(100, |&size| {
    ///     let mut buffer = Vec::new();
    ///     buffer.try_reserve_exact(size)?; // 4096, what the class promises
    ///     Ok::<_, TryReserveError>(buffer)
    /// })?;
    /// assert!(buffer.capacity() >= 4096);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_get_with<E>(
        &self,
        key: &M::Key,
        create: impl FnOnce(&M::Key) -> Result<M::Item, E>,
    ) -> Result<M::Guard, E> {
        self.try_get_or(key, |key, _| create(key))
    }

    /// As [`try_get_with`](Self::try_get_with), for a `create` that works with the config of the
    /// class; of the request itself, if it is larger than all classes.
    #[cfg(feature = "mmap")]
    pub(crate) fn try_get_by<E: From<BuildError>>(
        &self,
        key: &M::Key,
        create: impl FnOnce(&<RecipeOf<M> as crate::Recipe>::Config) -> Result<M::Item, E>,
    ) -> Result<M::Guard, E> {
        self.try_get_or(key, |_, pool| create(pool?.config()))
    }

    /// Returns an idle object that serves a request, or what `create` makes of the key and the pool
    /// of its class; of the request and its own pool, if it is larger than all classes.
    fn try_get_or<E>(
        &self,
        key: &M::Key,
        create: impl FnOnce(&M::Key, Result<&Pool<RecipeOf<M>>, BuildError>) -> Result<M::Item, E>,
    ) -> Result<M::Guard, E> {
        let at = self.class_for(key);
        let idle = self.idle(at).or_else(|| self.borrow(at));
        let mut guard = match (idle, self.class(at)) {
            (Some(idle), _) => idle,
            (None, Some(class)) => {
                class.pool().try_get_with(|| create(&class.key, Ok(class.pool())))?
            }
            (None, None) => {
                // An error of `create` comes first: it is the one that can be returned.
                let built = self.pool_for(key);
                let pool = built.as_ref().map(TypedPool::as_pool).map_err(Clone::clone);
                let item = create(key, pool)?;
                self.oversize(built, |pool| pool.get_with(|| item))
            }
        };
        M::fit(&mut guard, key);
        Ok(guard.into())
    }

    /// Moves an object out that serves a request; nothing brings it back, unless
    /// [`put`](Self::put) is asked to.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get).
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// let block: Vec<u8> = pool.take(100);
    /// assert_eq!(block.len(), 100);
    /// drop(block);
    /// assert_eq!(pool.len(), 0);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    #[inline]
    pub fn take(&self, key: &M::Key) -> M::Item {
        let at = self.class_for(key);
        let idle = self.class(at).and_then(|class| class.pool().try_take());
        let mut item = idle.unwrap_or_else(|| self.take_elsewhere(at, key));
        M::fit(&mut item, key);
        item
    }

    #[cold]
    fn take_elsewhere(&self, at: usize, key: &M::Key) -> M::Item {
        let Some(class) = self.class(at) else {
            return self.oversize(self.pool_for(key), Pool::take);
        };
        let lent = self.lender(at).and_then(|lender| lender.pool().try_take());
        lent.unwrap_or_else(|| class.pool().take_new())
    }

    /// Stores an object in the largest class whose requests it can serve, after that class found
    /// it fit and cleaned it.
    ///
    /// # Errors
    ///
    /// The object and the reason: it is too small for the smallest class or not fit for its own,
    /// or its class is full, or the pool closed.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// assert!(pool.put(vec![0; 70]).is_ok());
    /// assert_eq!(pool.classes()[0].len, 1); // can serve requests of up to 64
    ///
    /// let small = pool.put(vec![0; 10]).unwrap_err();
    /// assert_eq!(small.item.len(), 10);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    #[inline]
    pub fn put(&self, item: M::Item) -> Result<(), PutError<M::Item>> {
        match self.shared.sizes.class_of(M::size(&item)) {
            Some(at) => self.shared.classes[at].pool().put(item),
            None => Err(PutError::new(PutReason::Unfit, item)),
        }
    }
}

impl<M: MultiPool> Class<M> {
    #[inline]
    fn pool(&self) -> &Pool<RecipeOf<M>> {
        self.pool.as_pool()
    }
}

impl<M: MultiPool> Clone for Multi<M> {
    /// Makes another handle to the same pools.
    fn clone(&self) -> Self {
        Multi { shared: Arc::clone(&self.shared) }
    }
}
