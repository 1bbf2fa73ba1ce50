//! What `MmapBytePool` asks of the allocator: nothing, once it is warm.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use bp::{MmapBytePool, MmapByteRef};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to `System` as it is; counting touches a thread-local cell only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns what the work allocates when it is done again: the first time warms the pool, and the
/// thread's place in it.
fn allocations(mut work: impl FnMut()) -> usize {
    let start = COUNT.get();
    drop(std::hint::black_box(Box::new(0)));
    assert_eq!(COUNT.get(), start + 1, "the counter works");
    work();
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

#[test]
fn get_and_drop_allocate_nothing_after_the_first() {
    for size in [4 << 10, 64 << 10, 1 << 20] {
        let pool = MmapBytePool::new(8, size).unwrap();
        let warm = || {
            for _ in 0..1000 {
                pool.get()[0] = 1;
            }
        };
        assert_eq!(allocations(warm), 0);
    }
}

#[test]
fn take_and_put_allocate_nothing_after_the_first() {
    let pool = MmapBytePool::new(8, 4096).unwrap();
    let warm = || {
        for _ in 0..1000 {
            pool.put(pool.take()).unwrap();
            pool.put(MmapByteRef::detach(pool.get())).unwrap();
        }
    };
    assert_eq!(allocations(warm), 0);
}

/// A block beyond the capacity that is kept while all slots are in use is as cheap.
#[test]
fn blocks_beyond_the_capacity_allocate_nothing_while_they_are_kept() {
    let pool = MmapBytePool::new(2, 4096).unwrap();
    let _slots = [pool.get(), pool.get()];
    let warm = || {
        for _ in 0..1000 {
            pool.get()[0] = 1;
        }
    };
    assert_eq!(allocations(warm), 0);
    assert_eq!(pool.stats().misses, 3);
}
