//! Atomics, cells and locks: std's, or the model checker's in loom's unit tests.
//!
//! Only the unit tests of this crate switch, so `--cfg loom` in a dependant changes nothing.
//! Cells are reached through `with` and `with_mut`, which lets loom see every access.

#[cfg(not(all(test, loom)))]
mod real {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence,
    };
    #[cfg(feature = "timer")]
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

    #[derive(Debug)]
    pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) const fn new(value: T) -> Self {
            UnsafeCell(std::cell::UnsafeCell::new(value))
        }

        #[inline]
        pub(crate) fn with<U>(&self, f: impl FnOnce(*const T) -> U) -> U {
            f(self.0.get())
        }

        #[inline]
        pub(crate) fn with_mut<U>(&self, f: impl FnOnce(*mut T) -> U) -> U {
            f(self.0.get())
        }
    }

    /// One turn of a loop that waits for another thread: spins at first, then yields.
    pub(crate) fn pause(turn: u32) {
        if turn < 64 {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

#[cfg(all(test, loom))]
mod real {
    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, fence,
    };
    #[cfg(feature = "timer")]
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};

    pub(crate) fn pause(turn: u32) {
        // Past a few turns the checker need not look at yet another one.
        if turn > 3 {
            loom::skip_branch();
        }
        loom::thread::yield_now();
    }
}

pub(crate) use real::*;

/// Keeps a value on cache lines of its own, so that threads which share its neighbours do not
/// slow each other down. 128: the prefetcher of x86 and the larger ARM cores work on pairs of
/// lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);

impl<T> std::ops::Deref for Padded<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}
