//! An allocator that counts, for the test binaries that install it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::ops::Sub;

thread_local! {
    static SETTLED: Cell<bool> = const { Cell::new(false) };
    // `const` and without destructor: may be used while the thread starts and ends.
    static COUNTS: Cell<Allocated> = const { Cell::new(Allocated { times: 0, bytes: 0 }) };
}

/// The system's allocator, which counts what each thread asks of it.
///
/// A test sees what its own thread allocates, so tests may run side by side.
#[derive(Debug)]
pub struct Counting;

/// What was allocated: how often, and how many bytes. Nothing is subtracted for what is freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocated {
    /// Calls that asked for memory, those that grew an allocation among them.
    pub times: usize,
    /// The bytes that they asked for.
    pub bytes: usize,
}

impl Allocated {
    /// Nothing at all.
    pub const NOTHING: Self = Allocated { times: 0, bytes: 0 };

    fn count(bytes: usize) {
        let Allocated { times, bytes: before } = COUNTS.get();
        COUNTS.set(Allocated { times: times + 1, bytes: before.wrapping_add(bytes) });
    }
}

impl Sub for Allocated {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Allocated { times: self.times - earlier.times, bytes: self.bytes - earlier.bytes }
    }
}

/// Uses a pool until this thread has what the library keeps for a thread that comes often: once
/// in its life, for all pools.
fn settle() {
    let pool = bp::BufferPool::new(1, 1);
    for _ in 0..2000 {
        drop(pool.get());
    }
    SETTLED.set(true);
}

/// Returns what this thread allocates while it does the work, apart from what it has for life.
///
/// # Panics
///
/// Panics if the binary did not install [`Counting`].
pub fn allocated_by<T>(work: impl FnOnce() -> T) -> Allocated {
    if !SETTLED.get() {
        settle();
    }
    let before = COUNTS.get();
    drop(black_box(Box::new(0_u8)));
    let start = COUNTS.get();
    assert_eq!(start - before, Allocated { times: 1, bytes: 1 }, "no counting allocator here");
    let kept = work();
    let allocated = COUNTS.get() - start;
    drop(kept);
    allocated
}

// SAFETY: every call goes to `System` as it is; counting touches a thread-local cell only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Allocated::count(layout.size());
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Allocated::count(layout.size());
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Allocated::count(size);
        // SAFETY: the caller's promise, passed on; what `alloc` gave came from `System`.
        unsafe { System.realloc(start, layout, size) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on; what `alloc` gave came from `System`.
        unsafe { System.dealloc(start, layout) }
    }
}
