//! The system's allocator, counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what goes through to the system's allocator.
pub(crate) struct Counting {
    allocations: AtomicU64,
    bytes: AtomicU64,
}

/// What was allocated up to a moment, or between two.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    /// How often memory was asked for; growing a block counts as asking.
    pub(crate) allocations: u64,
    /// How many bytes were asked for; a block that grows counts with its new size.
    pub(crate) bytes: u64,
}

impl Counting {
    pub(crate) const fn new() -> Self {
        Counting { allocations: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    pub(crate) fn figures(&self) -> Figures {
        Figures {
            allocations: self.allocations.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }

    /// Relaxed: joining the threads that allocate orders their counts before the reading.
    fn count(&self, bytes: usize) {
        self.allocations.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Sub for Figures {
    type Output = Figures;

    fn sub(self, earlier: Figures) -> Figures {
        Figures {
            allocations: self.allocations - earlier.allocations,
            bytes: self.bytes - earlier.bytes,
        }
    }
}

// SAFETY: every block comes from `System` and goes back to it, with the caller's arguments
// unchanged; counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `System::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        self.count(new_size);
        // SAFETY: as in `alloc`, and `block` came from `System` since all blocks do.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(block, layout) }
    }
}
