//! An allocator that counts what all threads ask for, while it is told to.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

// Relaxed throughout: the counters are read when the threads that were counted have been joined
// or met at a barrier, which orders what they did before.
static COUNTS: AtomicBool = AtomicBool::new(false);
static TIMES: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicI64 = AtomicI64::new(0);

/// The system's allocator. Where nothing is counted, a call costs one load and one branch more.
#[derive(Debug)]
pub struct Counting;

/// What was allocated meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocated {
    /// Calls that asked for memory, those that grew an allocation among them.
    pub times: u64,
    /// The bytes that they asked for. Nothing is subtracted for what is freed.
    pub bytes: u64,
    /// The bytes that are held now less those that were at the start.
    pub held: i64,
}

/// Starts to count, from 0.
pub fn start() {
    TIMES.store(0, Ordering::Relaxed);
    BYTES.store(0, Ordering::Relaxed);
    HELD.store(0, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
}

/// Returns what was counted so far.
pub fn so_far() -> Allocated {
    Allocated {
        times: TIMES.load(Ordering::Relaxed),
        bytes: BYTES.load(Ordering::Relaxed),
        held: HELD.load(Ordering::Relaxed),
    }
}

/// Stops counting, and returns what was counted.
pub fn stop() -> Allocated {
    COUNTS.store(false, Ordering::Relaxed);
    so_far()
}

#[inline]
fn count(size: usize, held: i64) {
    if COUNTS.load(Ordering::Relaxed) {
        TIMES.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(size as u64, Ordering::Relaxed);
        HELD.fetch_add(held, Ordering::Relaxed);
    }
}

/// No layout is larger than `isize::MAX`.
#[inline]
fn signed(size: usize) -> i64 {
    size.cast_signed() as i64
}

// SAFETY: every call goes to `System` as it is; counting touches atomics only.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), signed(layout.size()));
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), signed(layout.size()));
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, signed(size) - signed(layout.size()));
        // SAFETY: the caller's promise, passed on; what `alloc` gave came from `System`.
        unsafe { System.realloc(start, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        if COUNTS.load(Ordering::Relaxed) {
            HELD.fetch_sub(signed(layout.size()), Ordering::Relaxed);
        }
        // SAFETY: the caller's promise, passed on; what `alloc` gave came from `System`.
        unsafe { System.dealloc(start, layout) }
    }
}
