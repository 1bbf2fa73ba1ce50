//! Owners: what a thread that comes often is known by, so that locks can be biased to it.

use super::lock::Lock;
use crate::sync::{AtomicPtr, Ordering};

/// One thread's record; at most one thread has it at a time.
///
/// Records are never freed: a lock may name an owner that is long gone. A thread that ends leaves
/// its record to the next one, and with it the locks that are biased to it.
#[repr(align(128))]
pub(super) struct Owner {
    /// The lock that the thread is inside of, as its owner. Never two: no other code runs there.
    inside: AtomicPtr<Lock>,
}

impl Owner {
    pub(super) fn new() -> Self {
        Owner { inside: AtomicPtr::new(std::ptr::null_mut()) }
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
        self.inside.store(std::ptr::null_mut(), Ordering::Release);
    }

    pub(super) fn is_inside(&self, lock: *const Lock) -> bool {
        // Acquire: pairs with the Release in `leave`.
        self.inside.load(Ordering::Acquire).cast_const() == lock
    }
}

#[cfg(not(all(test, loom)))]
mod real {
    use std::cell::Cell;
    use std::ptr::{self, NonNull};
    use std::sync::{Mutex, PoisonError};

    use super::super::fence;
    use super::Owner;

    /// Uses of locks that are biased to nobody, after which a thread asks for one to be biased
    /// to it. Taking a lock from its owner costs 0.3 to 0.8 µs on two cores, and more on many:
    /// at worst, where threads take turns, that comes to a few ns per use.
    const PATIENCE: u32 = 1024;

    /// What [`me`] is for a thread without a record: not the state of any lock.
    const NOBODY: *mut Owner = ptr::without_provenance_mut(2);

    thread_local! {
        static ME: Cell<*mut Owner> = const { Cell::new(NOBODY) };
        static USES: Cell<u32> = const { Cell::new(0) };
        /// Gives the record back when the thread ends. Apart from `ME`, which without a
        /// destructor works in those of other thread-locals too.
        static LEASE: Lease = Lease(NonNull::from(vacant()));
    }

    /// Returns this thread's record, or a pointer that equals no lock's state. Not to be read
    /// through before a lock's state was seen to be equal.
    #[inline]
    pub(crate) fn me() -> *mut Owner {
        ME.get()
    }

    /// Notes that this thread used a lock that is biased to nobody. Returns its record when it
    /// has done so often enough.
    pub(crate) fn apply() -> Option<NonNull<Owner>> {
        let uses = USES.get() + 1;
        USES.set(uses % PATIENCE);
        if uses == PATIENCE { record() } else { None }
    }

    #[cold]
    fn record() -> Option<NonNull<Owner>> {
        if !fence::is_available() {
            return None;
        }
        // Fails in a thread that is ending and has left its record already.
        let owner = LEASE.try_with(|lease| lease.0).ok()?;
        ME.set(owner.as_ptr());
        Some(owner)
    }

    /// The records of threads that have ended.
    static VACANT: Mutex<Vec<&'static Owner>> = Mutex::new(Vec::new());

    fn vacant() -> &'static Owner {
        let left = VACANT.lock().unwrap_or_else(PoisonError::into_inner).pop();
        left.unwrap_or_else(|| Box::leak(Box::new(Owner::new())))
    }

    struct Lease(NonNull<Owner>);

    impl Drop for Lease {
        fn drop(&mut self) {
            ME.set(NOBODY);
            // SAFETY: records are never freed.
            let owner = unsafe { self.0.as_ref() };
            VACANT.lock().unwrap_or_else(PoisonError::into_inner).push(owner);
        }
    }
}

#[cfg(all(test, loom))]
mod real {
    use std::cell::Cell;
    use std::ptr::{self, NonNull};

    use super::Owner;

    loom::thread_local! {
        static ME: Cell<*mut Owner> = Cell::new(ptr::without_provenance_mut(2));
    }

    pub(crate) fn me() -> *mut Owner {
        ME.with(Cell::get)
    }

    /// Models say which record a thread has; with one, it asks for every lock.
    pub(crate) fn seat(owner: &'static Owner) {
        ME.with(|me| me.set(ptr::from_ref(owner).cast_mut()));
    }

    pub(crate) fn apply() -> Option<NonNull<Owner>> {
        let me = me();
        if me.addr() == 2 { None } else { NonNull::new(me) }
    }
}

pub(super) use real::*;
