//! The shards' lock: nobody waits for it, and its usual user takes it without a locked instruction.
//!
//! A locked instruction costs 5 ns on a current server core (Zen 5), and an ordinary lock takes one
//! for a get and one for the return: 12.2 ns per use, of which 10 are those two. So a lock that one
//! thread has used for a while is *biased* to it: that thread, the owner, goes in and out with
//! plain stores and loads (4.9 ns per use, 2026-11-30), and it is the others who pay.
//!
//! The owner says in its record that it is inside, then looks whether the lock is still its own
//! and free. Anybody else takes the lock, then looks whether the owner is inside. Both need a
//! fence in between, or each could miss what the other wrote; [`fence`] has a pair of
//! which the owner's half is free. Where there is none, no lock is ever biased.
//!
//! A thread that meets a lock biased to another takes the bias away, so a lock that several
//! threads use behaves like an ordinary one. What only looks in once (trim, clear, close, figures)
//! leaves the bias where it is.

use std::ptr;

use super::fence;
use super::thread::{self, Owner};
use crate::sync::{AtomicPtr, Ordering, pause};

/// A lock that is held for a few instructions at a time, in which no other code runs.
pub(super) struct Lock {
    /// The thread that the lock is biased to, null for none. Bit 0 is set while the lock is held
    /// by anybody but its owner; only that holder may change the state then.
    state: AtomicPtr<Owner>,
}

/// A lock that is held; dropping it releases the lock.
///
/// Pointers, not references: what holds the lock may be freed as soon as it is released.
pub(super) struct Hold {
    lock: *const Lock,
    as_whom: Holder,
}

enum Holder {
    /// The lock is biased to this thread, which said that it is inside.
    Owner(&'static Owner),
    /// The lock's state has bit 0 set; this is the state that it gets.
    Other { then: *mut Owner },
}

impl Lock {
    pub(super) fn new() -> Self {
        Lock { state: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Tells loom that the lock's memory goes, and that nobody else may look at it any more.
    #[cfg(all(test, loom))]
    pub(super) fn assert_free(&mut self) {
        self.state.with_mut(|state| assert!(!is_locked(*state)));
    }

    /// Takes the lock if it is biased to this thread, which is `me`, and nobody else has it.
    ///
    /// # Safety
    ///
    /// The lock is alive now and until it is released.
    #[inline]
    pub(super) unsafe fn enter(this: *const Self, me: &'static Owner) -> Option<Hold> {
        // SAFETY: alive, as the caller promises.
        let state = unsafe { &(*this).state };
        // Relaxed: looked at again below, if it matters.
        if state.load(Ordering::Relaxed) != me.as_state() {
            return None;
        }
        me.enter(this);
        fence::light();
        // Acquire: pairs with the Release of whoever held the lock or biased it last, shows what
        // was done under it. Still equal: others who take the lock from now on see us inside.
        if state.load(Ordering::Acquire) == me.as_state() {
            return Some(Hold { lock: this, as_whom: Holder::Owner(me) });
        }
        me.leave();
        None
    }

    /// Takes the lock if it is free, for a thread that comes often: takes away the bias to another
    /// one, and asks for its own.
    ///
    /// # Safety
    ///
    /// As for [`enter`](Self::enter).
    pub(super) unsafe fn enter_unowned(this: *const Self) -> Option<Hold> {
        // Before the lock is taken: the thread's first record is allocated (I6).
        let bias = thread::apply();
        // SAFETY: as the caller promises.
        let mut hold = unsafe { Self::try_lock(this) }?;
        hold.unbias();
        if let Holder::Other { then } = &mut hold.as_whom
            && then.is_null()
            && let Some(me) = bias
        {
            *then = me.as_state();
        }
        Some(hold)
    }

    /// Takes the lock if it is free, and leaves a bias where it is.
    ///
    /// # Safety
    ///
    /// As for [`enter`](Self::enter).
    pub(super) unsafe fn try_lock(this: *const Self) -> Option<Hold> {
        // SAFETY: alive, as the caller promises.
        let state = unsafe { &(*this).state };
        // Relaxed: only a hint; the exchange below looks again. Looking first leaves the line
        // with its owner.
        let then = state.load(Ordering::Relaxed);
        if is_locked(then) {
            return None;
        }
        // Acquire: pairs with the Release of the last holder, shows what it did.
        state.compare_exchange(then, locked(then), Ordering::Acquire, Ordering::Relaxed).ok()?;
        // From here on the lock is given back by dropping this.
        let hold = Hold { lock: this, as_whom: Holder::Other { then } };
        if then.is_null() || then == thread::me().owner.as_state() {
            return Some(hold);
        }
        // The owner sees the lock taken from now on, or we see it inside.
        if !fence::heavy() {
            // Nothing was touched yet. The hook for panics is other code (I6).
            drop(hold);
            fence::refused();
        }
        // SAFETY: the state of a lock is a record, and records are never freed.
        let owner = unsafe { &*then };
        // A few ns if it runs; an owner that was descheduled inside is not worth waiting for.
        let left = (0..PATIENCE).any(|turn| {
            let left = !owner.is_inside(this);
            if !left {
                pause(turn);
            }
            left
        });
        if left { Some(hold) } else { None }
    }
}

/// Looks at an owner that is inside before a thread goes elsewhere.
const PATIENCE: u32 = if cfg!(all(test, loom)) { 2 } else { 32 };

impl Hold {
    /// Takes the bias away from another thread, as the caller will come again.
    pub(super) fn unbias(&mut self) {
        if let Holder::Other { then } = &mut self.as_whom
            && *then != thread::me().owner.as_state()
        {
            *then = ptr::null_mut();
        }
    }
}

impl Drop for Hold {
    #[inline]
    fn drop(&mut self) {
        match self.as_whom {
            // The last touch of all that the lock guards.
            Holder::Owner(me) => me.leave(),
            Holder::Other { then } => {
                // SAFETY: alive up to this store, as whoever took the lock promised.
                let state = unsafe { &(*self.lock).state };
                // Release: pairs with the Acquire of the next holder. The last touch of the lock.
                state.store(then, Ordering::Release);
            }
        }
    }
}

fn is_locked(state: *mut Owner) -> bool {
    state.addr() & 1 == 1
}

fn locked(state: *mut Owner) -> *mut Owner {
    state.map_addr(|addr| addr | 1)
}
