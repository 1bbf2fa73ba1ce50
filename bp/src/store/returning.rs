//! The way back of an object: judged, cleaned, stored, or dropped and counted.

use std::mem;
use std::ptr::NonNull;
use std::thread;

use super::node::{Node, drop_node};
use super::shard::Locked;
use super::{Ordering, Store, UNKNOWN};
use crate::{PutError, PutReason, Recipe};

/// Returns in a row that must have used less than a quarter of an object before it goes, where a
/// pool retains by use. One large use among so many small ones keeps it.
const STRIKES: u8 = 5;

impl<R: Recipe> Store<R> {
    /// Brings an object back from a guard.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and never uses it again.
    #[inline]
    pub(crate) unsafe fn give_back(node: NonNull<Node<R>>) {
        if thread::panicking() {
            // What the panic interrupted may have left the object half changed.
            // SAFETY: owned by this call.
            drop(unsafe { Doomed::new(node) });
            return;
        }
        // SAFETY: owned by this call, which has it back from `clean`.
        let doomed = unsafe { Doomed::new(node) };
        // SAFETY: owned by this call.
        if let Err(reason) = unsafe { Self::clean(node, doomed) } {
            // SAFETY: as above.
            unsafe { Self::discard(node, reason) };
            return;
        }
        // SAFETY: as above; given up where it succeeds.
        if !unsafe { Self::push_home(node, |_| ()) } {
            // SAFETY: refused, so still owned by this call.
            unsafe { Self::give_elsewhere(node) };
        }
    }

    /// Goes on with a clean object that the home shard did not take.
    ///
    /// # Safety
    ///
    /// As for [`give_back`](Self::give_back).
    #[cold]
    unsafe fn give_elsewhere(node: NonNull<Node<R>>) {
        // SAFETY: owned by this call, which has it back where the push is refused.
        let doomed = unsafe { Doomed::new(node) };
        // SAFETY: owned by this call; given up where it succeeds.
        if let Err(reason) = unsafe { Self::push_elsewhere(node, doomed) } {
            // SAFETY: refused, so still owned by this call.
            unsafe { Self::discard(node, reason) };
        }
    }

    /// Brings an object back and tells what became of it; hands it out when it was refused.
    ///
    /// # Safety
    ///
    /// As for [`give_back`](Self::give_back).
    pub(crate) unsafe fn release_node(node: NonNull<Node<R>>) -> Result<(), PutError<R::Item>> {
        // SAFETY: owned by this call, so it holds a reference until it is given up (I2).
        let store = unsafe { Self::of(node) };
        let done = store.room().and_then(|()| {
            // SAFETY: owned by this call, which has it back from `clean`.
            let doomed = unsafe { Doomed::new(node) };
            // SAFETY: owned by this call.
            unsafe { Self::clean(node, doomed) }?;
            // SAFETY: owned by this call, which has it back where the push is refused.
            let doomed = unsafe { Doomed::new(node) };
            // SAFETY: owned by this call; given up where it succeeds.
            unsafe { Self::push(node, doomed) }
        });
        done.map_err(|reason| {
            // SAFETY: refused, so still owned by this call.
            unsafe { Self::of(node) }.figures.0.discarded(reason).add(1);
            // SAFETY: as above.
            PutError::new(reason, unsafe { Self::take_item(node) })
        })
    }

    /// Stores an object that did not come from a guard, or hands it back.
    pub(crate) fn put(&self, item: R::Item) -> Result<(), PutError<R::Item>> {
        if let Err(reason) = self.room() {
            return Err(PutError::new(reason, item));
        }
        // Into its place first, and cleaned there: each move of an item costs a few ns.
        let mut node = self.new_node(item);
        // SAFETY: made above, and owned by this call, which has it back from `clean`.
        let lost = unsafe { Lost::new(node) };
        // SAFETY: owned by this call.
        if let Err(reason) = unsafe { Self::clean(node, lost) } {
            // SAFETY: as above, and not spare.
            return Err(PutError::new(reason, unsafe { Self::take_item(node) }));
        }
        // What is put was not used here.
        // SAFETY: as above.
        unsafe { node.as_mut() }.strikes = 0;
        // SAFETY: owned by this call, and not spare; given up where it succeeds.
        if unsafe { Self::push_home(node, Locked::count_put) } {
            return Ok(());
        }
        // SAFETY: the push did not happen, so still owned by this call.
        unsafe { self.put_elsewhere(node) }
    }

    /// Goes on where the home shard is not this thread's own, or is full.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and never uses it again.
    #[cold]
    unsafe fn put_elsewhere(&self, node: NonNull<Node<R>>) -> Result<(), PutError<R::Item>> {
        // SAFETY: owned by this call, which has it back where the push is refused.
        let lost = unsafe { Lost::new(node) };
        // SAFETY: owned by this call; given up where this succeeds.
        unsafe { Self::push_elsewhere(node, lost) }.map_err(|reason| {
            // SAFETY: refused, so still owned by this call.
            PutError::new(reason, unsafe { Self::take_item(node) })
        })?;
        self.figures.0.put.add(1);
        Ok(())
    }

    /// Creates objects until `n` are idle.
    pub(crate) fn preload(&self, n: usize) {
        for _ in 0..n {
            let mut node = self.new_node(self.create());
            // SAFETY: made above, and not spare.
            let lost = unsafe { Lost::new(node) };
            // SAFETY: owned by this call; `lost` looks at it only when this borrow is over.
            let made = unsafe { node.as_mut() };
            // SAFETY: not spare.
            unsafe { made.note_held() };
            // SAFETY: as above; given up where this succeeds.
            if unsafe { Self::push(node, lost) }.is_err() {
                // SAFETY: refused, so still owned by this call.
                unsafe { drop_node(node) };
                break;
            }
            self.figures.0.preloaded.add(1);
        }
    }

    /// Drops an object that its user does not want to go back.
    ///
    /// # Safety
    ///
    /// As for [`give_back`](Self::give_back).
    pub(crate) unsafe fn discard_by_user(node: NonNull<Node<R>>) {
        // SAFETY: owned by this call.
        unsafe { Self::of(node) }.figures.0.discarded_by_user.add(1);
        // SAFETY: as above.
        unsafe { drop_node(node) };
    }

    /// Moves an object out for good.
    ///
    /// # Safety
    ///
    /// As for [`give_back`](Self::give_back).
    pub(crate) unsafe fn detach(node: NonNull<Node<R>>) -> R::Item {
        // SAFETY: owned by this call.
        unsafe { Self::of(node) }.figures.0.detached.add(1);
        // SAFETY: as above.
        unsafe { Self::take_item(node) }
    }

    /// Drops an object that may not stay, for `reason`.
    ///
    /// # Safety
    ///
    /// As for [`give_back`](Self::give_back).
    #[cold]
    #[inline(never)]
    unsafe fn discard(node: NonNull<Node<R>>, reason: PutReason) {
        // SAFETY: owned by this call, as the caller promises.
        unsafe { Self::of(node) }.figures.0.discarded(reason).add(1);
        // SAFETY: as above.
        unsafe { drop_node(node) };
    }

    /// Asks whether the object may stay, and cleans it if so. Drops `doomed` when a step unwinds.
    ///
    /// # Safety
    ///
    /// The caller owns the node, which is not spare. It is gone when `doomed` is dropped.
    #[inline]
    unsafe fn clean<D>(mut node: NonNull<Node<R>>, doomed: D) -> Result<(), PutReason> {
        // SAFETY: owned by the caller, so it holds a reference throughout (I2).
        let store = unsafe { Self::of(node) };
        // SAFETY: owned by the caller; `doomed` looks at it only when this borrow is over.
        let node = unsafe { node.as_mut() };
        // SAFETY: not spare, as the caller promises.
        let verdict = unsafe { store.judge(node) };
        if verdict.is_ok() {
            // SAFETY: as above.
            R::reset(unsafe { node.item_mut() }, &store.config);
            // SAFETY: as above.
            unsafe { node.note_held() };
        }
        mem::forget(doomed);
        verdict
    }

    /// Asks whether the object may stay.
    ///
    /// # Safety
    ///
    /// The node is not spare.
    #[inline]
    unsafe fn judge(&self, node: &mut Node<R>) -> Result<(), PutReason> {
        // SAFETY: not spare, as the caller promises.
        let item = unsafe { node.item() };
        if !R::keep(item, &self.config) {
            return Err(PutReason::Unfit);
        }
        if R::MEASURED {
            let (used, held) = R::measure(item);
            let stays = if self.by_use {
                self.is_worth_its_size(node, used, held)
            } else {
                held <= R::limit(&self.config)
            };
            if !stays {
                return Err(PutReason::Unfit);
            }
        }
        Ok(())
    }

    /// Counts the uses in a row for which an object is too large, and forgives one that holds no
    /// more than a new one: dropping it would bring nothing.
    // Out of line, for the pools that do not retain by use: 0.5 ns per use.
    #[inline(never)]
    fn is_worth_its_size(&self, node: &mut Node<R>, used: usize, held: usize) -> bool {
        node.strikes = if used < held / 4 { node.strikes + 1 } else { 0 };
        if node.strikes < STRIKES {
            return true;
        }
        // Relaxed: a threshold; the last one to be set is as good as any.
        let floor = match self.floor.load(Ordering::Relaxed) {
            UNKNOWN => {
                // Nothing was created yet, all came from `put` or `get_with`.
                R::dispose(&mut self.create(), &self.config);
                self.floor.load(Ordering::Relaxed)
            }
            floor => floor,
        };
        node.strikes = 0;
        held <= floor
    }

    /// Returns the store of a node.
    ///
    /// # Safety
    ///
    /// The caller owns the node for as long as it uses the store: the node's reference keeps the
    /// store alive (I2).
    #[inline]
    pub(super) unsafe fn of<'a>(node: NonNull<Node<R>>) -> &'a Self {
        // SAFETY: the caller owns the node.
        let store = unsafe { node.as_ref() }.store();
        // SAFETY: alive, as the caller promises.
        unsafe { store.as_ref() }
    }
}

/// A node that goes with its object when this is dropped.
struct Lost<R: Recipe>(NonNull<Node<R>>);

impl<R: Recipe> Lost<R> {
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and gives it to this value, or takes it back
    /// by forgetting that.
    unsafe fn new(node: NonNull<Node<R>>) -> Self {
        Lost(node)
    }
}

impl<R: Recipe> Drop for Lost<R> {
    #[cold]
    fn drop(&mut self) {
        // SAFETY: owned by this value, and not spare.
        unsafe { drop_node(self.0) };
    }
}

/// The same, counted as lost to a panic: what was in use.
struct Doomed<R: Recipe>(Lost<R>);

impl<R: Recipe> Doomed<R> {
    /// # Safety
    ///
    /// As for [`Lost::new`].
    unsafe fn new(node: NonNull<Node<R>>) -> Self {
        // SAFETY: passes on what the caller promises.
        Doomed(unsafe { Lost::new(node) })
    }
}

impl<R: Recipe> Drop for Doomed<R> {
    #[cold]
    fn drop(&mut self) {
        // SAFETY: owned by `self.0`, which goes after this.
        unsafe { Store::of(self.0.0) }.figures.0.discarded_panic.add(1);
    }
}
