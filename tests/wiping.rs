//! Case 29: no secret is left in memory by a pool that wipes, whichever way an object leaves it.
//!
//! An allocator looks through all memory that is freed. It hands out zeroed memory only, so that
//! what it looks through is initialised.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::sink;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bp::{
    BufferPool, BufferRef, BytePool, ByteRef, CopyIoPool, ImageRgbaPool, ImageRgbaPremulPool,
    ImageRgbaPremulRef, ImageRgbaRef, ImageYCbCrPool, ImageYCbCrRef, MultiBytePool, OnReturn,
    Subsampling,
};

const SECRET: [u8; 16] = *b"correct horse bt";

thread_local! {
    /// Secrets found in memory that this thread freed.
    static LEAKS: Cell<usize> = const { Cell::new(0) };
    static LOOKS: Cell<bool> = const { Cell::new(false) };
}

struct Looking;

#[global_allocator]
static ALLOCATOR: Looking = Looking;

// SAFETY: hands every request on to the system's allocator.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises, handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if LOOKS.get() {
            // SAFETY: the caller gives up `layout.size()` bytes, which were zeroed when allocated.
            let bytes = unsafe { std::slice::from_raw_parts(memory, layout.size()) };
            if bytes.windows(SECRET.len()).any(|window| window == SECRET) {
                LEAKS.set(LEAKS.get() + 1);
            }
        }
        // SAFETY: the caller's promises, handed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Returns how many blocks of memory that held a secret `work` freed.
fn leaks(work: impl FnOnce()) -> usize {
    LEAKS.set(0);
    LOOKS.set(true);
    work();
    LOOKS.set(false);
    LEAKS.get()
}

fn write(bytes: &mut [u8]) {
    for chunk in bytes.chunks_exact_mut(SECRET.len()) {
        chunk.copy_from_slice(&SECRET);
    }
}

const WIPING: [OnReturn; 2] = [OnReturn::Zero, OnReturn::Zeroize];

fn blocks(capacity: usize, on_return: OnReturn) -> BytePool {
    BytePool::builder(capacity, 1024).on_return(on_return).build().unwrap()
}

fn secret_block(pool: &BytePool) -> ByteRef {
    let mut block = pool.get();
    write(&mut block);
    block
}

fn buffers(capacity: usize, on_return: OnReturn) -> BufferPool {
    BufferPool::builder(capacity, 1024).on_return(on_return).build().unwrap()
}

/// A buffer that was written to its end and shortened: the secret lies above its length too.
fn secret_buffer(pool: &BufferPool) -> BufferRef {
    let mut buffer = pool.get();
    buffer.resize(1024, 0);
    write(&mut buffer);
    buffer.truncate(100);
    buffer
}

/// Runs `with` where each thing that can happen to an object happens to one with a secret in it.
fn every_way_out<P: Clone, G>(
    pool: impl Fn(usize) -> P,
    get: impl Fn(&P) -> G,
    [discard, trim, clear, close]: [fn(&P, Option<G>); 4],
) {
    let kept = pool(4);
    drop(get(&kept));
    drop(kept);

    let full = pool(1);
    drop([get(&full), get(&full), get(&full)]);

    let panicking = pool(4);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _guard = get(&panicking);
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());

    let discarding = pool(4);
    discard(&discarding, Some(get(&discarding)));

    let trimmed = pool(4);
    drop(get(&trimmed));
    trim(&trimmed, None);

    let cleared = pool(4);
    drop(get(&cleared));
    clear(&cleared, None);

    let closed = pool(4);
    let late = get(&closed);
    close(&closed, None);
    drop(late);

    let outlived = pool(4);
    let late = get(&outlived);
    drop(outlived);
    drop(late);
}

/// The ways out that are called by name.
macro_rules! ways {
    ($Guard:ident) => {
        [
            |_, guard| $Guard::discard(guard.unwrap()),
            |pool, _| assert_eq!(pool.trim() + pool.trim(), 1),
            |pool, _| assert_eq!(pool.clear(), 1),
            |pool, _| pool.close(),
        ]
    };
}

#[track_caller]
fn assert_no_way_out_leaks<P: Clone, G>(
    pool: impl Fn(usize, OnReturn) -> P,
    get: impl Fn(&P) -> G,
    ways: [fn(&P, Option<G>); 4],
) {
    for on_return in WIPING {
        let found = leaks(|| every_way_out(|capacity| pool(capacity, on_return), &get, ways));
        assert_eq!(found, 0, "{on_return:?}");
    }
}

#[test]
fn case_29_blocks_leave_no_secret_behind() {
    assert_no_way_out_leaks(blocks, secret_block, ways!(ByteRef));
}

#[test]
fn case_29_buffers_leave_no_secret_behind() {
    assert_no_way_out_leaks(buffers, secret_buffer, ways!(BufferRef));
}

#[test]
fn case_29_images_leave_no_secret_behind() {
    let pool = |capacity, on_return| {
        ImageRgbaPool::builder(capacity, 16, 16).on_return(on_return).build().unwrap()
    };
    let get = |pool: &ImageRgbaPool| {
        let mut image = pool.get();
        write(&mut image);
        image
    };
    assert_no_way_out_leaks(pool, get, ways!(ImageRgbaRef));
}

#[test]
fn case_29_premultiplied_images_leave_no_secret_behind() {
    let pool = |capacity, on_return| {
        ImageRgbaPremulPool::builder(capacity, 16, 16).on_return(on_return).build().unwrap()
    };
    let get = |pool: &ImageRgbaPremulPool| {
        let mut image = pool.get();
        write(image.as_raw_mut());
        image
    };
    assert_no_way_out_leaks(pool, get, ways!(ImageRgbaPremulRef));
}

#[test]
fn case_29_planes_leave_no_secret_behind() {
    let pool = |capacity, on_return| {
        let builder = ImageYCbCrPool::builder(capacity, 16, 16, Subsampling::S420);
        builder.on_return(on_return).build().unwrap()
    };
    let get = |pool: &ImageYCbCrPool| {
        let mut image = pool.get();
        write(image.as_raw_mut());
        image
    };
    assert_no_way_out_leaks(pool, get, ways!(ImageYCbCrRef));
}

#[test]
fn case_29_copies_leave_no_secret_behind() {
    for on_return in WIPING {
        let pool = CopyIoPool::builder(4, 1024).on_return(on_return).build().unwrap();
        let found = leaks(|| {
            assert_eq!(pool.copy(&mut SECRET.repeat(10).as_slice(), &mut sink()).unwrap(), 160);
            drop(pool.read_all(&mut &SECRET[..]).unwrap());
            assert!(pool.clear() > 0);
        });
        // That of the source, which is no business of the pool.
        assert_eq!(found, 1, "{on_return:?}");
    }
}

#[test]
fn case_29_what_is_unfit_leaves_no_secret_behind() {
    for on_return in WIPING {
        let pool = buffers(4, on_return);
        let found = leaks(|| {
            // Made large at once: what a growing buffer leaves behind is out of the pool's reach.
            let mut large = pool.get_with(|| Vec::with_capacity(100_000));
            large.resize(100_000, 0);
            write(&mut large);
        });
        assert_eq!((found, pool.stats().discarded_unfit), (0, 1), "{on_return:?}");
    }
}

#[test]
fn case_29_blocks_above_all_classes_leave_no_secret_behind() {
    for on_return in WIPING {
        let pool = MultiBytePool::builder().class(4, 64).on_return(on_return).build().unwrap();
        let found = leaks(|| {
            write(&mut pool.get(64));
            write(&mut pool.get(100_000));
            pool.close();
        });
        assert_eq!(found, 0, "{on_return:?}");
    }
}

#[test]
fn case_29_what_its_user_has_again_is_the_exception() {
    let pool = blocks(4, OnReturn::Zeroize);
    let found = leaks(|| drop(ByteRef::detach(secret_block(&pool))));
    assert_eq!(found, 1);
    let mut taken = pool.take();
    write(&mut taken);
    assert_eq!(leaks(|| drop(taken)), 1);
    pool.close();
    let refused = ByteRef::release(secret_block(&pool)).unwrap_err();
    assert_eq!(leaks(|| drop(refused)), 1);
}

#[test]
fn pools_that_do_not_wipe_leave_secrets() {
    let pool = blocks(4, OnReturn::Leave);
    let found = leaks(|| ByteRef::discard(secret_block(&pool)));
    assert_eq!(found, 1, "or the test above looks at nothing");
}
