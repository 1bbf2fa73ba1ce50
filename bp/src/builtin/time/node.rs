//! A node: a timer's channel, and its place in the agenda.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

/// What a timer shares with the agenda while it is armed.
#[derive(Debug)]
pub(super) struct Node {
    /// The shard of the driver whose lock and agenda are this node's.
    shard: usize,
    /// Where in the agenda the node is, or [`UNARMED`], or [`BEYOND`].
    ///
    /// Read and written under the lock of its shard only, which does the ordering; an atomic since
    /// that is free here, and needs no proof.
    place: AtomicUsize,
    /// Sent into under the lock of its shard only. One slot: a tick that finds it taken is lost.
    sender: Sender<Instant>,
    receiver: Receiver<Instant>,
}

/// The place of a node whose timer is not armed.
const UNARMED: usize = usize::MAX;
/// The place of a node whose timer is armed with a deadline that no clock reaches.
const BEYOND: usize = usize::MAX - 1;

/// What a timer waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Unarmed,
    Beyond,
    At(usize),
}

impl Node {
    pub(super) fn new(shard: usize) -> Self {
        let (sender, receiver) = bounded(1);
        Node { shard, place: AtomicUsize::new(UNARMED), sender, receiver }
    }

    #[inline]
    pub(super) fn shard(&self) -> usize {
        self.shard
    }

    pub(super) fn receiver(&self) -> &Receiver<Instant> {
        &self.receiver
    }

    pub(super) fn place(&self) -> Place {
        match self.place.load(Ordering::Relaxed) {
            UNARMED => Place::Unarmed,
            BEYOND => Place::Beyond,
            index => Place::At(index),
        }
    }

    pub(super) fn set_place(&self, place: Place) {
        let place = match place {
            Place::Unarmed => UNARMED,
            Place::Beyond => BEYOND,
            Place::At(index) => index,
        };
        self.place.store(place, Ordering::Relaxed);
    }

    /// Sends what the timer's receiver is to get, unless it did not yet take the last one.
    pub(super) fn fire(&self, now: Instant) {
        let _slow_receivers_lose_ticks = self.sender.try_send(now);
    }

    /// Takes back what was sent and not received; returns whether there was something.
    pub(super) fn take_back(&self) -> bool {
        // Looking first is cheaper where nothing was sent, which is the rule.
        !self.receiver.is_empty() && self.receiver.try_recv().is_ok()
    }
}
