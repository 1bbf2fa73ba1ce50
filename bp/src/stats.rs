//! What a pool tells about itself.

use std::iter::Sum;
use std::ops::Add;

/// A snapshot of a pool's figures since it was built.
///
/// When nobody uses the pool meanwhile, two equations hold:
///
/// * every object that left for a user is accounted for:
///   `hits + misses == in_use + returned + discarded_full + discarded_unfit + discarded_panic +
///   discarded_closed + discarded_by_user + detached + taken`
/// * every object that was stored is accounted for:
///   `preloaded + put + returned == idle + hits + trimmed + cleared`
///
/// While others use it, the figures are read one after another and may be off by what happened in
/// between. They wrap around, after four billion events where a `usize` has 32 bits. They are
/// plain additions under a lock that a get or a return takes anyway, or happen on paths that are
/// slow for other reasons, so keeping them costs no more than 0.1 ns per use.
///
/// # Examples
///
/// ```
/// use bp::BufferPool;
///
/// let pool = BufferPool::new(16, 1024);
/// drop(pool.get());
/// let buffer = pool.get();
///
/// let stats = pool.stats();
/// assert_eq!((stats.misses, stats.hits), (1, 1));
/// assert_eq!((stats.returned, stats.in_use), (1, 1));
/// # drop(buffer);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStats {
    /// Gets and takes that reused an idle object.
    pub hits: usize,
    /// Gets and takes that had to create one.
    pub misses: usize,
    /// Objects created when the pool was built.
    pub preloaded: usize,
    /// Objects that [`put`](crate::Pool::put) stored.
    pub put: usize,
    /// Objects that came back from a guard and were stored.
    pub returned: usize,
    /// Objects that came back from a guard and found the pool full: dropped, or handed out by
    /// [`Ref::release`](crate::Ref::release), as the next and those of a closed pool.
    pub discarded_full: usize,
    /// Objects that came back from a guard and were refused by `keep`, the limit on what an object
    /// may hold, or retention by use.
    pub discarded_unfit: usize,
    /// Objects dropped since their guard was dropped by a panicking thread, or since their return
    /// panicked, mostly in a step that cleans them.
    pub discarded_panic: usize,
    /// Objects that came back from a guard when the pool was closed.
    pub discarded_closed: usize,
    /// Objects that [`Ref::discard`](crate::Ref::discard) dropped.
    pub discarded_by_user: usize,
    /// Objects that [`take`](crate::Pool::take) moved out.
    pub taken: usize,
    /// Objects that [`Ref::detach`](crate::Ref::detach) moved out.
    pub detached: usize,
    /// Idle objects that [`trim`](crate::Pool::trim) dropped.
    pub trimmed: usize,
    /// Idle objects that [`clear`](crate::Pool::clear) and closing dropped.
    pub cleared: usize,
    /// Objects that wait in the pool now.
    pub idle: usize,
    /// Objects behind guards now; guards that were forgotten stay counted.
    pub in_use: usize,
    /// Bytes that the idle objects hold; 0 where the recipe has no `measure` step.
    pub bytes_idle: usize,
}

#[cfg(test)]
impl PoolStats {
    /// Asserts the two equations.
    #[track_caller]
    pub(crate) fn assert_balanced(&self) {
        let ended = self.returned
            + self.discarded_full
            + self.discarded_unfit
            + self.discarded_panic
            + self.discarded_closed
            + self.discarded_by_user
            + self.detached
            + self.taken;
        assert_eq!(self.hits + self.misses, self.in_use + ended, "{self:?}");
        let gone = self.hits + self.trimmed + self.cleared;
        assert_eq!(self.preloaded + self.put + self.returned, self.idle + gone, "{self:?}");
    }
}

/// Adds the figures of two pools up, each by itself; the equations above hold for the sum.
impl Add for PoolStats {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        PoolStats {
            hits: self.hits.wrapping_add(other.hits),
            misses: self.misses.wrapping_add(other.misses),
            preloaded: self.preloaded.wrapping_add(other.preloaded),
            put: self.put.wrapping_add(other.put),
            returned: self.returned.wrapping_add(other.returned),
            discarded_full: self.discarded_full.wrapping_add(other.discarded_full),
            discarded_unfit: self.discarded_unfit.wrapping_add(other.discarded_unfit),
            discarded_panic: self.discarded_panic.wrapping_add(other.discarded_panic),
            discarded_closed: self.discarded_closed.wrapping_add(other.discarded_closed),
            discarded_by_user: self.discarded_by_user.wrapping_add(other.discarded_by_user),
            taken: self.taken.wrapping_add(other.taken),
            detached: self.detached.wrapping_add(other.detached),
            trimmed: self.trimmed.wrapping_add(other.trimmed),
            cleared: self.cleared.wrapping_add(other.cleared),
            idle: self.idle.wrapping_add(other.idle),
            in_use: self.in_use.wrapping_add(other.in_use),
            bytes_idle: self.bytes_idle.wrapping_add(other.bytes_idle),
        }
    }
}

impl Sum for PoolStats {
    fn sum<I: Iterator<Item = Self>>(pools: I) -> Self {
        pools.fold(PoolStats::default(), Add::add)
    }
}
