//! A shard: a few idle nodes, last in first out, behind a lock that nobody waits for.
//!
//! Last in first out, since the object that was returned last is still in the cache, and those
//! that a burst left behind stay at the bottom, where [`Locked::trim`] finds them.

use std::mem;
use std::ptr::{self, NonNull};

use super::lock::{Hold, Lock};
use super::node::{Chain, Node, Spare, Spares};
use super::shape::SHARD_ITEMS;
use super::thread::{self, Owner};
use crate::Recipe;
use crate::sync::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, UnsafeCell, pause,
};

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
    /// How many of `rest` are in use, from the bottom.
    len: AtomicU8,
    /// The most that `len` may be.
    limit: AtomicU8,
    /// How many emptied nodes are in `spare`.
    spares: AtomicU32,
    /// Nodes popped for a get or a take.
    hits: AtomicUsize,
    /// Emptied nodes kept for later.
    spare: UnsafeCell<Spares<R>>,
    /// The idle node that was pushed last; null if it was popped, [`refuses`] if the shard takes
    /// none. Bit 0 of this pointer and those below says that the last trim saw the node here, see
    /// [`Locked::trim`].
    ///
    /// Apart from the others, since a thread that uses one object at a time then touches no
    /// length: each get would wait for the length that the last return wrote, and each return
    /// for that of the get (4.4 ns per use of the barest pool, 2.6 with `top`).
    top: AtomicPtr<Node<R>>,
    /// The idle nodes below it, in `..len`; of no meaning above.
    rest: UnsafeCell<[*mut Node<R>; SHARD_ITEMS - 1]>,
    /// Objects moved out of a node here, and into one; on lines that guards never touch.
    taken: AtomicUsize,
    put: AtomicUsize,
}

impl<R: Recipe> Shard<R> {
    /// Makes a shard that keeps up to `limit` nodes.
    pub(super) fn new(limit: usize) -> Self {
        debug_assert!(limit <= SHARD_ITEMS);
        Shard {
            lock: Lock::new(),
            closed: AtomicBool::new(false),
            len: AtomicU8::new(0),
            limit: AtomicU8::new(u8::try_from(limit).unwrap_or(0).saturating_sub(1)),
            spares: AtomicU32::new(0),
            hits: AtomicUsize::new(0),
            spare: UnsafeCell::new(Spares::new()),
            top: AtomicPtr::new(if limit == 0 { refuses() } else { ptr::null_mut() }),
            rest: UnsafeCell::new([ptr::null_mut(); SHARD_ITEMS - 1]),
            taken: AtomicUsize::new(0),
            put: AtomicUsize::new(0),
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
        unsafe { Self::enter(this, thread::me().owner) }.or_else(|| {
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
    /// no other code: it takes as long as they are descheduled, or as one is that they meet in the
    /// depot's ring.
    pub(super) fn lock(&self) -> Locked<R> {
        let mut turn = 0;
        loop {
            // SAFETY: alive, as `self` is borrowed from a store whose handles' reference is not
            // given up before this is over (I2).
            if let Some(locked) = unsafe { Self::try_lock(self) } {
                return locked;
            }
            pause(turn);
            turn += 1;
        }
    }

    /// Returns how many nodes are idle here.
    pub(super) fn len(&self) -> usize {
        // Relaxed, both: a snapshot.
        let top = is_node(self.top.load(Ordering::Relaxed));
        usize::from(self.len.load(Ordering::Relaxed)) + usize::from(top)
    }

    /// Returns whether a return would find room here now.
    pub(super) fn has_room(&self) -> bool {
        // Relaxed, all: a snapshot.
        let top = self.top.load(Ordering::Relaxed);
        let below = self.len.load(Ordering::Relaxed) < self.limit.load(Ordering::Relaxed);
        top.is_null() || is_node(top) && below
    }

    /// Returns how many emptied nodes are kept here.
    pub(super) fn spares(&self) -> usize {
        // Relaxed: a snapshot, exact for the holder of the lock.
        self.spares.load(Ordering::Relaxed) as usize
    }

    /// Returns how many nodes were popped for a get or a take.
    pub(super) fn hits(&self) -> usize {
        // Relaxed: a snapshot, exact when nobody interferes.
        self.hits.load(Ordering::Relaxed)
    }

    /// Returns how many objects were moved out of a node here.
    pub(super) fn taken(&self) -> usize {
        // Relaxed: as above.
        self.taken.load(Ordering::Relaxed)
    }

    /// Returns how many objects were moved into a node here.
    pub(super) fn put(&self) -> usize {
        // Relaxed: as above.
        self.put.load(Ordering::Relaxed)
    }
}

/// Tells loom that the memory goes, which it then checks to come after every access.
#[cfg(all(test, loom))]
impl<R: Recipe> Drop for Shard<R> {
    fn drop(&mut self) {
        self.lock.assert_free();
        self.top.with_mut(|top| assert!(!is_node(*top), "closing has emptied the shard"));
        self.len.with_mut(|len| assert_eq!(*len, 0, "closing has emptied the shard"));
        self.spare.with_mut(|spare| {
            // SAFETY: owned by this call.
            assert!(unsafe { &*spare }.is_empty(), "closing has freed the spare nodes");
        });
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

    /// Whether the pool was closed, so that this shard takes nothing more.
    pub(super) fn is_closed(&self) -> bool {
        // Relaxed: written under this lock.
        self.shard().closed.load(Ordering::Relaxed)
    }

    /// Pops the node that was pushed last and counts the hit.
    #[inline]
    pub(super) fn pop(&self) -> Option<NonNull<Node<R>>> {
        let shard = self.shard();
        // Relaxed, here and below: holders see each other's writes through the lock.
        let top = shard.top.load(Ordering::Relaxed);
        let node = if is_node(top) {
            shard.top.store(ptr::null_mut(), Ordering::Relaxed);
            top
        } else {
            self.pop_rest()?
        };
        count(&shard.hits);
        Some(unmarked(node))
    }

    fn pop_rest(&self) -> Option<*mut Node<R>> {
        let shard = self.shard();
        let len = shard.len.load(Ordering::Relaxed).checked_sub(1)?;
        shard.len.store(len, Ordering::Relaxed);
        // SAFETY: the lock is held, so nobody else looks at `rest`.
        Some(shard.rest.with(|rest| unsafe { (*rest)[usize::from(len)] }))
    }

    /// Pushes a node if there is room; on `true` the shard owns it.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare.
    #[inline]
    pub(super) unsafe fn push(&self, node: NonNull<Node<R>>) -> bool {
        let top = self.shard().top.load(Ordering::Relaxed);
        // An empty top is room: `rest` has one place less than the shard may keep.
        if !top.is_null() && !self.push_rest(top) {
            return false;
        }
        self.shard().top.store(node.as_ptr(), Ordering::Relaxed);
        true
    }

    fn push_rest(&self, top: *mut Node<R>) -> bool {
        let shard = self.shard();
        let len = shard.len.load(Ordering::Relaxed);
        if !is_node(top) || len >= shard.limit.load(Ordering::Relaxed) {
            return false;
        }
        // SAFETY: the lock is held, so nobody else looks at `rest`.
        shard.rest.with_mut(|rest| unsafe { (*rest)[usize::from(len)] = top });
        shard.len.store(len + 1, Ordering::Relaxed);
        true
    }

    /// Pops the node that was pushed last and empties it; counts the hit and what was taken.
    #[inline]
    pub(super) fn take(&self, most_spares: usize) -> Option<Taken<R>> {
        let mut node = self.pop()?;
        count(&self.shard().taken);
        // SAFETY: popped, so owned here.
        let emptied = unsafe { node.as_mut() };
        // SAFETY: idle nodes are not spare. A move, no other code (I6).
        let item = unsafe { emptied.take_item() };
        // SAFETY: owned here, and spare since its item was moved out.
        let kept = unsafe { self.push_spare(node, most_spares) };
        // SAFETY: as above, since no list took it.
        let emptied = if kept { None } else { Some(unsafe { Spare::new(node) }) };
        Some(Taken { item, _emptied: emptied })
    }

    /// Counts an object that was put.
    #[inline]
    pub(super) fn count_put(&self) {
        count(&self.shard().put);
    }

    /// Takes out all nodes for which `goes` says so, and puts what it made of the others in their
    /// places.
    fn sift(&self, mut goes: impl FnMut(*mut Node<R>) -> Sifted<R>) {
        let shard = self.shard();
        shard.rest.with_mut(|rest| {
            // SAFETY: the lock is held, so nobody else looks at `rest`.
            let rest = unsafe { &mut *rest };
            let mut kept = 0;
            for at in 0..usize::from(shard.len.load(Ordering::Relaxed)) {
                if let Sifted::Stays(node) = goes(rest[at]) {
                    rest[usize::from(kept)] = node;
                    kept += 1;
                }
            }
            shard.len.store(kept, Ordering::Relaxed);
        });
        let top = shard.top.load(Ordering::Relaxed);
        if is_node(top) {
            let top = match goes(top) {
                Sifted::Stays(node) => node,
                Sifted::Goes => ptr::null_mut(),
            };
            shard.top.store(top, Ordering::Relaxed);
        }
    }

    /// Moves the nodes that the last trim already saw here to `old`, and marks the rest as seen.
    ///
    /// A node that is popped and pushed again loses its mark: what survives a trim is what was
    /// used since the one before, or is younger than it.
    pub(super) fn trim(&self, old: &mut Chain<R>) {
        self.sift(|node| {
            if !is_marked(node) {
                return Sifted::Stays(marked(node));
            }
            // SAFETY: the shard owned the node and gives it up.
            unsafe { old.push(unmarked(node)) };
            Sifted::Goes
        });
    }

    /// Moves all nodes to `out`.
    pub(super) fn clear(&self, out: &mut Chain<R>) {
        self.sift(|node| {
            // SAFETY: the shard owned the node and gives it up.
            unsafe { out.push(unmarked(node)) };
            Sifted::Goes
        });
    }

    /// Moves all nodes to `out` and takes no more.
    pub(super) fn close(&self, out: &mut Chain<R>) {
        self.clear(out);
        self.shard().closed.store(true, Ordering::Relaxed);
        self.shard().top.store(refuses(), Ordering::Relaxed);
    }

    /// Returns the sum of the bytes that the nodes here held when they were returned.
    pub(super) fn bytes(&self) -> usize {
        let mut bytes = 0_usize;
        self.sift(|node| {
            // SAFETY: the shard owns the node, and only the owner writes `held`.
            let held = unsafe { unmarked(node).as_ref() }.held;
            // Whatever `measure` said: a panic would run other code here (I6).
            bytes = bytes.wrapping_add(held);
            Sifted::Stays(node)
        });
        bytes
    }

    /// Keeps an emptied node for later, up to `limit`; on `true` the shard owns it.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is spare.
    #[inline]
    pub(super) unsafe fn push_spare(&self, node: NonNull<Node<R>>, limit: usize) -> bool {
        let spares = self.shard().spares();
        if spares >= limit.min(MOST_SPARES) || self.is_closed() {
            return false;
        }
        // SAFETY: the node is spare, and the caller gives it up.
        self.with_spare(|spare| unsafe { spare.push(node) });
        self.set_spares(spares + 1);
        true
    }

    /// Takes an emptied node, if there is one.
    #[inline]
    pub(super) fn pop_spare(&self) -> Option<NonNull<Node<R>>> {
        let node = self.with_spare(Spares::pop)?;
        self.set_spares(self.shard().spares() - 1);
        Some(node)
    }

    /// Takes all emptied nodes.
    pub(super) fn take_spares(&self) -> Spares<R> {
        self.set_spares(0);
        self.with_spare(|spare| mem::replace(spare, Spares::new()))
    }

    fn with_spare<T>(&self, f: impl FnOnce(&mut Spares<R>) -> T) -> T {
        // SAFETY: the lock is held, so nobody else looks at `spare`.
        self.shard().spare.with_mut(|spare| f(unsafe { &mut *spare }))
    }

    fn set_spares(&self, spares: usize) {
        // Not above `MOST_SPARES`, which `push_spare` sees to.
        let spares = u32::try_from(spares).unwrap_or(u32::MAX);
        // Relaxed: holders see each other's writes through the lock.
        self.shard().spares.store(spares, Ordering::Relaxed);
    }
}

/// Adds one, under the lock: not by a read-modify-write, which would be a locked instruction.
#[inline]
fn count(events: &AtomicUsize) {
    // Relaxed, both: holders see each other's writes through the lock.
    events.store(events.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// The most emptied nodes that a shard can count.
const MOST_SPARES: usize = u32::MAX as usize;

/// What [`Locked::take`] moved out.
pub(super) struct Taken<R: Recipe> {
    pub(super) item: R::Item,
    /// The node, if it was not kept for later; freed with this.
    _emptied: Option<Spare<R>>,
}

/// What becomes of a node that is looked at in its place.
enum Sifted<R: Recipe> {
    Stays(*mut Node<R>),
    Goes,
}

/// What `top` is in a shard that takes no nodes: it has no capacity, or is closed.
const REFUSES_ADDR: usize = 2;

fn refuses<R: Recipe>() -> *mut Node<R> {
    ptr::without_provenance_mut(REFUSES_ADDR)
}

/// Whether this is a node, with or without a mark, and neither null nor [`refuses`].
#[inline]
fn is_node<R: Recipe>(top: *mut Node<R>) -> bool {
    top.addr() > REFUSES_ADDR
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
    // SAFETY: a pointer to a node, which is aligned to more than 2, with or without the mark in
    // bit 0; without it, it is what `push` was given.
    unsafe { NonNull::new_unchecked(node) }
}
