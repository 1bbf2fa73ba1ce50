//! A shard: a few idle nodes, last in first out, behind a lock that nobody waits for.
//!
//! A get or a return that finds its home shard free costs one atomic exchange and one store.
//! Last in first out, since the object that was returned last is still in the cache, and those
//! that a burst left behind stay at the bottom, where [`Locked::trim`] finds them.

use std::ptr::{self, NonNull};

use super::node::{Chain, Node};
use super::shape::SHARD_ITEMS;
use crate::Recipe;
use crate::sync::{AtomicBool, AtomicU8, AtomicUsize, Ordering, UnsafeCell, pause};

/// The lock shares its cache lines with all that it guards: who has taken the one has the other.
///
/// Everything but `locked` is written under the lock only. What is an atomic besides is read
/// without it by [`len`](Self::len) and the figures: a `len` that locked would slow the thread at
/// home from 5 ns per use to 83.
#[repr(C, align(128))]
pub(super) struct Shard<R: Recipe> {
    locked: AtomicBool,
    /// Set once, by closing the pool. A closed shard holds nothing and takes nothing.
    closed: AtomicBool,
    /// How many of `items` are in use, from the bottom.
    len: AtomicU8,
    /// The most that `len` may be; 0 once closed, so that a push has one thing to compare.
    limit: AtomicU8,
    /// Nodes popped for a get.
    hits: AtomicUsize,
    /// Nodes taken out by trim, clear and close.
    removed: AtomicUsize,
    /// Emptied nodes kept for later, linked through `next`.
    spare: UnsafeCell<*mut Node<R>>,
    /// Idle nodes in `..len`; of no meaning above. Bit 0 of a pointer says that the last trim saw
    /// the node here, see [`Locked::trim`].
    items: UnsafeCell<[*mut Node<R>; SHARD_ITEMS]>,
}

impl<R: Recipe> Shard<R> {
    pub(super) fn new(limit: usize) -> Self {
        // What `push` and `pop` leave unchecked.
        assert!(limit <= SHARD_ITEMS);
        Shard {
            locked: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            len: AtomicU8::new(0),
            limit: AtomicU8::new(u8::try_from(limit).unwrap_or(0)),
            hits: AtomicUsize::new(0),
            removed: AtomicUsize::new(0),
            spare: UnsafeCell::new(ptr::null_mut()),
            items: UnsafeCell::new([ptr::null_mut(); SHARD_ITEMS]),
        }
    }

    /// Takes the lock if it is free, as the thread at home does.
    ///
    /// # Safety
    ///
    /// The shard is alive, and stays so until the lock is released: the caller has a reference to
    /// the store for that long, or gives it up only by pushing to an open shard (I3).
    #[inline]
    pub(super) unsafe fn try_lock_home(this: *const Self) -> Option<Locked<R>> {
        // SAFETY: alive, as the caller promises.
        let locked = unsafe { &(*this).locked };
        // Acquire: pairs with the Release of the unlocking store, shows what the last holder left.
        #[cfg(not(all(test, loom)))]
        let taken = locked.swap(true, Ordering::Acquire);
        // loom 0.7: a failed swap can hide the holder's later unlock from it.
        #[cfg(all(test, loom))]
        let taken =
            locked.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err();
        if taken { None } else { Some(Locked(this)) }
    }

    /// Takes the lock if it is free, as threads do that are not at home here.
    ///
    /// # Safety
    ///
    /// As for [`try_lock_home`](Self::try_lock_home).
    pub(super) unsafe fn try_lock(this: *const Self) -> Option<Locked<R>> {
        // SAFETY: alive, as the caller promises.
        let locked = unsafe { &(*this).locked };
        // Looking first leaves the line with its owner. Relaxed: only a hint.
        if locked.load(Ordering::Relaxed) {
            return None;
        }
        // SAFETY: the same promise.
        unsafe { Self::try_lock_home(this) }
    }

    /// Takes the lock, trying for a short and bounded while.
    ///
    /// # Safety
    ///
    /// As for [`try_lock_home`](Self::try_lock_home).
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
    /// no user code, so it takes no longer than they are descheduled.
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

    /// Returns how many nodes were popped for a get, and how many were ever pushed.
    pub(super) fn hits_and_pushes(&self) -> (usize, usize) {
        // Relaxed: a snapshot, exact when nobody interferes.
        let hits = self.hits.load(Ordering::Relaxed);
        let removed = self.removed.load(Ordering::Relaxed);
        (hits, hits.wrapping_add(removed).wrapping_add(self.len()))
    }
}

/// Tells loom that the memory goes, which it then checks to come after every access.
#[cfg(all(test, loom))]
impl<R: Recipe> Drop for Shard<R> {
    fn drop(&mut self) {
        // SAFETY: owned by this call.
        assert!(!unsafe { self.locked.unsync_load() });
        self.len.with_mut(|len| assert_eq!(*len, 0, "a shard goes after closing has emptied it"));
        self.spare.with_mut(|spare| {
            // SAFETY: owned by this call.
            assert!(unsafe { *spare }.is_null(), "a shard goes after closing has emptied it");
        });
    }
}

/// A shard whose lock this thread holds; dropping it releases the lock.
///
/// A pointer, not a reference: once the lock of an open shard is released after a push, another
/// thread may close the pool and free the store, even before the releasing call returns.
pub(super) struct Locked<R: Recipe>(*const Shard<R>);

impl<R: Recipe> Drop for Locked<R> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: alive up to this store: the lock is held until then (I3).
        let locked = unsafe { &(*self.0).locked };
        // Release: pairs with the Acquire of the next holder. The last touch of the shard.
        locked.store(false, Ordering::Release);
    }
}

impl<R: Recipe> Locked<R> {
    #[inline]
    fn shard(&self) -> &Shard<R> {
        // SAFETY: alive for as long as the lock is held, which the borrow of `self` implies.
        unsafe { &*self.0 }
    }

    /// Adds to a figure that only the holder of the lock writes.
    #[inline]
    fn count(figure: &AtomicUsize, n: usize) {
        // Relaxed: holders see each other's writes through the lock. Not a read-modify-write,
        // which would cost another locked instruction.
        figure.store(figure.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }

    #[inline]
    fn set_len(&self, len: u8) {
        // Relaxed: as for `count`.
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
        Self::count(&shard.hits, 1);
        Some(unmarked(node))
    }

    /// Pushes a node if there is room; on `true` the shard owns it.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare.
    #[inline]
    pub(super) unsafe fn push(&self, node: NonNull<Node<R>>) -> bool {
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
        let mut gone = 0;
        shard.items.with_mut(|items| {
            // SAFETY: the lock is held, so nobody else looks at `items`.
            let items = unsafe { &mut *items };
            for at in 0..usize::from(shard.len.load(Ordering::Relaxed)) {
                if is_marked(items[at]) {
                    // SAFETY: the shard owned the node and drops it from `..len` below.
                    unsafe { old.push(unmarked(items[at])) };
                    gone += 1;
                } else {
                    items[usize::from(kept)] = marked(items[at]);
                    kept += 1;
                }
            }
        });
        self.set_len(kept);
        Self::count(&shard.removed, gone);
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
        Self::count(&shard.removed, len);
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

    /// Keeps an emptied node for later.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is spare, and gives it to the shard, which is open.
    pub(super) unsafe fn push_spare(&self, mut node: NonNull<Node<R>>) {
        self.shard().spare.with_mut(|spare| {
            // SAFETY: the lock is held, so nobody else looks at `spare`.
            let spare = unsafe { &mut *spare };
            // SAFETY: the caller owned the node; the shard does from here on.
            unsafe { node.as_mut() }.next = *spare;
            *spare = node.as_ptr();
        });
    }

    /// Takes an emptied node, if there is one.
    pub(super) fn pop_spare(&self) -> Option<NonNull<Node<R>>> {
        self.shard().spare.with_mut(|spare| {
            // SAFETY: the lock is held, so nobody else looks at `spare`.
            let spare = unsafe { &mut *spare };
            let node = NonNull::new(*spare)?;
            // SAFETY: the shard owns its spare nodes.
            *spare = unsafe { node.as_ref() }.next;
            Some(node)
        })
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
