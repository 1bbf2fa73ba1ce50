//! The depot: where idle nodes wait that found no room in a shard.
//!
//! Bounded rings of node pointers ([`ArrayQueue`], after Vyukov), of which the first is enough
//! for most pools. A large depot is divided into rings of doubling size, each allocated when the
//! ones before it are full, so that a pool of a million objects costs nothing for those that do
//! not exist. Rings stay until the pool goes: 16 bytes for each object that was ever idle at once.
//!
//! Here alone a get or a return may wait for another thread: for one that has claimed a slot and
//! not yet filled or emptied it, which takes a few ns unless it is descheduled right there.
//!
//! [`ArrayQueue`]: crossbeam_queue::ArrayQueue

use std::ptr::{self, NonNull};

#[cfg(not(all(test, loom)))]
use crossbeam_queue::ArrayQueue as Ring;

use super::figures::difference;
use super::node::{Chain, Node};
#[cfg(all(test, loom))]
use super::ring::Ring;
use crate::Recipe;
use crate::sync::{AtomicPtr, AtomicUsize, Ordering, Padded};

/// A ring of nodes.
type Nodes<R> = Ring<NonNull<Node<R>>>;

/// Slots of the first ring.
const FIRST_RING: usize = 1024;

/// Bounded by the sum of its rings.
///
/// Pushed to only under the lock of an open shard (I4), so that closing, which takes every one of
/// those locks first, can empty it for good.
pub(super) struct Depot<R: Recipe> {
    /// Ring `i` has [`ring_slots`]`(i)` slots; null until needed. None are needed where the depot
    /// has no capacity.
    rings: Box<[AtomicPtr<Nodes<R>>]>,
    capacity: usize,
    pushed: Padded<PushSide>,
    popped: Padded<PopSide>,
}

/// What a push writes. Apart from what a pop writes: where one thread gets and another returns,
/// a line that both write costs more than the ring itself.
#[derive(Default)]
struct PushSide {
    /// Bytes held by the nodes that were pushed. Only kept up where the recipe measures.
    bytes: AtomicUsize,
}

/// What a pop writes.
struct PopSide {
    /// Nodes popped for a get or a take.
    hits: AtomicUsize,
    /// Bytes held by the nodes that were taken out. Only kept up where the recipe measures.
    bytes: AtomicUsize,
    /// The fewest nodes that were here at a time since the last trim: so many were not needed.
    low: AtomicUsize,
    /// What `hits` must reach before fewer than `low` can be here: not worth looking until then.
    look_at: AtomicUsize,
}

/// A `look_at` that is not reached: nothing is below a `low` of 0.
const NEVER: usize = isize::MAX.unsigned_abs();

impl<R: Recipe> Depot<R> {
    pub(super) fn new(capacity: usize) -> Self {
        let mut rings = Vec::new();
        while ring_start(rings.len()) < capacity {
            rings.push(AtomicPtr::new(ptr::null_mut()));
        }
        Depot {
            rings: rings.into_boxed_slice(),
            capacity,
            pushed: Padded::default(),
            popped: Padded(PopSide {
                hits: AtomicUsize::new(0),
                bytes: AtomicUsize::new(0),
                low: AtomicUsize::new(0),
                look_at: AtomicUsize::new(NEVER),
            }),
        }
    }

    /// Returns how many nodes are idle here.
    pub(super) fn len(&self) -> usize {
        self.made_rings().map(Ring::len).sum()
    }

    /// Returns whether a return would find room here now.
    pub(super) fn has_room(&self) -> bool {
        self.len() < self.capacity
    }

    /// Returns how many nodes were popped for a get or a take.
    pub(super) fn hits(&self) -> usize {
        // Relaxed: a snapshot, exact when nobody interferes.
        self.popped.hits.load(Ordering::Relaxed)
    }

    /// Returns the sum of the bytes that the nodes here held when they were returned.
    pub(super) fn bytes(&self) -> usize {
        // Relaxed: a snapshot.
        let popped = self.popped.bytes.load(Ordering::Relaxed);
        // A node may be popped before its push has counted it.
        difference(self.pushed.bytes.load(Ordering::Relaxed), [popped])
    }

    /// Pushes a node if there is room in the rings that exist; on success the depot owns it.
    ///
    /// # Errors
    ///
    /// The ring to be made next, if there is one. To be told by the look that found no room: by
    /// the next one another thread may have made that ring, which is no reason to call it full.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and holds the lock of an open shard (I4).
    pub(super) unsafe fn push(&self, node: NonNull<Node<R>>) -> Result<(), Option<usize>> {
        // SAFETY: owned by the caller, until a ring takes it.
        let held = if R::MEASURED { unsafe { node.as_ref() }.held } else { 0 };
        let mut made = 0;
        for ring in self.made_rings() {
            if ring.push(node).is_ok() {
                if R::MEASURED {
                    // Relaxed: a figure. The lock is still held, so the depot is still there.
                    self.pushed.bytes.fetch_add(held, Ordering::Relaxed);
                }
                return Ok(());
            }
            made += 1;
        }
        Err(if made < self.rings.len() { Some(made) } else { None })
    }

    /// Pops the node that has waited longest and counts the hit.
    pub(super) fn pop(&self) -> Option<NonNull<Node<R>>> {
        let node = self.made_rings().find_map(Ring::pop)?;
        self.forget_bytes(node);
        // Relaxed, here and below: figures and marks, nothing is ordered by them.
        let hits = self.popped.hits.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let look_at = self.popped.look_at.load(Ordering::Relaxed);
        if hits.wrapping_sub(look_at) <= NEVER {
            self.look(hits);
        }
        Some(node)
    }

    /// Brings `low` up to date, and says when to look again: as many nodes as are here beyond
    /// `low` can be popped before that. Reading how many that are is what costs, as the pushing
    /// threads write it.
    #[cold]
    fn look(&self, hits: usize) {
        let len = self.len();
        let low = self.popped.low.fetch_min(len, Ordering::Relaxed).min(len);
        let spare = if low == 0 { NEVER } else { len - low };
        self.popped.look_at.store(hits.wrapping_add(spare), Ordering::Relaxed);
    }

    /// Moves to `old` as many nodes as were not needed since the last trim.
    pub(super) fn trim(&self, old: &mut Chain<R>) {
        // Swapped, so that of two trims at once only one takes it for its own.
        let surplus = self.popped.low.swap(0, Ordering::Relaxed).min(self.len());
        self.remove(surplus, old);
        self.start_anew(self.len());
    }

    /// Moves the nodes that are here now to `out`.
    pub(super) fn clear(&self, out: &mut Chain<R>) {
        self.remove(self.len(), out);
        self.start_anew(0);
    }

    fn start_anew(&self, low: usize) {
        self.popped.low.store(low, Ordering::Relaxed);
        self.popped.look_at.store(self.hits(), Ordering::Relaxed);
    }

    /// Takes out up to `n` nodes; from the last ring first, since gets take from the first.
    fn remove(&self, n: usize, out: &mut Chain<R>) {
        for _ in 0..n {
            let Some(node) = self.made_rings().rev().find_map(Ring::pop) else { break };
            self.forget_bytes(node);
            // SAFETY: popped, so owned by this call.
            unsafe { out.push(node) };
        }
    }

    fn forget_bytes(&self, node: NonNull<Node<R>>) {
        if R::MEASURED {
            // SAFETY: popped, so owned by the caller.
            let held = unsafe { node.as_ref() }.held;
            // Relaxed: a figure.
            self.popped.bytes.fetch_add(held, Ordering::Relaxed);
        }
    }

    /// Returns the rings that exist, in order.
    fn made_rings(&self) -> impl DoubleEndedIterator<Item = &Nodes<R>> {
        self.rings.iter().filter_map(|ring| {
            // Acquire: pairs with the Release in `make_ring`, shows the ring's slots.
            let ring = ring.load(Ordering::Acquire);
            // SAFETY: null, or from `make_ring` and freed in `drop` only.
            unsafe { ring.as_ref() }
        })
    }

    /// Allocates ring `at`; not under a lock, as the allocator is other code. Where two threads do
    /// at once, the later one's ring goes, as waiting for the first would last as long as its
    /// allocation.
    #[cold]
    pub(super) fn make_ring(&self, at: usize) {
        let slots = ring_slots(at).min(self.capacity - ring_start(at));
        let made = Box::into_raw(Box::new(Ring::new(slots)));
        // Release: pairs with the Acquire in `made_rings`, shows the ring's slots. Relaxed: what
        // another thread made is not looked at here.
        let won = self.rings[at].compare_exchange(
            ptr::null_mut(),
            made,
            Ordering::Release,
            Ordering::Relaxed,
        );
        if won.is_err() {
            // SAFETY: allocated above, and nobody else has seen it.
            drop(unsafe { Box::from_raw(made) });
        }
    }
}

impl<R: Recipe> Drop for Depot<R> {
    fn drop(&mut self) {
        debug_assert_eq!(self.len(), 0, "a depot goes after closing has emptied it");
        for ring in &self.rings {
            // Relaxed: whoever frees the store has seen all that was done with it.
            let ring = ring.load(Ordering::Relaxed);
            if !ring.is_null() {
                // SAFETY: from `Box::into_raw` in `make_ring`; nobody uses it any more.
                drop(unsafe { Box::from_raw(ring) });
            }
        }
    }
}

/// Returns the slots of ring `at`, were the depot large enough.
fn ring_slots(at: usize) -> usize {
    FIRST_RING << at
}

/// Returns the slots of all rings before ring `at`.
fn ring_start(at: usize) -> usize {
    // 1024 + 2048 + ... : one ring less than the next would have.
    FIRST_RING.checked_mul(1 << at).map_or(usize::MAX, |next| next - FIRST_RING)
}
