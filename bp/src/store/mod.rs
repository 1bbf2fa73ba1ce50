//! Where idle objects wait: shards first, the depot behind them.
//!
//! A get looks at the thread's home shard, the depot, the other shards, and creates only then. A
//! return goes to the home shard, the depot, any other shard, and is dropped only then. So one
//! thread can fill the whole pool, and any thread can drain it.
//!
//! # Invariants
//!
//! * **I1, one owner.** A node is owned by one guard, shard, ring, chain or function at a time,
//!   and only its owner touches it.
//! * **I2, references.** `refs` counts the nodes that exist, plus one for all handles together.
//!   The store is freed when it reaches 0.
//! * **I3, an open shard's held lock is a reference.** Closing takes every shard's lock before it
//!   gives up the handles' reference. So a thread that holds the lock of a shard which it saw
//!   open may give its node away and still release the lock.
//! * **I4, nothing enters behind closing.** A node enters a shard or the depot only under the
//!   lock of a shard that is open. Closing empties the depot after the last shard is closed.
//! * **I5, the bound.** Every container bounds itself, and the bounds add up to the capacity.
//! * **I6, no other code under a lock.** Steps, `Drop` of objects and the allocator run with no
//!   lock held, so they may use the same pool.
//!
//! Why I3 is worth having: with a reference of its own, each return would pay two more atomic
//! operations on a line that all threads share (4.8 ns per use became 8.7, and 63 with a second
//! thread).

mod depot;
mod fence;
mod figures;
mod lock;
#[cfg(all(test, loom))]
mod models;
mod node;
mod returning;
#[cfg(all(test, loom))]
mod ring;
mod shape;
mod shard;
#[cfg(all(test, not(loom)))]
mod tests;
mod thread;

use std::cell::Cell;
use std::mem;
use std::ptr::NonNull;

use self::depot::Depot;
use self::figures::{Figures, Removed};
pub(crate) use self::node::Node;
use self::node::{Reference, Spare};
pub(crate) use self::shape::Shape;
use self::shard::{Locked, Shard};
use crate::sync::{AtomicBool, AtomicUsize, Ordering, Padded, fence};
use crate::{PutReason, Recipe};

/// The store of one pool, shared by its handles and its nodes.
pub(crate) struct Store<R: Recipe> {
    /// The pointer that nodes take along. One made of `&self` would do to look at the store, but
    /// not to free it, which the last node may have to.
    itself: NonNull<Self>,
    shards: Box<[Shard<R>]>,
    /// `shards.len() - 1`; the length is a power of two.
    mask: usize,
    /// Whether objects that are much larger than their use are dropped in the end.
    by_use: bool,
    config: R::Config,
    depot: Depot<R>,
    capacity: usize,
    /// The most emptied nodes that a shard keeps for later.
    most_spares: usize,
    /// Set by closing, before the shards: only says why a return was refused.
    closed: AtomicBool,
    /// Bytes that a newly created object holds, or [`UNKNOWN`]: what holds no more never has to go
    /// by use.
    floor: AtomicUsize,
    counts: Padded<Counts>,
    figures: Padded<Figures>,
}

/// The most bytes that are moved while a lock is held.
const MOVED_UNDER_LOCK: usize = 256;

/// The floor of a pool that has not created anything yet.
const UNKNOWN: usize = usize::MAX;

/// Written by creations and by handles that come and go, so away from what every get reads.
struct Counts {
    /// Handles that exist. The last to go closes the pool.
    handles: AtomicUsize,
    /// See I2.
    refs: AtomicUsize,
}

impl<R: Recipe> Store<R> {
    /// Allocates a store; the caller holds its first handle.
    pub(crate) fn allocate(shape: Shape, config: R::Config, by_use: bool) -> NonNull<Self> {
        let shards: Box<[_]> = (0..shape.shards).map(|_| Shard::new(shape.per_shard)).collect();
        let itself = NonNull::from(Box::leak(Box::<Self>::new_uninit())).cast();
        let store = Store {
            itself,
            mask: shards.len() - 1,
            most_spares: shape.capacity().div_ceil(shards.len()),
            shards,
            by_use,
            config,
            depot: Depot::new(shape.depot),
            capacity: shape.capacity(),
            closed: AtomicBool::new(false),
            floor: AtomicUsize::new(UNKNOWN),
            counts: Padded(Counts { handles: AtomicUsize::new(1), refs: AtomicUsize::new(1) }),
            figures: Padded(Figures::default()),
        };
        // SAFETY: allocated above for a store.
        unsafe { itself.write(store) };
        itself
    }

    pub(crate) fn config(&self) -> &R::Config {
        &self.config
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns how many objects are idle.
    pub(crate) fn len(&self) -> usize {
        let len = self.shards.iter().map(Shard::len).sum::<usize>() + self.depot.len();
        // An object that moved from a part not yet counted to one counted would count twice.
        len.min(self.capacity)
    }

    #[inline]
    fn shard(&self, at: usize) -> &Shard<R> {
        // SAFETY: `mask` is one less than the number of shards, which is a power of two.
        unsafe { self.shards.get_unchecked(at & self.mask) }
    }

    // === Idle nodes, out ===

    /// Takes an idle node and counts the hit. `None` when nothing is idle, or within reach: a
    /// lock that others hold for longer than a moment does not keep this thread waiting.
    #[inline]
    pub(crate) fn pop(&self) -> Option<NonNull<Node<R>>> {
        let me = thread::me();
        // SAFETY: `self` is alive throughout, borrowed from a handle's store.
        if let Some(shard) = unsafe { Shard::enter(self.shard(me.home), me.owner) }
            && let Some(node) = shard.pop()
        {
            return Some(node);
        }
        self.pop_elsewhere()
    }

    /// Goes on where the home shard is not this thread's own, or is empty.
    #[cold]
    fn pop_elsewhere(&self) -> Option<NonNull<Node<R>>> {
        let home = thread::home();
        let shard = self.shard(home);
        if shard.len() > 0 {
            // SAFETY: `self` is alive throughout, borrowed from a handle's store.
            match unsafe { Shard::lock_home(shard) } {
                Some(shard) => {
                    if let Some(node) = shard.pop() {
                        return Some(node);
                    }
                }
                None => thread::leave(home),
            }
        }
        self.depot.pop().or_else(|| {
            // SAFETY: `self` is alive throughout, borrowed from a handle's store.
            unsafe { sweep(self, home, |shard| shard.len() > 0, Locked::pop) }
        })
    }

    /// Moves an idle item out of its node, and counts the hit and what was taken. `None` as for
    /// [`pop`](Self::pop).
    #[inline]
    pub(crate) fn take(&self) -> Option<R::Item> {
        // A large one is not moved under the lock, which is held for a moment only.
        if size_of::<R::Item>() > MOVED_UNDER_LOCK {
            return self.take_elsewhere();
        }
        let me = thread::me();
        // SAFETY: `self` is alive throughout, borrowed from a handle's store.
        let shard = unsafe { Shard::enter(self.shard(me.home), me.owner) };
        match shard.and_then(|shard| shard.take(self.most_spares)) {
            // A node that was not kept goes here, with the lock released.
            Some(taken) => Some(taken.item),
            None => self.take_elsewhere(),
        }
    }

    /// Goes on where the home shard is not this thread's own, or is empty, or the item is large.
    #[cold]
    fn take_elsewhere(&self) -> Option<R::Item> {
        let node = self.pop_elsewhere()?;
        self.count_taken();
        // SAFETY: popped, so owned by this call, and idle nodes are not spare.
        Some(unsafe { Self::take_item(node) })
    }

    // === Idle nodes, in ===

    /// Whether a return would find room now, and if not, why.
    pub(crate) fn room(&self) -> Result<(), PutReason> {
        // Relaxed: a hint, the shard decides.
        if self.closed.load(Ordering::Relaxed) {
            Err(PutReason::Closed)
        } else if self.shard(thread::home()).has_room() || self.has_room_elsewhere() {
            Ok(())
        } else {
            Err(PutReason::Full)
        }
    }

    #[cold]
    fn has_room_elsewhere(&self) -> bool {
        // By number: that a shard refuses may come of closing just now, and is no lack of room.
        self.depot.has_room() || self.len() < self.capacity
    }

    /// Stores a node. On success the pool may be gone by the time this returns, on failure the
    /// node still belongs to the caller. Drops `doomed` when the fence of a lock is refused, which
    /// unwinds.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and gives it up on success. It is gone when
    /// `doomed` is dropped.
    unsafe fn push<D>(node: NonNull<Node<R>>, doomed: D) -> Result<(), PutReason> {
        // SAFETY: passes on what the caller promises.
        if unsafe { Self::push_home(node, |_| ()) } {
            mem::forget(doomed);
            return Ok(());
        }
        // SAFETY: passes on what the caller promises; the push above did not happen.
        unsafe { Self::push_elsewhere(node, doomed) }
    }

    /// Stores a node in the home shard, if that is this thread's own and has room; `then` still
    /// sees it locked.
    ///
    /// # Safety
    ///
    /// As for [`push`](Self::push), with `true` as success.
    #[inline]
    unsafe fn push_home(node: NonNull<Node<R>>, then: impl FnOnce(&Locked<R>)) -> bool {
        let me = thread::me();
        // SAFETY: alive until the node is given up: it holds a reference (I2).
        let shard: *const Shard<R> = unsafe { Self::of(node) }.shard(me.home);
        // SAFETY: alive as said, and from the push on while the shard is open and locked (I3).
        let Some(shard) = (unsafe { Shard::enter(shard, me.owner) }) else { return false };
        // SAFETY: owned by the caller, who says that it is not spare.
        let pushed = unsafe { shard.push(node) };
        if pushed {
            then(&shard);
        }
        pushed
    }

    /// Goes on where the home shard is not this thread's own, or is full.
    ///
    /// # Safety
    ///
    /// As for [`push`](Self::push).
    #[cold]
    unsafe fn push_elsewhere<D>(node: NonNull<Node<R>>, doomed: D) -> Result<(), PutReason> {
        // SAFETY: owned by the caller.
        let store = unsafe { node.as_ref() }.store();
        let pushed = loop {
            // SAFETY: passes on what the caller promises; on any other answer it still holds. It
            // unwinds only where it gets no lock, so with the node still the caller's.
            match unsafe { Self::push_anywhere(node, store) } {
                Pushed::Done => break Ok(()),
                Pushed::Refused(reason) => break Err(reason),
                // Not under a lock (I6).
                // SAFETY: alive, as the node was not given up (I2).
                Pushed::NeedsRing(at) => unsafe { store.as_ref() }.depot.make_ring(at),
            }
        };
        mem::forget(doomed);
        pushed
    }

    /// Tries the home shard, the depot and the other shards, in this order.
    ///
    /// # Safety
    ///
    /// As for [`push`](Self::push), with [`Pushed::Done`] as success; `store` is the node's.
    unsafe fn push_anywhere(node: NonNull<Node<R>>, store: NonNull<Self>) -> Pushed {
        let home = thread::home();
        // SAFETY: alive until the node is given up: it holds a reference (I2).
        let shard: *const Shard<R> = unsafe { store.as_ref() }.shard(home);
        let depot_is_full = Cell::new(false);
        let store_in = |shard: &Locked<R>| {
            if shard.is_closed() {
                return Some(Pushed::Refused(PutReason::Closed));
            }
            // SAFETY: owned by the caller, until somebody takes it.
            if unsafe { shard.push(node) } {
                return Some(Pushed::Done);
            }
            // Any open shard's lock will do to enter the depot with; the first that is had.
            if !depot_is_full.get() {
                // SAFETY: alive, as the node was not given up yet (I2).
                let depot = unsafe { &(*store.as_ptr()).depot };
                // SAFETY: the node is the caller's, and `shard` is open and locked.
                match unsafe { depot.push(node) } {
                    Ok(()) => return Some(Pushed::Done),
                    Err(Some(at)) => return Some(Pushed::NeedsRing(at)),
                    Err(None) => depot_is_full.set(true),
                }
            }
            None
        };
        // SAFETY: alive until `store_in` gives the node up, and then while the lock is held (I3).
        match unsafe { Shard::lock_home(shard) } {
            Some(shard) => {
                if let Some(pushed) = store_in(&shard) {
                    return pushed;
                }
            }
            None => thread::leave(home),
        }
        // A full shard's lock is only good for entering the depot; taking it costs its owner.
        let is_worth = |shard: &Shard<R>| !depot_is_full.get() || shard.has_room();
        // SAFETY: alive until `store_in` gives the node up, and then the lock of an open shard is
        // held (I3); `sweep` looks at nothing after that.
        let pushed = unsafe { sweep(store.as_ptr(), home, is_worth, store_in) };
        pushed.unwrap_or_else(|| {
            // SAFETY: nobody took the node, so it still holds its reference.
            let closed = unsafe { &(*store.as_ptr()).closed };
            // Relaxed: the reason only; a thread that got no lock has nothing better to go by.
            let closed = closed.load(Ordering::Relaxed);
            Pushed::Refused(if closed { PutReason::Closed } else { PutReason::Full })
        })
    }

    // === Nodes ===

    /// Creates an item by the recipe. Nothing is counted yet: a create that panics changes nothing.
    pub(crate) fn create(&self) -> R::Item {
        let item = R::create(&self.config);
        if R::MEASURED && self.by_use {
            self.set_floor(R::measure(&item).1);
        }
        item
    }

    fn set_floor(&self, held: usize) {
        // Relaxed, both: a threshold; the last one to be set is as good as any. Most objects are
        // created alike, and a store would take the line from all who read what lies beside it.
        if self.floor.load(Ordering::Relaxed) != held {
            self.floor.store(held, Ordering::Relaxed);
        }
    }

    /// Gives an item that a get had to create a node, and counts the miss.
    pub(crate) fn admit(&self, item: R::Item) -> NonNull<Node<R>> {
        let node = self.new_node(item);
        self.count_miss();
        node
    }

    pub(crate) fn count_miss(&self) {
        self.figures.0.misses.add(1);
    }

    pub(crate) fn count_taken(&self) {
        self.figures.0.taken.add(1);
    }

    /// Makes a node around an item, of a spare one if there is one.
    fn new_node(&self, item: R::Item) -> NonNull<Node<R>> {
        if let Some(mut node) = self.pop_spare() {
            // SAFETY: popped, so owned by this call.
            unsafe { node.as_mut() }.set_item(item);
            return node;
        }
        // Relaxed: the handle that `self` is borrowed from keeps the count above 0, and the node
        // reaches other threads through a lock. No overflow: each reference is a node in memory.
        self.counts.0.refs.fetch_add(1, Ordering::Relaxed);
        // SAFETY: counted above.
        unsafe { Node::boxed(self.itself, item) }
    }

    fn pop_spare(&self) -> Option<NonNull<Node<R>>> {
        let home = thread::home();
        if self.shard(home).spares() > 0 {
            // SAFETY: `self` is alive throughout, borrowed from a handle's store.
            let shard = unsafe { Shard::lock_home(self.shard(home)) };
            if let Some(node) = shard.and_then(|shard| shard.pop_spare()) {
                return Some(node);
            }
        }
        // SAFETY: as above.
        unsafe { sweep(self, home, |shard| shard.spares() > 0, Locked::pop_spare) }
    }

    /// Moves the item out of a node and keeps the node for later, within bounds.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and never uses it again.
    pub(crate) unsafe fn take_item(mut node: NonNull<Node<R>>) -> R::Item {
        // SAFETY: owned by the caller.
        let node_mut = unsafe { node.as_mut() };
        let store = node_mut.store();
        // SAFETY: not spare, as the caller promises.
        let item = unsafe { node_mut.take_item() };
        // SAFETY: alive until the node is given up: it holds a reference (I2).
        let alive = unsafe { store.as_ref() };
        let shard: *const Shard<R> = alive.shard(thread::home());
        let limit = alive.most_spares;
        // SAFETY: owned by this call, and spare since its item was moved out.
        let spare = unsafe { Spare::new(node) };
        // SAFETY: alive as said, and from the push on while the shard is open and locked (I3).
        let home_shard = unsafe { Shard::lock_home(shard) };
        // SAFETY: as above; `spare` is forgotten where the shard has the node.
        if home_shard.is_some_and(|shard| unsafe { shard.push_spare(node, limit) }) {
            mem::forget(spare);
        }
        item
    }

    // === Giving memory back ===

    /// Drops what has been idle since before the last trim; returns how many.
    pub(crate) fn trim(&self) -> usize {
        self.free_spares();
        let mut old = Removed::new(&self.figures.0.trimmed);
        for shard in self.shards.iter().filter(|shard| shard.len() > 0) {
            shard.lock().trim(&mut old.nodes);
        }
        self.depot.trim(&mut old.nodes);
        old.nodes.len()
    }

    /// Drops what is idle now; returns how many.
    pub(crate) fn clear(&self) -> usize {
        self.free_spares();
        let mut all = Removed::new(&self.figures.0.cleared);
        for shard in self.shards.iter().filter(|shard| shard.len() > 0) {
            shard.lock().clear(&mut all.nodes);
        }
        self.depot.clear(&mut all.nodes);
        all.nodes.len()
    }

    /// Frees the emptied nodes that are kept for later; the shards without any are left alone,
    /// as taking the lock of another thread's shard costs both.
    fn free_spares(&self) {
        for shard in self.shards.iter().filter(|shard| shard.spares() > 0) {
            let spares = shard.lock().take_spares();
            // Not under the lock (I6).
            drop(spares);
        }
    }

    // === The end ===

    /// Drops what is idle, and sees to it that nothing is stored any more.
    pub(crate) fn close(&self) {
        drop(self.shut());
    }

    /// Sees to it that nothing is stored any more, and hands out what was idle: objects' `Drop`
    /// runs when every flag is set and every lock is free.
    fn shut(&self) -> Removed<'_, R> {
        // Relaxed: says why a return was refused; the shards' own flags refuse it.
        self.closed.store(true, Ordering::Relaxed);
        let mut all = Removed::new(&self.figures.0.cleared);
        for shard in &self.shards {
            shard.lock().close(&mut all.nodes);
        }
        // A closed shard takes no spares either.
        self.free_spares();
        // Only now: a shard that was still open could have pushed behind us (I4).
        self.depot.clear(&mut all.nodes);
        all
    }

    /// Counts another handle.
    pub(crate) fn add_handle(&self) {
        // Relaxed: a handle is made from one that exists, and reaches other threads by the
        // means that carries it there.
        let before = self.counts.0.handles.fetch_add(1, Ordering::Relaxed);
        if before > isize::MAX.unsigned_abs() {
            // Only by forgetting handles in a loop; what `Arc` does.
            std::process::abort();
        }
    }

    /// Gives up a handle; the last one closes the pool.
    ///
    /// # Safety
    ///
    /// The caller owns a handle and never uses it again.
    pub(crate) unsafe fn drop_handle(this: NonNull<Self>) {
        // SAFETY: alive, as the handles together hold a reference (I2).
        let store = unsafe { this.as_ref() };
        // AcqRel: the last handle to go sees all that was done through the others.
        if store.counts.0.handles.fetch_sub(1, Ordering::AcqRel) == 1 {
            // Where the fence of a lock is refused this unwinds with shards still open, so the
            // reference is not given up (I3).
            let idle = store.shut();
            // Given up last, also when an object's `Drop` unwinds.
            // SAFETY: that of the handles, of which this was the last.
            let _handles = unsafe { Reference::new(this) };
            drop(idle);
        }
    }

    /// Gives up a reference; the last one frees the store.
    ///
    /// # Safety
    ///
    /// The caller owns a reference that `refs` counts and never uses it again.
    unsafe fn release(this: NonNull<Self>) {
        // SAFETY: alive, as the caller's reference counts.
        let refs = unsafe { &(*this.as_ptr()).counts.0.refs };
        // Release: pairs with the fence below, in whichever thread gives up the last reference.
        if refs.fetch_sub(1, Ordering::Release) == 1 {
            // Acquire: pairs with the Release of all other threads, whose use ends before the
            // store is freed.
            fence(Ordering::Acquire);
            // SAFETY: from `allocate`, and nobody has a reference any more.
            drop(unsafe { Box::from_raw(this.as_ptr()) });
        }
    }
}

/// What became of a push; unless it is done, the node still belongs to the caller.
enum Pushed {
    Done,
    Refused(PutReason),
    /// The depot has room, once it has this ring.
    NeedsRing(usize),
}

/// Visits the shards, the one at `home` last, until `visit` answers: first those whose lock is
/// free, then for a short and bounded while those that were busy.
///
/// # Safety
///
/// The store is alive until `visit` answers. When `visit` gives up the caller's last reference, it
/// does so with an answer and to an open shard or under its lock (I3).
unsafe fn sweep<R: Recipe, T>(
    store: *const Store<R>,
    home: usize,
    worth: impl Fn(&Shard<R>) -> bool,
    mut visit: impl FnMut(&Locked<R>) -> Option<T>,
) -> Option<T> {
    // SAFETY: alive, as the caller promises.
    let mask = unsafe { (*store).mask };
    let shard_at = |at: usize| {
        // SAFETY: alive, as `visit` has not answered yet.
        let shard = unsafe { &*store }.shard(at);
        if worth(shard) { Some(std::ptr::from_ref(shard)) } else { None }
    };
    let mut busy = 0_u64;
    for at in home + 1..=home + 1 + mask {
        let Some(shard) = shard_at(at) else { continue };
        // SAFETY: alive, as the caller promises.
        match unsafe { Shard::try_lock(shard) } {
            Some(mut shard) => {
                shard.unbias();
                if let Some(answer) = visit(&shard) {
                    return Some(answer);
                }
            }
            None => busy |= 1 << (at & mask),
        }
    }
    while busy != 0 {
        let at = busy.trailing_zeros() as usize;
        busy &= busy - 1;
        let Some(shard) = shard_at(at) else { continue };
        // SAFETY: alive, as the caller promises.
        let shard = unsafe { Shard::try_lock_patiently(shard) };
        if let Some(answer) = shard.as_ref().and_then(&mut visit) {
            return Some(answer);
        }
    }
    None
}
