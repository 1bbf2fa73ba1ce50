//! The figures that a pool must show, kept by hand beside it.

use bp::{AnyPool, PoolStats};

/// What a pool's figures must be, step by step.
///
/// A pool derives some of its figures from others, so that the equations of [`PoolStats`] cannot
/// tell a wrong one. Here each is booked where it comes from.
#[derive(Debug, Default)]
pub struct Ledger {
    expected: PoolStats,
}

impl Ledger {
    /// Starts with the figures of a new pool, and compares.
    #[track_caller]
    pub fn open(pool: &dyn AnyPool) -> Self {
        let mut ledger = Ledger::default();
        ledger.book(pool, |_| {});
        ledger
    }

    /// Books what a step must have changed, then compares every figure and both equations.
    ///
    /// Bytes are left to the tests of pools that know what theirs hold.
    ///
    /// # Panics
    ///
    /// Panics where the pool shows something else.
    #[track_caller]
    pub fn book(&mut self, pool: &dyn AnyPool, change: impl FnOnce(&mut PoolStats)) {
        change(&mut self.expected);
        let stats = pool.stats();
        self.expected.bytes_idle = stats.bytes_idle;
        assert_eq!(stats, self.expected, "left: shown, right: booked");
        balance(&stats);
        assert_eq!(pool.len(), stats.idle);
        assert_eq!(pool.is_empty(), stats.idle == 0);
        assert!(stats.idle <= pool.capacity(), "{} of {}", stats.idle, pool.capacity());
    }

    /// Returns what is booked.
    pub fn expected(&self) -> &PoolStats {
        &self.expected
    }
}

/// Asserts the two equations of [`PoolStats`].
///
/// # Panics
///
/// Panics where one does not hold.
#[track_caller]
pub fn balance(stats: &PoolStats) {
    assert_eq!(
        stats.hits + stats.misses,
        stats.in_use
            + stats.returned
            + stats.discarded_full
            + stats.discarded_unfit
            + stats.discarded_panic
            + stats.discarded_closed
            + stats.discarded_by_user
            + stats.detached
            + stats.taken,
        "what left for a user: {stats:?}"
    );
    assert_eq!(
        stats.preloaded + stats.put + stats.returned,
        stats.idle + stats.hits + stats.trimmed + stats.cleared,
        "what was stored: {stats:?}"
    );
}
