//! The depot's ring on loom's atomics: the algorithm of `crossbeam_queue::ArrayQueue`, after
//! Vyukov, ordering by ordering.
//!
//! The models need it, since loom sees nothing of a queue built on std's atomics, and a stand-in
//! behind a mutex would order more than the ring does and so hide what the depot forgets to.
//!
//! `head` and `tail` are stamps: an index in the low bits, the lap in those above. A slot whose
//! stamp equals `tail` is free for the push at `tail`; one whose stamp equals `head + 1` holds
//! what the pop at `head` takes.

use std::mem::MaybeUninit;

use crate::sync::{AtomicUsize, Ordering, UnsafeCell, fence, pause};

pub(super) struct Ring<T> {
    /// Where the next pop takes.
    head: AtomicUsize,
    /// Where the next push puts.
    tail: AtomicUsize,
    slots: Box<[Slot<T>]>,
    /// The stamp of lap 1, index 0: the smallest power of two above the number of slots.
    one_lap: usize,
}

struct Slot<T> {
    stamp: AtomicUsize,
    /// Initialised from the push of a lap to its pop.
    value: UnsafeCell<MaybeUninit<T>>,
}

impl<T> Ring<T> {
    pub(super) fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "as `ArrayQueue` does");
        let slot = |at| Slot {
            stamp: AtomicUsize::new(at),
            value: UnsafeCell::new(MaybeUninit::uninit()),
        };
        Ring {
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
            slots: (0..capacity).map(slot).collect(),
            one_lap: (capacity + 1).next_power_of_two(),
        }
    }

    pub(super) fn push(&self, value: T) -> Result<(), T> {
        let mut tail = self.tail.load(Ordering::Relaxed);
        for turn in 0.. {
            let slot = self.slot(tail);
            // Acquire: pairs with the Release of the pop that emptied the slot.
            let stamp = slot.stamp.load(Ordering::Acquire);

            if stamp == tail {
                // The slot is free: claim it.
                match self.tail.compare_exchange_weak(
                    tail,
                    self.after(tail),
                    Ordering::SeqCst,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => {
                        slot.value.with_mut(|place| {
                            // SAFETY: claimed, so nobody else looks at it until the stamp says so.
                            unsafe { place.write(MaybeUninit::new(value)) };
                        });
                        // Release: pairs with the Acquire of the pop, shows the value.
                        slot.stamp.store(tail + 1, Ordering::Release);
                        return Ok(());
                    }
                    Err(now) => tail = now,
                }
                continue;
            }
            if stamp + self.one_lap == tail + 1 {
                // Still holds what the lap before put there. Full, unless a pop has claimed it.
                fence(Ordering::SeqCst);
                let head = self.head.load(Ordering::Relaxed);
                if head + self.one_lap == tail {
                    return Err(value);
                }
            }
            // A pop is not done with the slot, or `tail` is old.
            pause(turn);
            tail = self.tail.load(Ordering::Relaxed);
        }
        unreachable!()
    }

    pub(super) fn pop(&self) -> Option<T> {
        let mut head = self.head.load(Ordering::Relaxed);
        for turn in 0.. {
            let slot = self.slot(head);
            // Acquire: pairs with the Release of the push that filled the slot.
            let stamp = slot.stamp.load(Ordering::Acquire);

            if stamp == head + 1 {
                // The slot is filled: claim it.
                match self.head.compare_exchange_weak(
                    head,
                    self.after(head),
                    Ordering::SeqCst,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => {
                        let value = slot.value.with(|place| {
                            // SAFETY: claimed, so nobody else looks at it until the stamp says so.
                            let value = unsafe { place.read() };
                            // SAFETY: the stamp says that the push is done.
                            unsafe { value.assume_init() }
                        });
                        // Release: pairs with the Acquire of the next lap's push.
                        slot.stamp.store(head + self.one_lap, Ordering::Release);
                        return Some(value);
                    }
                    Err(now) => head = now,
                }
                continue;
            }
            if stamp == head {
                // Not filled in this lap. Empty, unless a push has claimed it.
                fence(Ordering::SeqCst);
                if self.tail.load(Ordering::Relaxed) == head {
                    return None;
                }
            }
            // A push is not done with the slot, or `head` is old.
            pause(turn);
            head = self.head.load(Ordering::Relaxed);
        }
        unreachable!()
    }

    pub(super) fn len(&self) -> usize {
        loop {
            let tail = self.tail.load(Ordering::SeqCst);
            let head = self.head.load(Ordering::SeqCst);
            // Both were true at once.
            if self.tail.load(Ordering::SeqCst) == tail {
                let at = |stamp| stamp & (self.one_lap - 1);
                return match at(tail).cmp(&at(head)) {
                    std::cmp::Ordering::Greater => at(tail) - at(head),
                    std::cmp::Ordering::Less => self.slots.len() - at(head) + at(tail),
                    std::cmp::Ordering::Equal if tail == head => 0,
                    std::cmp::Ordering::Equal => self.slots.len(),
                };
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let head = self.head.load(Ordering::SeqCst);
        let tail = self.tail.load(Ordering::SeqCst);
        tail == head
    }

    fn slot(&self, stamp: usize) -> &Slot<T> {
        &self.slots[stamp & (self.one_lap - 1)]
    }

    /// Returns the stamp that follows: the next index, or the first of the next lap.
    fn after(&self, stamp: usize) -> usize {
        let at = stamp & (self.one_lap - 1);
        if at + 1 < self.slots.len() { stamp + 1 } else { stamp - at + self.one_lap }
    }
}
