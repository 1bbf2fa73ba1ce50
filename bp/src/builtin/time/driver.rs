//! `Driver`: the locks, the thread, and who wakes it when.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::agenda::Agenda;
use super::node::{Node, Place};
use crate::sync::{Condvar, Mutex, MutexGuard, Padded};

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
    shards: [Padded<Mutex<Schedule>>; SHARDS],
    /// Timers made so far; each goes to the shard after that of the one before.
    made: AtomicUsize,
    thread: Mutex<Thread>,
    /// Waited for by the thread alone, with `thread`.
    wake: Condvar,
}

/// Some of the timers.
#[derive(Debug, Default)]
struct Schedule {
    agenda: Agenda,
    /// By when the thread looks at the agenda again; `None`: not before it is woken (I3).
    ///
    /// Stopping the first timer leaves it as it is: the thread then wakes once for nothing, and
    /// who arms another in the meantime need not wake it. A timeout that is set for each request
    /// costs one idle wake per length of the timeout in place of one per request.
    looks_at: Option<Instant>,
}

#[derive(Debug, Default)]
struct Thread {
    is_running: bool,
    /// Somebody moved a `looks_at` since the thread last began to look.
    is_woken: bool,
}

/// Two threads that share one lock pay 830 ns for a get and a return, with eight 79, as one thread.
#[cfg(not(all(test, loom)))]
const SHARDS: usize = 8;
#[cfg(all(test, loom))]
const SHARDS: usize = 2;

/// How many timers of a shard fire before others get at its lock. Each may wake a thread, which is
/// a system call.
const AT_ONCE: usize = 64;

impl Driver {
    pub(super) fn new() -> Self {
        Driver {
            shards: std::array::from_fn(|_| Padded::default()),
            made: AtomicUsize::new(0),
            thread: Mutex::default(),
            wake: Condvar::new(),
        }
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
        let mut thread = lock(&self.thread);
        if !thread.is_running {
            start()?;
            thread.is_running = true;
        }
        drop(thread);

        // Relaxed: only the number counts.
        let shard = self.made.fetch_add(1, Ordering::Relaxed) % SHARDS;
        let node = Arc::new(Node::new(shard));
        self.schedule(&node).agenda.admit();
        Ok(node)
    }

    /// Ends a timer.
    pub(super) fn dismiss(&self, node: &Node) {
        let mut schedule = self.schedule(node);
        schedule.agenda.disarm(node);
        schedule.agenda.dismiss();
    }

    /// Arms a timer, in place of what it was armed with; what it sent so far is gone.
    ///
    /// Returns whether that is something: it was armed, or had sent what nobody received.
    pub(super) fn arm(&self, node: &Arc<Node>, at: Option<Instant>, every: Duration) -> bool {
        let mut schedule = self.schedule(node);
        let was_armed = schedule.agenda.arm(node, at, every);
        let had_sent = node.take_back();
        let is_early = at.is_some_and(|at| schedule.looks_at.is_none_or(|looks_at| at < looks_at));
        if is_early {
            schedule.looks_at = at;
        }
        drop(schedule);

        // Only where needed: with the wake a reset costs microseconds, without it 40 ns.
        if is_early {
            lock(&self.thread).is_woken = true;
            self.wake.notify_one();
        }
        was_armed | had_sent
    }

    /// Stops a timer; what it sent so far is gone. Returns whether that is something, as
    /// [`arm`](Self::arm) does.
    pub(super) fn disarm(&self, node: &Node) -> bool {
        let mut schedule = self.schedule(node);
        schedule.agenda.disarm(node) | node.take_back()
    }

    pub(super) fn is_armed(&self, node: &Node) -> bool {
        let _schedule = self.schedule(node);
        node.place() != Place::Unarmed
    }

    pub(super) fn deadline(&self, node: &Node) -> Option<Instant> {
        self.schedule(node).agenda.deadline(node)
    }

    /// One turn of the thread: fires what is due, or else sleeps until something may be.
    pub(super) fn turn(&self, clock: impl Fn() -> Instant) {
        let now = clock();
        let (mut fired, mut next) = (0, None::<Instant>);
        for shard in &self.shards {
            let mut schedule = lock(shard);
            fired += (0..AT_ONCE).take_while(|_| schedule.agenda.fire_first(now)).count();
            // A time to come stands, also where its timer was stopped: the next one of that kind
            // then need not wake the thread.
            if schedule.looks_at.is_none_or(|at| at <= now) {
                schedule.looks_at = schedule.agenda.first();
            }
            next = next.into_iter().chain(schedule.looks_at).min();
        }
        if fired > 0 {
            return;
        }

        let mut thread = lock(&self.thread);
        if !thread.is_woken {
            thread = match next {
                Some(at) => {
                    let left = at.saturating_duration_since(clock());
                    let woken = self.wake.wait_timeout(thread, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.wake.wait(thread).unwrap_or_else(PoisonError::into_inner),
            };
        }
        // Woken too early or for nothing, the next turn finds out.
        thread.is_woken = false;
    }

    /// Locks the shard of a node.
    fn schedule(&self, node: &Node) -> MutexGuard<'_, Schedule> {
        lock(&self.shards[node.shard()])
    }
}

/// Locks what is whole even if poisoned: nothing that can panic comes between two of its changes.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
                let _schedule = driver.schedule(&node);
                panic!("with the lock");
            });
            panics.join().unwrap_err();
        });
        assert!(driver.shards[node.shard()].is_poisoned());
        assert!(driver.schedule(&node).agenda.fire_first(now));
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
            driver.schedule(&node).looks_at
        };

        assert_eq!(looks_at(None), None);
        assert_eq!(looks_at(after(10)), after(10));
        assert_eq!(looks_at(after(20)), after(10));
        driver.disarm(&node);
        assert_eq!(looks_at(after(30)), after(10));
        assert_eq!(looks_at(after(5)), after(5));
    }
}
