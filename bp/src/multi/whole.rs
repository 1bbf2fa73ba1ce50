//! What is asked of all classes at once: figures, and giving memory back.

use std::fmt::{self, Debug};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Class, Multi, MultiPool, RecipeOf};
use crate::{AnyPool, Pool, PoolStats, Recipe};

/// One class of a multi pool, as [`Multi::classes`] tells it.
///
/// # Examples
///
/// ```
/// let pool = bp::MultiBytePool::builder().class(4, 64).class(4, 1024).build()?;
/// drop(pool.get(100));
/// for class in pool.classes() {
///     println!("{} bytes: {} of {} idle", class.size, class.len, class.capacity);
/// }
/// assert_eq!(pool.classes()[1].len, 1);
/// # Ok::<(), bp::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SizeClass<K> {
    /// The largest request that the class serves, as the builder was told it.
    pub size: K,
    /// The most objects that the class keeps idle.
    pub capacity: usize,
    /// How many objects of the class are idle.
    pub len: usize,
    /// The figures of the class.
    pub stats: PoolStats,
}

impl<M: MultiPool> Multi<M> {
    fn pools(&self) -> impl Iterator<Item = &Pool<RecipeOf<M>>> {
        self.shared.classes.iter().map(Class::pool)
    }

    /// Returns how many objects are idle, in all classes.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// drop((pool.get(64), pool.get(64), pool.get(1024)));
    /// assert_eq!(pool.len(), 3);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.pools().map(Pool::len).sum()
    }

    /// Returns whether nothing is idle.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// assert!(pool.is_empty());
    /// drop(pool.get(1024));
    /// assert!(!pool.is_empty());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.pools().all(Pool::is_empty)
    }

    /// Returns the most objects that are kept idle, in all classes; `usize::MAX` if it is more.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// assert_eq!(pool.capacity(), 16);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn capacity(&self) -> usize {
        self.pools().map(Pool::capacity).fold(0, usize::saturating_add)
    }

    /// Returns the figures of all classes, added up, and of what was larger than all of them.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// drop((pool.get(10), pool.get(500)));
    /// drop(pool.get(60));
    /// assert_eq!((pool.stats().misses, pool.stats().hits), (2, 1));
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn stats(&self) -> PoolStats {
        self.pools().map(Pool::stats).sum::<PoolStats>() + self.shared.oversize.stats()
    }

    /// Returns the classes, from the smallest to the largest.
    ///
    /// # Examples
    ///
    /// See [`SizeClass`].
    pub fn classes(&self) -> Vec<SizeClass<M::Key>> {
        let tell = |class: &Class<M>| {
            let pool = class.pool();
            SizeClass {
                size: class.key.clone(),
                capacity: pool.capacity(),
                len: pool.len(),
                stats: pool.stats(),
            }
        };
        self.shared.classes.iter().map(tell).collect()
    }

    /// Returns the size of the largest class. A request that is larger is not served from the
    /// pool, so this is where sizes that the other side chooses may be limited.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 1024).class(64, 64).build()?;
    /// let announced = 1_000_000; // by the other side
    /// assert!(announced > *pool.largest());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn largest(&self) -> &M::Key {
        // No pool is built without a class.
        &self.shared.classes[self.shared.classes.len() - 1].key
    }

    /// Drops what has been idle since before the last trim, in every class, and returns how many
    /// objects that were.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// drop((pool.get(64), pool.get(1024)));
    /// assert_eq!(pool.trim(), 0); // takes note of what is idle
    /// drop(pool.get(64));
    /// assert_eq!(pool.trim(), 1); // the one of 1024 was not used since
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn trim(&self) -> usize {
        let mut trimmed = 0;
        reach_all(self.pools(), |pool| trimmed += pool.trim());
        self.shared.oversize.tidy();
        trimmed
    }

    /// Drops everything that is idle now, and returns how many objects that were.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// drop((pool.get(64), pool.get(1024)));
    /// assert_eq!(pool.clear(), 2);
    /// assert!(pool.is_empty());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn clear(&self) -> usize {
        let mut cleared = 0;
        reach_all(self.pools(), |pool| cleared += pool.clear());
        self.shared.oversize.tidy();
        cleared
    }

    /// Closes all classes for all handles: drops what is idle, and from now on what is returned.
    ///
    /// A get still works, by creating.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(8, 1024).build()?;
    /// let block = pool.get(64);
    /// pool.close();
    /// drop(block);
    /// assert_eq!(pool.len(), 0);
    /// assert_eq!(pool.get(10).len(), 10); // created
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn close(&self) {
        let oversize = self.shared.oversize.close();
        reach_all(self.pools().chain(&oversize), Pool::close);
    }
}

/// Does something to every pool, also where it unwinds in one before.
fn reach_all<'a, R: Recipe + 'a>(
    pools: impl Iterator<Item = &'a Pool<R>>,
    mut work: impl FnMut(&Pool<R>),
) {
    let mut panic = None;
    for pool in pools {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(pool))) {
            panic.get_or_insert(payload);
        }
    }
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
}

impl<M: MultiPool> Debug for Multi<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<_> = self.classes().into_iter().map(|class| class.size).collect();
        f.debug_struct("Multi")
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .field("classes", &keys)
            .finish_non_exhaustive()
    }
}

impl<M: MultiPool> AnyPool for Multi<M> {
    fn len(&self) -> usize {
        Multi::len(self)
    }

    fn capacity(&self) -> usize {
        Multi::capacity(self)
    }

    fn stats(&self) -> PoolStats {
        Multi::stats(self)
    }

    fn trim(&self) -> usize {
        Multi::trim(self)
    }

    fn clear(&self) -> usize {
        Multi::clear(self)
    }
}
