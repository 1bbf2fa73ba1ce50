//! A shard: a few idle nodes, last in first out, behind a lock that nobody waits for.
//!
//! Last in first out, since the object that was returned last is still in the cache, and those
//! that a burst left behind stay at the bottom, where [`Locked::trim`] finds them.

use std::ptr::{self, NonNull};

use super::lock::{Hold, Lock};
use super::node::{Chain, Node};
use super::shape::SHARD_ITEMS;
use super::thread::{self, Owner};
use crate::Recipe;
use crate::sync::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering, UnsafeCell, pause};

/// The lock shares its cache lines with all that it guards: who has taken the one has the other.
///
/// Everything but `lock` is written under the lock only. What is an atomic besides is read
/// without it by [`len`](Self::len) and the figures: a `len` that locked would slow the thread at
/// home from 5 ns per use to 83.
#[repr(C, align(128))]
pub(super) struct Shard<R: Recipe> {
    lock: Lock,
    /// Set once, by closing the pool. A closed shard holds nothing and takes nothing.
    closed: AtomicBool,
    /// How many of `items` are in use, from the bottom.
    len: AtomicU8,
    /// The most that `len` may be; 0 once closed, so that a push has one thing to compare.
    limit: AtomicU8,
    /// How many emptied nodes are in `spare`.
    spares: AtomicU32,
    /// Nodes popped for a get.
    hits: AtomicUsize,
    /// Emptied nodes kept for later, linked through `next`.
    spare: UnsafeCell<*mut Node<R>>,
    /// Idle nodes in `..len`; of no meaning above. Bit 0 of a pointer says that the last trim saw
    /// the node here, see [`Locked::trim`].
    items: UnsafeCell<[*mut Node<R>; SHARD_ITEMS]>,
}

impl<R: Recipe> Shard<R> {
    pub(super) fn new(limit: usize) -> Self {
        debug_assert!(limit <= SHARD_ITEMS);
        Shard {
            lock: Lock::new(),
            closed: AtomicBool::new(false),
            len: AtomicU8::new(0),
            limit: AtomicU8::new(u8::try_from(limit).unwrap_or(0)),
            spares: AtomicU32::new(0),
            hits: AtomicUsize::new(0),
            spare: UnsafeCell::new(ptr::null_mut()),
            items: UnsafeCell::new([ptr::null_mut(); SHARD_ITEMS]),
        }
    }

    /// Takes the lock if it is biased to this thread, which is `me`, and free.
    ///
    /// # Safety
    ///
    /// The shard is alive, and stays so until the lock is released: the caller has a reference to
    /// the store for that long, or gives it up only by pushing to an open shard (I3).
    #[inline]
    pub(super) unsafe fn enter(this: *const Self, me: &'static Owner) -> Option<Locked<R>> {
        // SAFETY: alive, as the caller promises.
        let lock = unsafe { &raw const (*this).lock };
        // SAFETY: the lock is alive for as long as the shard is.
        unsafe { Lock::enter(lock, me) }.map(|hold| Locked { shard: this, hold })
    }

    /// Takes the lock if nobody else has it, as a thread does that is at home here: one that is
    /// not the owner may become it.
    ///
    /// # Safety
    ///
    /// As for [`enter`](Self::enter).
    pub(super) unsafe fn lock_home(this: *const Self) -> Option<Locked<R>> {
        // SAFETY: as the caller promises.
        unsafe { Self::enter(this, thread::me()) }.or_else(|| {
            // SAFETY: alive, as the caller promises.
            let lock = unsafe { &raw const (*this).lock };
            // SAFETY: the lock is alive for as long as the shard is.
            unsafe { Lock::enter_unowned(lock) }.map(|hold| Locked { shard: this, hold })
        })
    }

    /// Takes the lock if it is free, as threads do that are not at home here.
    ///
    /// # Safety
    ///
    /// As for [`enter`](Self::enter).
    pub(super) unsafe fn try_lock(this: *const Self) -> Option<Locked<R>> {
        // SAFETY: alive, as the caller promises.
        let lock = unsafe { &raw const (*this).lock };
        // SAFETY: the lock is alive for as long as the shard is.
        unsafe { Lock::try_lock(lock) }.map(|hold| Locked { shard: this, hold })
    }

    /// Takes the lock, trying for a short and bounded while.
    ///
    /// # Safety
    ///
    /// As for [`enter`](Self::enter).
    pub(super) unsafe fn try_lock_patiently(this: *const Self) -> Option<Locked<R>> {
        // A holder that runs is done within a few ns; one that was descheduled is not worth it.
        const TURNS: u32 = if cfg!(all(test, loom)) { 1 } else { 32 };
        (0..TURNS).find_map(|turn| {
            pause(turn);
            // SAFETY: the same promise.
            unsafe { Self::try_lock(this) }
        })
    }

    /// Takes the lock, waiting as long as it takes; for what must reach every shard. Holders run
    /// no other code, so it takes no longer than they are descheduled.
    pub(super) fn lock(&self) -> Locked<R> {
        let mut turn = 0;
        loop {
            // SAFETY: alive, as `self` is borrowed from a handle's store.
            if let Some(locked) = unsafe { Self::try_lock(self) } {
                return locked;
            }
            pause(turn);
            turn += 1;
        }
    }

    /// Returns how many nodes are idle here.
    pub(super) fn len(&self) -> usize {
        // Relaxed: a snapshot.
        usize::from(self.len.load(Ordering::Relaxed))
    }

    /// Returns whether a return would find room here now.
    pub(super) fn has_room(&self) -> bool {
        // Relaxed: a snapshot.
        self.len.load(Ordering::Relaxed) < self.limit.load(Ordering::Relaxed)
    }

    /// Returns how many emptied nodes are kept here.
    pub(super) fn spares(&self) -> usize {
        // Relaxed: a snapshot, exact for the holder of the lock.
        self.spares.load(Ordering::Relaxed) as usize
    }

    /// Returns how many nodes were popped for a get.
    pub(super) fn hits(&self) -> usize {
        // Relaxed: a snapshot, exact when nobody interferes.
        self.hits.load(Ordering::Relaxed)
    }
}

/// A shard whose lock this thread holds; dropping it releases the lock.
///
/// A pointer, not a reference: once the lock of an open shard is released after a push, another
/// thread may close the pool and free the store, even before the releasing call returns.
pub(super) struct Locked<R: Recipe> {
    shard: *const Shard<R>,
    hold: Hold,
}

impl<R: Recipe> Locked<R> {
    #[inline]
    fn shard(&self) -> &Shard<R> {
        // SAFETY: alive for as long as the lock is held, which the borrow of `self` implies.
        unsafe { &*self.shard }
    }

    /// Says that this thread, which is not at home here, needed something of it.
    pub(super) fn unbias(&mut self) {
        self.hold.unbias();
    }

    #[inline]
    fn set_len(&self, len: u8) {
        // Relaxed: holders see each other's writes through the lock.
        self.shard().len.store(len, Ordering::Relaxed);
    }

    /// Whether the pool was closed, so that this shard takes nothing more.
    pub(super) fn is_closed(&self) -> bool {
        // Relaxed: written under this lock.
        self.shard().closed.load(Ordering::Relaxed)
    }

    /// Pops the node that was pushed last and counts the hit.
    #[inline]
    pub(super) fn pop(&self) -> Option<NonNull<Node<R>>> {
        let shard = self.shard();
        let len = shard.len.load(Ordering::Relaxed).checked_sub(1)?;
        let node = shard.items.with(|items| {
            // SAFETY: the lock is held, so nobody else looks at `items`.
            let items = unsafe { &*items };
            // SAFETY: below the old `len`, which is at most `SHARD_ITEMS`.
            unsafe { *items.get_unchecked(usize::from(len)) }
        });
        self.set_len(len);
        // Relaxed: as for `len`. Not a read-modify-write, which would be a locked instruction.
        let hits = shard.hits.load(Ordering::Relaxed).wrapping_add(1);
        shard.hits.store(hits, Ordering::Relaxed);
        Some(unmarked(node))
    }

    /// Pushes a node if there is room; on `true` the shard owns it.
    #[inline]
    pub(super) fn push(&self, node: NonNull<Node<R>>) -> bool {
        let shard = self.shard();
        let len = shard.len.load(Ordering::Relaxed);
        if len >= shard.limit.load(Ordering::Relaxed) {
            return false;
        }
        shard.items.with_mut(|items| {
            // SAFETY: the lock is held, so nobody else looks at `items`.
            let items = unsafe { &mut *items };
            // SAFETY: below `limit`, which is at most `SHARD_ITEMS`.
            *unsafe { items.get_unchecked_mut(usize::from(len)) } = node.as_ptr();
        });
        self.set_len(len + 1);
        true
    }

    /// Moves the nodes that the last trim already saw here to `old`, and marks the rest as seen.
    ///
    /// A node that is popped and pushed again loses its mark: what survives a trim is what was
    /// used since the one before, or is younger than it.
    pub(super) fn trim(&self, old: &mut Chain<R>) {
        let shard = self.shard();
        let mut kept = 0;
        shard.items.with_mut(|items| {
            // SAFETY: the lock is held, so nobody else looks at `items`.
            let items = unsafe { &mut *items };
            for at in 0..usize::from(shard.len.load(Ordering::Relaxed)) {
                if is_marked(items[at]) {
                    // SAFETY: the shard owned the node and drops it from `..len` below.
                    unsafe { old.push(unmarked(items[at])) };
                } else {
                    items[usize::from(kept)] = marked(items[at]);
                    kept += 1;
                }
            }
        });
        self.set_len(kept);
    }

    /// Moves all nodes to `out`.
    pub(super) fn clear(&self, out: &mut Chain<R>) {
        let shard = self.shard();
        let len = usize::from(shard.len.load(Ordering::Relaxed));
        shard.items.with(|items| {
            // SAFETY: the lock is held, so nobody else looks at `items`.
            for &node in unsafe { &(&*items)[..len] } {
                // SAFETY: the shard owned the node and gives all up below.
                unsafe { out.push(unmarked(node)) };
            }
        });
        self.set_len(0);
    }

    /// Moves all nodes to `out` and takes no more.
    pub(super) fn close(&self, out: &mut Chain<R>) {
        // Relaxed, both: read under the lock, or as hints.
        self.shard().closed.store(true, Ordering::Relaxed);
        self.shard().limit.store(0, Ordering::Relaxed);
        self.clear(out);
    }

    /// Returns the sum of the bytes that the nodes here held when they were returned.
    pub(super) fn bytes(&self) -> usize {
        let shard = self.shard();
        let len = usize::from(shard.len.load(Ordering::Relaxed));
        shard.items.with(|items| {
            // SAFETY: the lock is held, so nobody else looks at `items`.
            let nodes = unsafe { &(&*items)[..len] };
            // SAFETY: the shard owns the nodes, and only the owner writes `held`.
            nodes.iter().map(|&node| unsafe { unmarked(node).as_ref() }.held).sum()
        })
    }

    /// Keeps an emptied node for later, up to `limit`; on `true` the shard owns it.
    pub(super) fn push_spare(&self, mut node: NonNull<Node<R>>, limit: usize) -> bool {
        let shard = self.shard();
        let spares = shard.spares();
        if spares >= limit || self.is_closed() {
            return false;
        }
        shard.spare.with_mut(|spare| {
            // SAFETY: the lock is held, so nobody else looks at `spare`.
            let spare = unsafe { &mut *spare };
            // SAFETY: the caller owned the node, the shard does from here on.
            unsafe { node.as_mut() }.next = *spare;
            *spare = node.as_ptr();
        });
        self.set_spares(spares + 1);
        true
    }

    /// Takes an emptied node, if there is one.
    pub(super) fn pop_spare(&self) -> Option<NonNull<Node<R>>> {
        let shard = self.shard();
        let node = shard.spare.with_mut(|spare| {
            // SAFETY: the lock is held, so nobody else looks at `spare`.
            let spare = unsafe { &mut *spare };
            let node = NonNull::new(*spare)?;
            // SAFETY: the shard owns its spare nodes.
            *spare = unsafe { node.as_ref() }.next;
            Some(node)
        })?;
        self.set_spares(shard.spares() - 1);
        Some(node)
    }

    fn set_spares(&self, spares: usize) {
        // Relaxed: holders see each other's writes through the lock. Saturates at four billion
        // nodes, below which `push_spare` keeps it where a capacity is larger.
        let spares = u32::try_from(spares).unwrap_or(u32::MAX);
        self.shard().spares.store(spares, Ordering::Relaxed);
    }
}

fn is_marked<R: Recipe>(node: *mut Node<R>) -> bool {
    node.addr() & 1 == 1
}

fn marked<R: Recipe>(node: *mut Node<R>) -> *mut Node<R> {
    node.map_addr(|addr| addr | 1)
}

#[inline]
fn unmarked<R: Recipe>(node: *mut Node<R>) -> NonNull<Node<R>> {
    let node = node.map_addr(|addr| addr & !1);
    // SAFETY: `items` holds pointers to nodes, which are aligned to more than 2, with or without
    // the mark in bit 0; without it they are what `push` was given.
    unsafe { NonNull::new_unchecked(node) }
}
