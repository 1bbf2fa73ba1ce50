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
    use std::ops::{Deref, DerefMut};

    pub(crate) use loom::cell::UnsafeCell;
    use loom::sync::atomic;
    pub(crate) use loom::sync::atomic::{Ordering, fence};
    #[cfg(feature = "timer")]
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};

    pub(crate) type AtomicBool = Watched<atomic::AtomicBool>;
    pub(crate) type AtomicPtr<T> = Watched<atomic::AtomicPtr<T>>;
    pub(crate) type AtomicU8 = Watched<atomic::AtomicU8>;
    pub(crate) type AtomicU32 = Watched<atomic::AtomicU32>;
    pub(crate) type AtomicUsize = Watched<atomic::AtomicUsize>;

    /// An atomic whose loads loom can tell apart.
    ///
    /// loom 0.7 remembers one load of each atomic. A thread that loads and then stores makes it
    /// forget a load of another thread before, and the order in which that one comes after the
    /// store is never tried: of a push and a pop on an empty ring it ran one interleaving. Beside
    /// each load stands a read-modify-write here, none of which loom forgets; relaxed, so that it
    /// orders nothing.
    #[derive(Debug, Default)]
    pub(crate) struct Watched<A> {
        atomic: A,
        loads: atomic::AtomicUsize,
    }

    macro_rules! watched {
        ($($Atomic:ty, $T:ty, [$($param:ident)?];)*) => {$(
            impl $(<$param>)? Watched<$Atomic> {
                pub(crate) fn new(value: $T) -> Self {
                    Watched { atomic: <$Atomic>::new(value), loads: atomic::AtomicUsize::new(0) }
                }

                pub(crate) fn load(&self, order: Ordering) -> $T {
                    self.loads.fetch_add(0, Ordering::Relaxed);
                    self.atomic.load(order)
                }
            }
        )*};
    }

    watched! {
        atomic::AtomicBool, bool, [];
        atomic::AtomicPtr<T>, *mut T, [T];
        atomic::AtomicU8, u8, [];
        atomic::AtomicU32, u32, [];
        atomic::AtomicUsize, usize, [];
    }

    impl<A> Deref for Watched<A> {
        type Target = A;

        fn deref(&self) -> &A {
            &self.atomic
        }
    }

    impl<A> DerefMut for Watched<A> {
        fn deref_mut(&mut self) -> &mut A {
            &mut self.atomic
        }
    }

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
