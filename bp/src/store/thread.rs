//! What a thread is to the store: where it is at home, and the record by which locks know it.
//!
//! A thread's home is a dense number, of which a pool takes as many low bits as it has shards. It
//! is kept where no destructor is needed: it works in the destructors of other thread-locals too,
//! and a thread that ends has nothing to clean up. Only threads that come often get a record.

use std::ptr;

use super::lock::Lock;
use crate::sync::{AtomicPtr, Ordering};

/// The record of a thread that comes often, so that locks can be biased to it; at most one thread
/// has it at a time.
///
/// Records are never freed: a lock may name an owner that is long gone. A thread that ends leaves
/// its record to the next one, and with it the locks that are biased to it.
#[repr(align(128))]
pub(super) struct Owner {
    /// The lock that the thread is inside of, as its owner. Never two: no other code runs there.
    inside: AtomicPtr<Lock>,
}

/// What the hit path wants to know of the thread that it runs on.
#[derive(Clone, Copy)]
pub(super) struct Me {
    /// The thread's record; one that no lock is biased to if it has none.
    pub(super) owner: &'static Owner,
    /// Where the thread is at home. Any number before it has first looked for [`home`].
    pub(super) home: usize,
}

impl Owner {
    #[cfg(not(all(test, loom)))]
    const fn new() -> Self {
        Owner { inside: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The same: loom's atomics are not made by a `const fn`.
    #[cfg(all(test, loom))]
    fn new() -> Self {
        Owner { inside: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Says that the thread is inside `lock`, before it looks whether it may be.
    #[inline]
    pub(super) fn enter(&self, lock: *const Lock) {
        // Release: a thread that reads this instead of the last `leave` sees what `leave` shows.
        self.inside.store(lock.cast_mut(), Ordering::Release);
    }

    #[inline]
    pub(super) fn leave(&self) {
        // Release: pairs with the Acquire in `is_inside`, shows what was done inside.
        self.inside.store(ptr::null_mut(), Ordering::Release);
    }

    pub(super) fn is_inside(&self, lock: *const Lock) -> bool {
        // Acquire: pairs with the Release in `leave`.
        self.inside.load(Ordering::Acquire).cast_const() == lock
    }

    /// Returns this as the state of a lock that is biased to it.
    #[inline]
    pub(super) fn as_state(&'static self) -> *mut Owner {
        ptr::from_ref(self).cast_mut()
    }
}

#[cfg(not(all(test, loom)))]
mod real {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    use super::super::fence;
    use super::{Me, Owner};

    /// Uses of locks that are not biased to it, after which a thread asks for one to be biased
    /// to it. Taking a lock from its owner costs 0.3 to 0.8 µs on two cores, and more on many:
    /// at worst, where threads take turns, that comes to a few ns per use.
    const PATIENCE: u32 = 1024;

    /// The home of a thread that has none yet.
    const NOWHERE: usize = usize::MAX;

    /// The record of all threads that have none. No lock is ever biased to it.
    static NOBODY: Owner = Owner::new();

    /// What a thread knows of itself. One thread-local, as finding each takes a few instructions.
    struct Own {
        owner: Cell<&'static Owner>,
        home: Cell<usize>,
        uses: Cell<u32>,
    }

    thread_local! {
        static OWN: Own = const {
            Own { owner: Cell::new(&NOBODY), home: Cell::new(NOWHERE), uses: Cell::new(0) }
        };
        /// Gives the record back when the thread ends. Apart from `OWN`, which without a
        /// destructor works in those of other thread-locals too.
        static LEASE: Lease = Lease(vacant());
    }

    #[inline]
    pub(crate) fn me() -> Me {
        OWN.with(|own| Me { owner: own.owner.get(), home: own.home.get() })
    }

    /// Returns where this thread is at home.
    pub(crate) fn home() -> usize {
        let home = OWN.with(|own| own.home.get());
        if home == NOWHERE { settle() } else { home }
    }

    #[cold]
    fn settle() -> usize {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        // Relaxed: the number alone counts; nothing else is handed over with it.
        let home = NEXT.fetch_add(1, Ordering::Relaxed) & (NOWHERE >> 1);
        OWN.with(|own| own.home.set(home));
        home
    }

    /// Moves this thread from `home` to the next shard, as it met a taken lock there.
    ///
    /// With more threads than shards this parts those that run at the same time: 4 threads on 2
    /// cores and 2 shards cost 44 ns per use, with 8 shards and moving 15.
    pub(crate) fn leave(home: usize) {
        OWN.with(|own| own.home.set(home.wrapping_add(1) & (NOWHERE >> 1)));
    }

    /// Notes that this thread comes to a lock that is not biased to it. Returns its record when
    /// it has done so often enough. Allocates, so not to be called under a lock.
    pub(crate) fn apply() -> Option<&'static Owner> {
        let uses = OWN.with(|own| own.uses.get()) + 1;
        OWN.with(|own| own.uses.set(uses % PATIENCE));
        if uses == PATIENCE { record() } else { None }
    }

    #[cold]
    fn record() -> Option<&'static Owner> {
        if !fence::is_available() {
            return None;
        }
        // Fails in a thread that is ending and has left its record already.
        let owner = LEASE.try_with(|lease| lease.0).ok()?;
        OWN.with(|own| own.owner.set(owner));
        Some(owner)
    }

    /// The records of threads that have ended.
    static VACANT: Mutex<Vec<&'static Owner>> = Mutex::new(Vec::new());

    fn vacant() -> &'static Owner {
        let left = VACANT.lock().unwrap_or_else(PoisonError::into_inner).pop();
        left.unwrap_or_else(|| Box::leak(Box::new(Owner::new())))
    }

    struct Lease(&'static Owner);

    impl Drop for Lease {
        fn drop(&mut self) {
            OWN.with(|own| own.owner.set(&NOBODY));
            VACANT.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
        }
    }
}

#[cfg(all(test, loom))]
mod real {
    use std::cell::Cell;

    use super::{Me, Owner};

    loom::thread_local! {
        static HOME: Cell<usize> = Cell::new(0);
        static OWNER: &'static Owner = Box::leak(Box::new(Owner::new()));
        static APPLIES: Cell<bool> = Cell::new(false);
    }

    /// Models say where a thread is at home; there, threads stay.
    pub(crate) fn set_home(home: usize) {
        HOME.with(|cell| cell.set(home));
    }

    /// Models say whether a thread asks for every lock that is not biased to it, or for none.
    pub(crate) fn set_applies(applies: bool) {
        APPLIES.with(|cell| cell.set(applies));
    }

    pub(crate) fn me() -> Me {
        Me { owner: OWNER.with(|owner| *owner), home: home() }
    }

    pub(crate) fn home() -> usize {
        HOME.with(Cell::get)
    }

    pub(crate) fn leave(_home: usize) {}

    pub(crate) fn apply() -> Option<&'static Owner> {
        if APPLIES.with(Cell::get) { Some(me().owner) } else { None }
    }
}

pub(super) use real::*;
