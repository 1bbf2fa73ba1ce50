//! `SleepPool`: tokio's `Sleep`, boxed and pinned once.

use std::fmt::{self, Debug};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use super::home::{Home, deadline, long_ago};
use crate::{Builder, Recipe};

// The pool beneath bears the name of the one around it, since the docs of the guard name it.
#[allow(rustdoc::private_intra_doc_links)]
mod beneath {
    use super::{Home, PooledSleep};

    crate::pool! {
        /// The pool beneath.
        pub struct SleepPool(PooledSleep) -> SleepRef {
            create: |()| PooledSleep::new(Home::current()),
            reset: |sleep, ()| sleep.disarm(),
            keep: |sleep, ()| sleep.home.is_current(),
        }
    }
}

pub use beneath::SleepRef;

timer_pool! {
    /// Keeps tokio's [`Sleep`] timers, boxed and pinned, to be armed again.
    ///
    /// The guard is a future, and [`Unpin`]: `(&mut sleep).await` in a `select!` works without
    /// pinning anything.
    ///
    /// # When to use it
    ///
    /// Seldom. It saves one allocation, the box, and no time: armed, polled once and returned, a
    /// pooled timer costs a little more than a new box that is dropped, since it goes on its
    /// runtime's list and off it just as often, and must know its runtime. A `Sleep` pinned to the
    /// stack (`tokio::pin!`) or inside the task needs no box, and is the better tool for a timeout
    /// of one future. A pool is for programs that count allocations, and hold timers in collections
    /// or in structs that must be `Unpin`.
    ///
    /// # Runtimes
    ///
    /// A timer belongs to the runtime that it was made in. One that is returned outside of it is
    /// dropped, and one of another runtime is not handed out but dropped, which counts as a hit and
    /// as [`discarded_by_user`](crate::PoolStats::discarded_by_user). So give each runtime a pool
    /// of its own. Where the clock is paused (`tokio::time::pause`), these timers go by it,
    /// and idle ones do not make it advance.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::time::Instant;
    ///
    /// let pool = bp::aio::SleepPool::new(64);
    /// let start = Instant::now();
    /// pool.get(Duration::from_secs(2)).await;
    /// assert_eq!(start.elapsed().as_secs(), 2);
    /// assert_eq!(pool.len(), 1);
    /// # }
    /// ```
    SleepPool { sleeps -> SleepRef }
}

impl SleepPool {
    /// Makes an empty pool that keeps up to `capacity` idle timers.
    ///
    /// # Examples
    ///
    /// See [`SleepPool`](Self#examples).
    pub fn new(capacity: usize) -> Self {
        Self::builder(capacity).build_or_panic()
    }

    /// Starts a pool with more to set than `new` takes.
    ///
    /// With [`preload`](Builder::preload), timers are made when the pool is built, which panics
    /// outside a runtime.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let pool = bp::aio::SleepPool::builder(8).preload(0.5).build().unwrap();
    /// assert_eq!(pool.len(), 4);
    /// # }
    /// ```
    pub fn builder(capacity: usize) -> Builder<Self> {
        Builder::new(capacity, ())
    }

    /// Returns a timer that completes after that time.
    ///
    /// A time too long to be counted never passes, as with [`tokio::time::sleep`].
    ///
    /// # Panics
    ///
    /// As [`tokio::time::sleep`]: outside a runtime, or in one without timers. Nothing is taken
    /// then.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::{select, time::sleep};
    ///
    /// let pool = bp::aio::SleepPool::new(8);
    /// let mut timeout = pool.get(Duration::from_secs(30));
    /// let timed_out = select! {
    ///     () = sleep(Duration::from_secs(1)) => false, // the work
    ///     () = &mut timeout => true,
    /// };
    /// assert!(!timed_out);
    /// # }
    /// ```
    #[track_caller]
    pub fn get(&self, duration: Duration) -> SleepRef {
        self.get_until(deadline(duration))
    }

    /// Returns a timer that completes at that instant.
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
    /// let pool = bp::aio::SleepPool::new(8);
    /// let deadline = Instant::now() + Duration::from_secs(2);
    /// pool.get_until(deadline).await;
    /// assert!(Instant::now() >= deadline);
    /// # }
    /// ```
    #[track_caller]
    pub fn get_until(&self, deadline: Instant) -> SleepRef {
        let mut sleep = self.of_this_runtime(PooledSleep::new);
        sleep.reset(deadline);
        sleep
    }
}

/// A [`Sleep`] that can be moved, from a [`SleepPool`]; what a [`SleepRef`] derefs to.
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use std::time::Duration;
/// use bp::aio::{PooledSleep, SleepPool, SleepRef};
///
/// let pool = SleepPool::new(8);
/// let sleep: PooledSleep = SleepRef::detach(pool.get(Duration::from_secs(2)));
/// sleep.await; // is `Unpin`, and belongs to no pool now
/// assert_eq!(pool.len(), 0);
/// # }
/// ```
pub struct PooledSleep {
    sleep: Pin<Box<Sleep>>,
    home: Home,
}

impl PooledSleep {
    #[track_caller]
    fn new(home: Home) -> Self {
        PooledSleep { sleep: Box::pin(tokio::time::sleep_until(long_ago())), home }
    }

    /// Returns the instant at which it completes.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::time::Instant;
    ///
    /// let pool = bp::aio::SleepPool::new(8);
    /// let sleep = pool.get(Duration::from_secs(2));
    /// assert_eq!((sleep.deadline() - Instant::now()).as_secs(), 2);
    /// # }
    /// ```
    pub fn deadline(&self) -> Instant {
        self.sleep.deadline()
    }

    /// Returns whether that instant has passed, as the runtime sees it.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    ///
    /// let pool = bp::aio::SleepPool::new(8);
    /// let mut sleep = pool.get(Duration::from_secs(2));
    /// assert!(!sleep.is_elapsed());
    /// (&mut sleep).await;
    /// assert!(sleep.is_elapsed());
    /// # }
    /// ```
    pub fn is_elapsed(&self) -> bool {
        self.sleep.is_elapsed()
    }

    /// Sets another instant, also after it completed.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use std::time::Duration;
    /// use tokio::time::Instant;
    ///
    /// let pool = bp::aio::SleepPool::new(8);
    /// let mut sleep = pool.get(Duration::from_secs(2));
    /// (&mut sleep).await;
    /// sleep.reset(Instant::now() + Duration::from_secs(1)); // and again
    /// (&mut sleep).await;
    /// assert!(sleep.is_elapsed());
    /// # }
    /// ```
    pub fn reset(&mut self, deadline: Instant) {
        self.sleep.as_mut().reset(deadline);
    }

    /// Takes it off its runtime's list, and lets go of whoever waited for it.
    ///
    /// Left on the list it would wake a task that is long done, keep that task's memory, and let
    /// a paused clock advance to it.
    ///
    /// A new timer in the place of the old one does that without a poll, which would panic while
    /// the runtime shuts down. It is in the same runtime, as only such are kept.
    fn disarm(&mut self) {
        self.sleep.set(tokio::time::sleep_until(long_ago()));
    }
}

impl Future for PooledSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.sleep.as_mut().poll(cx)
    }
}

impl Debug for PooledSleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PooledSleep").field("deadline", &self.deadline()).finish_non_exhaustive()
    }
}

/// Completes when the timer does, and may be reset and awaited again.
impl Future for SleepRef {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut **self).poll(cx)
    }
}
