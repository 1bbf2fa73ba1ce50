//! `IntervalPool`: tokio's `Interval` of one period.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior};

use super::home::{Home, long_ago};
use crate::{BuildError, Builder, Recipe};

// The pool beneath bears the name of the one around it, since the docs of the guard name it.
#[allow(rustdoc::private_intra_doc_links)]
mod beneath {
    use std::time::Duration;

    use super::{Home, PooledInterval, check_period};

    crate::pool! {
        /// The pool beneath.
        pub struct IntervalPool(PooledInterval) -> IntervalRef {
            config: Duration,
            check: |period| check_period(*period),
            create: |period| PooledInterval::new(Home::current(), *period),
            reset: |interval, _period| interval.disarm(),
            keep: |interval, period| interval.period() == *period && interval.home.is_current(),
        }
    }
}

pub use beneath::IntervalRef;

timer_pool! {
    /// Keeps tokio's [`Interval`]s of one period, to tick again.
    ///
    /// The guard derefs, by way of [`PooledInterval`], to the `Interval`: `interval.tick().await`.
    /// The period is the pool's, since an `Interval` cannot change its own.
    ///
    /// Saves one allocation per interval, and no time; for intervals that come and go with
    /// connections, say for a keep-alive, in programs that count allocations. About
    /// [runtimes and paused clocks](super::SleepPool#runtimes) the same holds as for `SleepPool`.
    ///
    /// Returning an interval wakes the task that waits for its next tick, if any, for nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::time::Instant;
    ///
    /// let pool = bp::aio::IntervalPool::new(64, Duration::from_secs(5));
    /// let mut keep_alive = pool.get();
    /// let start = keep_alive.tick().await; // at once
    /// keep_alive.tick().await;
    /// assert_eq!((Instant::now() - start).as_secs(), 5);
    /// # }
    /// ```
    IntervalPool { intervals -> IntervalRef }
}

impl IntervalPool {
    /// Makes an empty pool that keeps up to `capacity` idle intervals of that period.
    ///
    /// # Panics
    ///
    /// Panics if the period is zero; [`builder`](Self::builder) returns that as an error.
    ///
    /// # Examples
    ///
    /// See [`IntervalPool`](Self#examples).
    #[track_caller]
    pub fn new(capacity: usize, period: Duration) -> Self {
        Self::builder(capacity, period).build_or_panic()
    }

    /// Starts a pool with more to set than `new` takes.
    ///
    /// With [`preload`](Builder::preload), intervals are made when the pool is built, which panics
    /// outside a runtime.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    /// use bp::aio::IntervalPool;
    ///
    /// assert!(IntervalPool::builder(8, Duration::from_secs(5)).build().is_ok());
    /// assert!(IntervalPool::builder(8, Duration::ZERO).build().is_err());
    /// ```
    pub fn builder(capacity: usize, period: Duration) -> Builder<Self> {
        Builder::new(capacity, period)
    }

    /// Returns an interval whose first tick is due now.
    ///
    /// Ticks that are missed are made up for at once ([`MissedTickBehavior::Burst`]), unless the
    /// guard is told otherwise.
    ///
    /// # Panics
    ///
    /// As [`tokio::time::interval`]: outside a runtime, or in one without timers. Nothing is
    /// taken then.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::time::Instant;
    ///
    /// let pool = bp::aio::IntervalPool::new(8, Duration::from_secs(5));
    /// let start = Instant::now();
    /// assert_eq!(pool.get().tick().await, start);
    /// # }
    /// ```
    #[track_caller]
    pub fn get(&self) -> IntervalRef {
        let mut interval = self.ready();
        interval.reset_immediately();
        interval
    }

    /// Returns an interval whose first tick is due at that instant.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get).
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::time::Instant;
    ///
    /// let pool = bp::aio::IntervalPool::new(8, Duration::from_secs(5));
    /// let start = Instant::now();
    /// let first = start + Duration::from_secs(1);
    /// let mut interval = pool.get_at(first);
    /// assert_eq!(interval.tick().await, first);
    /// assert_eq!((interval.tick().await - first).as_secs(), 5);
    /// # }
    /// ```
    #[track_caller]
    pub fn get_at(&self, start: Instant) -> IntervalRef {
        let mut interval = self.ready();
        interval.reset_at(start);
        interval
    }

    /// Returns the period of all intervals of this pool.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let pool = bp::aio::IntervalPool::new(8, Duration::from_secs(5));
    /// assert_eq!(pool.period(), Duration::from_secs(5));
    /// ```
    pub fn period(&self) -> Duration {
        *self.intervals.config()
    }

    #[track_caller]
    fn ready(&self) -> IntervalRef {
        let period = self.period();
        self.of_this_runtime(|home| PooledInterval::new(home, period))
    }
}

/// Refuses what tokio panics for.
fn check_period(period: Duration) -> Result<(), BuildError> {
    if period.is_zero() {
        return Err(BuildError::new("period", "zero", "more than zero"));
    }
    Ok(())
}

/// An [`Interval`] from an [`IntervalPool`], to which it derefs.
///
/// One that is put in its place must be of the same runtime, which nobody can ask it: the pool
/// hands it out there.
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use std::time::Duration;
/// use bp::aio::{IntervalPool, IntervalRef, PooledInterval};
///
/// let pool = IntervalPool::new(8, Duration::from_secs(5));
/// let mut interval: PooledInterval = IntervalRef::detach(pool.get());
/// interval.tick().await; // belongs to no pool now
/// assert_eq!(pool.len(), 0);
/// # }
/// ```
#[derive(Debug)]
pub struct PooledInterval {
    interval: Interval,
    home: Home,
}

impl PooledInterval {
    #[track_caller]
    fn new(home: Home, period: Duration) -> Self {
        PooledInterval { interval: tokio::time::interval_at(long_ago(), period), home }
    }

    /// Takes it off its runtime's list, which wakes who waits for it: unlike a `Sleep`, it does
    /// not tell whether it may still be polled.
    fn disarm(&mut self) {
        self.interval.set_missed_tick_behavior(MissedTickBehavior::default());
        self.interval.reset_at(long_ago());
    }
}

impl Deref for PooledInterval {
    type Target = Interval;

    fn deref(&self) -> &Interval {
        &self.interval
    }
}

impl DerefMut for PooledInterval {
    fn deref_mut(&mut self) -> &mut Interval {
        &mut self.interval
    }
}
