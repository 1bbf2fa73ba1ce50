//! A pair of fences of unequal cost.
//!
//! [`light`] on one side and [`heavy`] on the other order memory as two `SeqCst` fences would:
//! of two threads that each write, pass their fence and read what the other wrote, at least one
//! sees the other's write. `light` costs nothing but what the compiler may no longer move; `heavy`
//! makes every running thread of the process pass a full barrier, wherever it is (Linux,
//! `membarrier`, 0.3 to 0.8 µs). It says `false` where the system refuses: there was no fence then.

#[cfg(all(target_os = "linux", not(any(miri, bp_no_membarrier)), not(all(test, loom))))]
mod real {
    use std::sync::OnceLock;
    use std::sync::atomic::{Ordering, compiler_fence};

    // From linux/membarrier.h.
    const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;
    const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: no pointers; the kernel refuses a command that it does not know.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    /// Whether the pair works here. Where it does not, neither fence may be relied on.
    pub(crate) fn is_available() -> bool {
        static AVAILABLE: OnceLock<bool> = OnceLock::new();
        *AVAILABLE.get_or_init(|| membarrier(REGISTER_PRIVATE_EXPEDITED))
    }

    #[inline]
    pub(crate) fn light() {
        compiler_fence(Ordering::SeqCst);
    }

    #[cold]
    pub(crate) fn heavy() -> bool {
        // A process that was forked may have to register anew.
        membarrier(PRIVATE_EXPEDITED)
            || membarrier(REGISTER_PRIVATE_EXPEDITED) && membarrier(PRIVATE_EXPEDITED)
    }
}

// Miri does not know the system call.
#[cfg(all(any(not(target_os = "linux"), miri, bp_no_membarrier), not(all(test, loom))))]
mod real {
    pub(crate) fn is_available() -> bool {
        false
    }

    #[inline]
    pub(crate) fn light() {}

    #[cold]
    pub(crate) fn heavy() -> bool {
        true
    }
}

#[cfg(all(test, loom))]
mod real {
    use crate::sync::{Ordering, fence};

    pub(crate) fn light() {
        fence(Ordering::SeqCst);
    }

    pub(crate) fn heavy() -> bool {
        fence(Ordering::SeqCst);
        true
    }
}

pub(crate) use real::*;

/// Panics for a caller whose [`heavy`] was refused just now: without the fence two threads could
/// hold one lock, so there is no going on.
#[cold]
pub(crate) fn refused() -> ! {
    panic!(
        "the system call membarrier, which worked at first, is refused now: {}; a sandbox has to \
         allow it, or to be entered before the process uses a pool",
        std::io::Error::last_os_error(),
    );
}
