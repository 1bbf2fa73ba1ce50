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

use super::node::{Chain, Node};
#[cfg(all(test, loom))]
use super::ring::Ring;
use crate::Recipe;
use crate::sync::{AtomicPtr, AtomicUsize, Ordering};

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
    /// Nodes popped for a get.
    hits: AtomicUsize,
    /// Nodes taken out by trim, clear and close.
    removed: AtomicUsize,
    /// The fewest nodes that were here at a time since the last trim: so many were not needed.
    low: AtomicUsize,
    /// Bytes held by the nodes that are here. Only kept up where the recipe measures.
    bytes: AtomicUsize,
}

impl<R: Recipe> Depot<R> {
    pub(super) fn new(capacity: usize) -> Self {
        let mut rings = Vec::new();
        while ring_start(rings.len()) < capacity {
            rings.push(AtomicPtr::new(ptr::null_mut()));
        }
        Depot {
            rings: rings.into_boxed_slice(),
            capacity,
            hits: AtomicUsize::new(0),
            removed: AtomicUsize::new(0),
            low: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Returns how many nodes are idle here.
    pub(super) fn len(&self) -> usize {
        self.made_rings().map(Ring::len).sum()
    }

    /// Returns how many nodes were popped for a get, and how many were ever pushed.
    pub(super) fn hits_and_pushes(&self) -> (usize, usize) {
        // Relaxed: a snapshot, exact when nobody interferes.
        let hits = self.hits.load(Ordering::Relaxed);
        let removed = self.removed.load(Ordering::Relaxed);
        (hits, hits.wrapping_add(removed).wrapping_add(self.len()))
    }

    /// Returns the sum of the bytes that the nodes here held when they were returned.
    pub(super) fn bytes(&self) -> usize {
        // Relaxed: a snapshot.
        self.bytes.load(Ordering::Relaxed)
    }

    /// Pushes a node if there is room; on `true` the depot owns it.
    ///
    /// # Safety
    ///
    /// The caller owns the node and holds the lock of an open shard (I4).
    pub(super) unsafe fn push(&self, node: NonNull<Node<R>>) -> bool {
        // SAFETY: owned by the caller, until a ring takes it.
        let held = if R::MEASURED { unsafe { node.as_ref() }.held } else { 0 };
        for at in 0..self.rings.len() {
            // Counted first, so that a pop of this node cannot take off what is not yet there.
            self.count_bytes(held);
            if self.ring(at).push(node).is_ok() {
                return true;
            }
            self.count_bytes(held.wrapping_neg());
        }
        false
    }

    /// Pops the node that has waited longest and counts the hit.
    pub(super) fn pop(&self) -> Option<NonNull<Node<R>>> {
        let node = self.made_rings().find_map(pop)?;
        // Relaxed, here and below: figures and marks, nothing is ordered by them.
        self.hits.fetch_add(1, Ordering::Relaxed);
        self.forget_bytes(node);
        let left = self.len();
        if left < self.low.load(Ordering::Relaxed) {
            self.low.fetch_min(left, Ordering::Relaxed);
        }
        Some(node)
    }

    /// Moves to `old` as many nodes as were not needed since the last trim.
    pub(super) fn trim(&self, old: &mut Chain<R>) {
        let surplus = self.low.load(Ordering::Relaxed).min(self.len());
        self.remove(surplus, old);
        self.low.store(self.len(), Ordering::Relaxed);
    }

    /// Moves the nodes that are here now to `out`.
    pub(super) fn clear(&self, out: &mut Chain<R>) {
        self.remove(self.len(), out);
        self.low.store(0, Ordering::Relaxed);
    }

    /// Takes out up to `n` nodes; from the last ring first, since gets take from the first.
    fn remove(&self, n: usize, out: &mut Chain<R>) {
        for _ in 0..n {
            let Some(node) = self.made_rings().rev().find_map(pop) else { break };
            self.removed.fetch_add(1, Ordering::Relaxed);
            self.forget_bytes(node);
            // SAFETY: popped, so owned by this call.
            unsafe { out.push(node) };
        }
    }

    fn forget_bytes(&self, node: NonNull<Node<R>>) {
        if R::MEASURED {
            // SAFETY: popped, so owned by the caller.
            let held = unsafe { node.as_ref() }.held;
            self.count_bytes(held.wrapping_neg());
        }
    }

    fn count_bytes(&self, n: usize) {
        if R::MEASURED {
            // Relaxed: a figure.
            self.bytes.fetch_add(n, Ordering::Relaxed);
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

    fn ring(&self, at: usize) -> &Nodes<R> {
        // Acquire: pairs with the Release in `make_ring`, shows the ring's slots.
        let ring = self.rings[at].load(Ordering::Acquire);
        // SAFETY: null, or from `make_ring` and freed in `drop` only.
        unsafe { ring.as_ref() }.unwrap_or_else(|| self.make_ring(at))
    }

    /// Allocates ring `at`. Where two threads do at once, the later one's ring goes, as waiting for
    /// the first would last as long as its allocation.
    #[cold]
    fn make_ring(&self, at: usize) -> &Nodes<R> {
        let slots = ring_slots(at).min(self.capacity - ring_start(at));
        let made = Box::into_raw(Box::new(Ring::new(slots)));
        // Release: pairs with the Acquire loads of the ring, shows its slots. Acquire on failure:
        // shows the other thread's.
        let won = self.rings[at].compare_exchange(
            ptr::null_mut(),
            made,
            Ordering::Release,
            Ordering::Acquire,
        );
        let ring = match won {
            Ok(_) => made,
            Err(other) => {
                // SAFETY: allocated above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                other
            }
        };
        // SAFETY: not null, from this function, and freed in `drop` only.
        unsafe { &*ring }
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

/// Pops from a ring. Looking first spares the fence with which an empty ring answers.
fn pop<N>(ring: &Ring<N>) -> Option<N> {
    if ring.is_empty() { None } else { ring.pop() }
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
