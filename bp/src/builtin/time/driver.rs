//! `Driver`: the lock, the thread, and when the one wakes the other.

use std::io;
use std::sync::{Arc, LazyLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::agenda::Agenda;
use super::node::{Node, Place};
use crate::sync::{Condvar, Mutex, MutexGuard};

#[cfg(all(test, loom))]
#[path = "models.rs"]
mod models;

/// Fires what is due, from one thread for the whole process.
///
/// The thread starts with the first timer and never ends. With nothing armed it sleeps until it is
/// woken, so what it costs then is the memory of its stack. To end it with the last timer would
/// save that, and start a thread for each timer in a process that uses them one at a time.
#[derive(Debug)]
pub(super) struct Driver {
    schedule: Mutex<Schedule>,
    /// Waited for by the thread alone.
    wake: Condvar,
}

#[derive(Debug)]
struct Schedule {
    agenda: Agenda,
    /// By when the thread looks at the agenda again; `None`: not before it is woken (I3).
    ///
    /// Stopping the first timer leaves it as it is: the thread then wakes once for nothing, and
    /// who arms another in the meantime need not wake it. A timeout that is set for each request
    /// costs one idle wake per length of the timeout in place of two wakes per request.
    looks_at: Option<Instant>,
    is_running: bool,
}

/// How many timers fire before others get at the lock. Each may wake a thread, which is a system
/// call.
const AT_ONCE: usize = 64;

impl Driver {
    pub(super) fn new() -> Self {
        let schedule = Schedule { agenda: Agenda::default(), looks_at: None, is_running: false };
        Driver { schedule: Mutex::new(schedule), wake: Condvar::new() }
    }

    /// Returns the driver of the process. Its thread may not run yet.
    #[inline]
    pub(super) fn global() -> &'static Self {
        static DRIVER: LazyLock<Driver> = LazyLock::new(Driver::new);
        &DRIVER
    }

    /// Starts the thread of the process's driver.
    pub(super) fn spawn() -> io::Result<()> {
        let run = || {
            loop {
                Driver::global().turn(Instant::now);
            }
        };
        thread::Builder::new().name("bp-timer".to_owned()).spawn(run).map(drop)
    }

    /// Makes an unarmed timer, after `start` started the thread if none runs yet.
    ///
    /// If that fails, everything is as before, and the next one tries again.
    pub(super) fn admit(&self, start: impl FnOnce() -> io::Result<()>) -> io::Result<Arc<Node>> {
        let node = Arc::new(Node::new());
        let mut schedule = self.lock();
        if !schedule.is_running {
            start()?;
            schedule.is_running = true;
        }
        schedule.agenda.admit();
        Ok(node)
    }

    /// Ends a timer.
    pub(super) fn dismiss(&self, node: &Node) {
        let mut schedule = self.lock();
        schedule.agenda.disarm(node);
        schedule.agenda.dismiss();
    }

    /// Arms a timer, in place of what it was armed with; what it sent so far is gone.
    ///
    /// Returns whether that is something: it was armed, or had sent what nobody received.
    pub(super) fn arm(&self, node: &Arc<Node>, at: Option<Instant>, every: Duration) -> bool {
        let mut schedule = self.lock();
        let was_armed = schedule.agenda.arm(node, at, every);
        let had_sent = node.take_back();
        let is_early = at.is_some_and(|at| schedule.looks_at.is_none_or(|looks_at| at < looks_at));
        if is_early {
            schedule.looks_at = at;
        }
        drop(schedule);

        // After the lock is free, so that the thread does not wake only to wait for it. Only where
        // needed: with the wake a reset costs microseconds, without it 40 ns (benches, `timers`).
        if is_early {
            self.wake.notify_one();
        }
        was_armed | had_sent
    }

    /// Stops a timer; what it sent so far is gone. Returns whether that is something, as
    /// [`arm`](Self::arm) does.
    pub(super) fn disarm(&self, node: &Node) -> bool {
        let mut schedule = self.lock();
        schedule.agenda.disarm(node) | node.take_back()
    }

    pub(super) fn is_armed(&self, node: &Node) -> bool {
        let _schedule = self.lock();
        node.place() != Place::Unarmed
    }

    pub(super) fn deadline(&self, node: &Node) -> Option<Instant> {
        self.lock().agenda.deadline(node)
    }

    /// One turn of the thread: fires what is due, or else sleeps until something may be.
    pub(super) fn turn(&self, clock: impl FnOnce() -> Instant) {
        let mut schedule = self.lock();
        let now = clock();
        let fired = (0..AT_ONCE).take_while(|_| schedule.agenda.fire_first(now)).count();
        if fired > 0 {
            drop(schedule);
            if fired == AT_ONCE {
                // The lock is not fair: without this the thread would have it right again.
                thread::yield_now();
            }
            return;
        }
        schedule.looks_at = schedule.agenda.first();
        // Woken too early or for nothing, the next turn finds out.
        match schedule.looks_at {
            Some(at) => {
                let left = at.saturating_duration_since(now);
                drop(
                    self.wake.wait_timeout(schedule, left).unwrap_or_else(PoisonError::into_inner),
                );
            }
            None => drop(self.wake.wait(schedule).unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Schedule> {
        // Whole even if poisoned: nothing that can panic comes between two of its changes.
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn fails() -> io::Result<()> {
        Err(io::ErrorKind::WouldBlock.into())
    }

    #[test]
    fn thread_that_does_not_start_is_an_error_and_may_start_later() {
        let driver = Driver::new();
        assert_eq!(driver.admit(fails).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        driver.admit(|| Ok(())).expect("it starts now");
        driver.admit(fails).expect("it runs, so it is not started again");
    }

    #[test]
    fn poisoned_lock_stops_nothing() {
        let driver = Driver::new();
        let node = driver.admit(|| Ok(())).expect("it starts");
        let now = Instant::now();
        driver.arm(&node, Some(now), Duration::ZERO);
        thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let _schedule = driver.lock();
                panic!("with the lock");
            });
            panics.join().unwrap_err();
        });
        assert!(driver.schedule.is_poisoned());
        assert!(driver.lock().agenda.fire_first(now));
        assert_eq!(node.receiver().try_recv(), Ok(now));
        assert!(!driver.disarm(&node));
        driver.dismiss(&node);
    }

    /// Whoever arms wakes the thread only if it would come too late.
    #[test]
    fn thread_is_woken_for_an_earlier_deadline_only() {
        let driver = Driver::new();
        let start = Instant::now();
        let after = |seconds| Some(start + Duration::from_secs(seconds));
        let node = driver.admit(|| Ok(())).expect("it starts");
        let looks_at = |at| {
            driver.arm(&node, at, Duration::ZERO);
            driver.lock().looks_at
        };

        assert_eq!(looks_at(None), None);
        assert_eq!(looks_at(after(10)), after(10));
        assert_eq!(looks_at(after(20)), after(10));
        driver.disarm(&node);
        assert_eq!(looks_at(after(30)), after(10));
        assert_eq!(looks_at(after(5)), after(5));
    }
}
