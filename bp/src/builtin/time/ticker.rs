//! `Ticker`: fires again and again, in a cadence that does not drift.

use std::fmt::{self, Debug};
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::alarm::Alarm;

/// A channel that gets a message in every period, and can be set again.
///
/// The message is the instant at which it was sent. The ticks keep the cadence of the first: each
/// is due a whole number of periods after it, however late another was. (After a late tick
/// [`crossbeam_channel::tick`] counts from that one.) The channel holds one message: a receiver
/// that is slower than the ticks loses those that find it full, and is not flooded afterwards.
///
/// [`stop`](Self::stop) and [`reset`](Self::reset) leave nothing of the time before, as those of
/// a [`Timer`](crate::Timer) do, and the same thread drives both.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// let ticker = bp::Ticker::new(Duration::from_millis(1));
/// for _ in 0..3 {
///     ticker.wait();
/// }
/// ticker.stop();
/// assert_eq!(ticker.wait(), None);
/// ```
pub struct Ticker {
    alarm: Alarm,
}

impl Ticker {
    /// Makes a ticker whose first tick comes a `period` from now.
    ///
    /// With a period that leads beyond what [`Instant`] can say no tick ever comes.
    ///
    /// # Panics
    ///
    /// Panics if the period is zero; and if this is the first timer of the process and the thread
    /// that drives them cannot be started, which [`unarmed`](Self::unarmed) returns as an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::new(Duration::from_millis(1));
    /// let first = ticker.wait();
    /// assert!(ticker.wait() > first);
    /// ```
    #[track_caller]
    pub fn new(period: Duration) -> Self {
        check_period(&period);
        let ticker = Ticker { alarm: Alarm::new_or_panic() };
        ticker.reset(period);
        ticker
    }

    /// Makes a ticker that ticks when it is [`reset`](Self::reset), and not before.
    ///
    /// # Errors
    ///
    /// What the system says where this is the first timer of the process and the thread that
    /// drives them cannot be started. The next one tries again.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::unarmed()?;
    /// assert_eq!(ticker.wait(), None); // at once: nothing would come
    /// ticker.reset(Duration::from_millis(1));
    /// assert!(ticker.wait().is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn unarmed() -> io::Result<Self> {
        Alarm::new().map(|alarm| Ticker { alarm })
    }

    /// Sets the period, in place of what was set before; the first tick comes a period from now.
    ///
    /// Returns whether the ticker was running. A tick that nobody had received is gone. Periods as
    /// for [`new`](Self::new).
    ///
    /// # Panics
    ///
    /// Panics if the period is zero; the ticker runs on as before then.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::new(Duration::from_secs(60));
    /// assert!(ticker.reset(Duration::from_millis(1))); // was running
    /// assert!(ticker.wait().is_some());
    /// ```
    #[inline]
    #[track_caller]
    pub fn reset(&self, period: Duration) -> bool {
        check_period(&period);
        self.alarm.arm(Instant::now().checked_add(period), period)
    }

    /// Sets the period, and when the first tick comes, as [`reset`](Self::reset) does.
    ///
    /// A first tick that is past comes at once, and the others as if it had been on time.
    ///
    /// # Panics
    ///
    /// Panics if the period is zero; the ticker runs on as before then.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let ticker = bp::Ticker::unarmed()?;
    /// ticker.reset_at(Instant::now(), Duration::from_secs(60));
    /// assert!(ticker.wait().is_some()); // the first tick is not a minute away
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn reset_at(&self, first: Instant, period: Duration) -> bool {
        check_period(&period);
        self.alarm.arm(Some(first), period)
    }

    /// Stops the ticker: nothing is received from here on, until it is reset.
    ///
    /// Returns whether it was running. A thread that waits for it waits on.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::new(Duration::from_millis(1));
    /// ticker.wait();
    /// assert!(ticker.stop());
    /// assert!(ticker.receiver().try_recv().is_err()); // also if it had ticked again
    /// assert!(!ticker.stop());
    /// ```
    #[inline]
    pub fn stop(&self) -> bool {
        self.alarm.disarm()
    }

    /// Returns whether the ticker is running.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::new(Duration::from_millis(1));
    /// ticker.wait();
    /// assert!(ticker.is_armed()); // a tick does not end it
    /// ticker.stop();
    /// assert!(!ticker.is_armed());
    /// ```
    pub fn is_armed(&self) -> bool {
        self.alarm.is_armed()
    }

    /// Returns when the next tick is due: `None` if the ticker is stopped, or that never comes.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let ticker = bp::Ticker::unarmed()?;
    /// let first = Instant::now() + Duration::from_secs(60);
    /// ticker.reset_at(first, Duration::from_secs(1));
    /// assert_eq!(ticker.deadline(), Some(first));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn deadline(&self) -> Option<Instant> {
        self.alarm.deadline()
    }

    /// Returns the receiver of the ticks, for `select!`.
    ///
    /// A clone of it takes ticks from this one, and is disconnected when the ticker is dropped. A
    /// clone of the receiver of a pooled ticker that is kept after the guard takes from the next
    /// user.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use crossbeam_channel::{never, select};
    ///
    /// let requests = never::<String>();
    /// let heartbeat = bp::Ticker::new(Duration::from_millis(1));
    /// let mut beats = 0;
    /// while beats < 3 {
    ///     select! {
    ///         recv(requests) -> _ => unreachable!(),
    ///         recv(heartbeat.receiver()) -> _ => beats += 1,
    ///     }
    /// }
    /// ```
    #[inline]
    pub fn receiver(&self) -> &Receiver<Instant> {
        self.alarm.receiver()
    }

    /// Waits for the next tick, and returns when it was sent.
    ///
    /// One that came before and was not received counts. Returns `None` at once where nothing
    /// would come, as the ticker is stopped. If another thread stops it meanwhile, waits until it
    /// is reset and ticks.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::new(Duration::from_millis(1));
    /// assert!(ticker.wait().is_some());
    /// ticker.stop();
    /// assert_eq!(ticker.wait(), None);
    /// ```
    pub fn wait(&self) -> Option<Instant> {
        self.alarm.wait()
    }

    /// Waits for the next tick, for `timeout` at most, and returns when it was sent.
    ///
    /// Returns `None` where none came, and at once where none would, as [`wait`](Self::wait) does.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let ticker = bp::Ticker::new(Duration::from_secs(60));
    /// assert_eq!(ticker.wait_timeout(Duration::from_millis(1)), None);
    /// ```
    pub fn wait_timeout(&self, timeout: Duration) -> Option<Instant> {
        self.alarm.wait_timeout(timeout)
    }
}

/// Refuses a ticker that would always be due. By reference, as an `admit` step looks at it.
#[inline]
#[track_caller]
pub(super) fn check_period(period: &Duration) {
    assert!(!period.is_zero(), "the period of a ticker must not be zero");
}

impl Debug for Ticker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticker")
            .field("is_armed", &self.is_armed())
            .field("deadline", &self.deadline())
            .finish_non_exhaustive()
    }
}
