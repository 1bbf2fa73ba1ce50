//! `Alarm`: what a timer and a ticker have in common.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::driver::Driver;
use super::node::Node;

/// A node that was admitted to the driver, and leaves it when dropped.
#[derive(Debug)]
pub(super) struct Alarm {
    node: Arc<Node>,
}

impl Alarm {
    pub(super) fn new() -> io::Result<Self> {
        Driver::global().admit(Driver::spawn).map(|node| Alarm { node })
    }

    /// As [`new`](Self::new), for constructors that document their panic.
    #[track_caller]
    pub(super) fn new_or_panic() -> Self {
        match Self::new() {
            Ok(alarm) => alarm,
            Err(error) => panic!("the thread that drives timers cannot be started: {error}"),
        }
    }

    /// Sets when it fires next, and how often from then on; zero is once. Returns whether it was
    /// pending.
    #[inline]
    pub(super) fn arm(&self, at: Option<Instant>, every: Duration) -> bool {
        Driver::global().arm(&self.node, at, every)
    }

    /// Returns whether it was pending.
    #[inline]
    pub(super) fn disarm(&self) -> bool {
        Driver::global().disarm(&self.node)
    }

    pub(super) fn is_armed(&self) -> bool {
        Driver::global().is_armed(&self.node)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        Driver::global().deadline(&self.node)
    }

    #[inline]
    pub(super) fn receiver(&self) -> &Receiver<Instant> {
        self.node.receiver()
    }

    pub(super) fn wait(&self) -> Option<Instant> {
        self.wait_with(|receiver| receiver.recv().ok())
    }

    pub(super) fn wait_timeout(&self, timeout: Duration) -> Option<Instant> {
        self.wait_with(|receiver| receiver.recv_timeout(timeout).ok())
    }

    /// Waits only where something comes. What is sent is sent before the alarm is no longer
    /// armed, so whoever sees it unarmed finds that in the channel, or nothing.
    fn wait_with(
        &self,
        wait: impl FnOnce(&Receiver<Instant>) -> Option<Instant>,
    ) -> Option<Instant> {
        if self.is_armed() { wait(self.receiver()) } else { self.receiver().try_recv().ok() }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        Driver::global().dismiss(&self.node);
    }
}
