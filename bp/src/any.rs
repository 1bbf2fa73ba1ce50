//! `AnyPool`: every pool alike, for pages of figures and for trimming them all.

use std::sync::LazyLock;

use crate::{PoolStats, TypedPool};

/// What can be asked of a pool without knowing what it holds.
///
/// Object safe, so that a service can list its pools.
///
/// # Examples
///
/// ```
/// use bp::{AnyPool, BufferPool, BytePool};
///
/// let lines = BufferPool::new(64, 256);
/// let blocks = BytePool::new(16, 4096);
///
/// let pools: [(&str, &dyn AnyPool); 2] = [("lines", &lines), ("blocks", &blocks)];
/// for (name, pool) in pools {
///     println!("{name}: {} of {} idle, {} hits", pool.len(), pool.capacity(), pool.stats().hits);
///     pool.trim();
/// }
/// ```
pub trait AnyPool {
    /// Returns how many objects are idle; see [`Pool::len`](crate::Pool::len).
    fn len(&self) -> usize;

    /// Returns whether nothing is idle.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the most objects that the pool keeps idle.
    fn capacity(&self) -> usize;

    /// Returns the figures of the pool.
    fn stats(&self) -> PoolStats;

    /// Drops what has been idle since before the last trim; see
    /// [`Pool::trim`](crate::Pool::trim).
    fn trim(&self) -> usize;

    /// Drops everything that is idle now.
    fn clear(&self) -> usize;
}

impl<P: TypedPool> AnyPool for P {
    fn len(&self) -> usize {
        self.as_pool().len()
    }

    fn capacity(&self) -> usize {
        self.as_pool().capacity()
    }

    fn stats(&self) -> PoolStats {
        self.as_pool().stats()
    }

    fn trim(&self) -> usize {
        self.as_pool().trim()
    }

    fn clear(&self) -> usize {
        self.as_pool().clear()
    }
}

/// A process-wide pool is one; `&POOL` does not turn into `&dyn AnyPool` by itself.
impl<P: AnyPool, F: FnOnce() -> P> AnyPool for LazyLock<P, F> {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn capacity(&self) -> usize {
        (**self).capacity()
    }

    fn stats(&self) -> PoolStats {
        (**self).stats()
    }

    fn trim(&self) -> usize {
        (**self).trim()
    }

    fn clear(&self) -> usize {
        (**self).clear()
    }
}
