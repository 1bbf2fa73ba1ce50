//! `Timer`: fires once, and can be set again.

use std::fmt::{self, Debug};
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::alarm::Alarm;

/// A channel that gets one message when its time has come, and can be set again.
///
/// The message is the instant at which it was sent, never before the deadline. It waits in
/// [`receiver`](Self::receiver), which is an ordinary crossbeam receiver, so a timer is one more
/// arm of a `select!`.
///
/// [`stop`](Self::stop) and [`reset`](Self::reset) keep Go's promise: once they return, nothing of
/// the time before is received, also where the timer was firing at that moment. They take
/// `&self`, and may be called from any thread, also while another waits.
///
/// Timers fire from one thread, `bp-timer`, that starts with the first of them and stays; with
/// nothing armed it sleeps. A process that forks has no such thread in the child.
///
/// # Which timer to take
///
/// For one timeout around one receive `recv_timeout` or [`crossbeam_channel::after`] is the better
/// tool: no thread is needed, and nothing has to be stopped. Making and dropping an `after` costs
/// 40 ns, a timer 261 ns and three allocations. A [`TimerPool`](crate::TimerPool) saves the
/// allocations, not the arming and stopping: 71 ns.
///
/// A timer pays where it is armed again and again, by a reset (40 ns, and no allocation); where a
/// stop must be certain; where its receiver is handed out before its time is known; and as a
/// [ticker](crate::Ticker) whose cadence must not drift. It fires by way of another thread, so some
/// microseconds after its time.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use bp::Timer;
/// use crossbeam_channel::{select, unbounded};
///
/// let (sender, requests) = unbounded();
/// sender.send("ping")?;
///
/// let idle = Timer::new(Duration::from_millis(5));
/// let mut served = 0;
/// loop {
///     select! {
///         recv(requests) -> request => {
///             served += request?.len();
///             idle.reset(Duration::from_millis(5));
///         }
///         recv(idle.receiver()) -> _ => break,
///     }
/// }
/// assert_eq!(served, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Timer {
    alarm: Alarm,
}

impl Timer {
    /// Makes a timer that fires `after` from now.
    ///
    /// A duration of zero fires at once; one that leads beyond what [`Instant`] can say never does.
    ///
    /// # Panics
    ///
    /// Panics if this is the first timer of the process and the thread that drives them cannot be
    /// started; [`unarmed`](Self::unarmed) returns that as an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let timer = bp::Timer::new(Duration::from_millis(1));
    /// assert!(timer.wait().is_some()); // when it fired
    /// ```
    #[track_caller]
    pub fn new(after: Duration) -> Self {
        let timer = Timer { alarm: Alarm::new_or_panic() };
        timer.reset(after);
        timer
    }

    /// Makes a timer that fires when it is [`reset`](Self::reset), and not before.
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
    /// let timer = bp::Timer::unarmed()?;
    /// assert!(!timer.is_armed());
    /// timer.reset(Duration::from_millis(1));
    /// assert!(timer.wait().is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn unarmed() -> io::Result<Self> {
        Alarm::new().map(|alarm| Timer { alarm })
    }

    /// Sets the timer to fire `after` from now, in place of what it was set to before.
    ///
    /// Returns whether it was pending: armed, or fired with nobody having received that. What it
    /// had sent is gone. Durations as for [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use bp::Timer;
    ///
    /// let timer = Timer::new(Duration::from_secs(60));
    /// assert!(timer.reset(Duration::ZERO));
    /// timer.wait();
    /// assert!(!timer.reset(Duration::MAX)); // had fired, and that was received
    /// assert!(timer.stop());
    /// assert!(!timer.stop());
    /// ```
    #[inline]
    pub fn reset(&self, after: Duration) -> bool {
        self.alarm.arm(Instant::now().checked_add(after), Duration::ZERO)
    }

    /// Sets the timer to fire at `deadline`, as [`reset`](Self::reset) does; one that is past
    /// fires at once.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let timer = bp::Timer::new(Duration::from_secs(60));
    /// timer.reset_at(Instant::now()); // fires at once instead
    /// assert!(timer.wait().is_some());
    /// ```
    #[inline]
    pub fn reset_at(&self, deadline: Instant) -> bool {
        self.alarm.arm(Some(deadline), Duration::ZERO)
    }

    /// Stops the timer: nothing is received from here on, until it is reset.
    ///
    /// Returns whether it was pending: armed, or fired with nobody having received that. A thread
    /// that waits for it waits on.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let timer = bp::Timer::new(Duration::ZERO);
    /// assert!(timer.stop());
    /// assert!(timer.receiver().try_recv().is_err()); // also if it had fired
    /// ```
    #[inline]
    pub fn stop(&self) -> bool {
        self.alarm.disarm()
    }

    /// Returns whether the timer is set and has not fired.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let timer = bp::Timer::new(Duration::from_secs(60));
    /// assert!(timer.is_armed());
    /// timer.stop();
    /// assert!(!timer.is_armed());
    /// ```
    pub fn is_armed(&self) -> bool {
        self.alarm.is_armed()
    }

    /// Returns when the timer fires: `None` if it is not armed, or with a time that never comes.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let timer = bp::Timer::unarmed()?;
    /// assert_eq!(timer.deadline(), None);
    ///
    /// let deadline = Instant::now() + Duration::from_secs(60);
    /// timer.reset_at(deadline);
    /// assert_eq!(timer.deadline(), Some(deadline));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn deadline(&self) -> Option<Instant> {
        self.alarm.deadline()
    }

    /// Returns the receiver of what the timer sends, for `select!`.
    ///
    /// A clone of it gets what the timer sends instead of this one, not as well, and is disconnected
    /// when the timer is dropped. A clone of the receiver of a pooled timer that is kept after the
    /// guard takes from the next user.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use crossbeam_channel::{never, select};
    ///
    /// let replies = never::<String>();
    /// let timer = bp::Timer::new(Duration::from_millis(1));
    /// let timed_out = select! {
    ///     recv(replies) -> _ => false,
    ///     recv(timer.receiver()) -> _ => true,
    /// };
    /// assert!(timed_out);
    /// ```
    #[inline]
    pub fn receiver(&self) -> &Receiver<Instant> {
        self.alarm.receiver()
    }

    /// Waits until the timer fires, and returns when it did.
    ///
    /// Returns `None` at once where nothing would come: the timer is not armed, and what it sent
    /// was received. If another thread meanwhile stops it, or receives first, waits until it is
    /// reset and fires.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// let timer = bp::Timer::unarmed()?;
    /// assert_eq!(timer.wait(), None);
    ///
    /// timer.reset_at(deadline);
    /// assert!(timer.wait() >= Some(deadline));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn wait(&self) -> Option<Instant> {
        self.alarm.wait()
    }

    /// Waits until the timer fires, for `timeout` at most, and returns when it did.
    ///
    /// Returns `None` where it did not, and at once where nothing would come, as
    /// [`wait`](Self::wait) does.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let timer = bp::Timer::new(Duration::from_secs(60));
    /// assert_eq!(timer.wait_timeout(Duration::from_millis(1)), None);
    /// assert!(timer.is_armed()); // it goes on
    /// ```
    pub fn wait_timeout(&self, timeout: Duration) -> Option<Instant> {
        self.alarm.wait_timeout(timeout)
    }
}

impl Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timer")
            .field("is_armed", &self.is_armed())
            .field("deadline", &self.deadline())
            .finish_non_exhaustive()
    }
}
