//! `BufferPool`: buffers that grow, and what of that is kept.

use std::io::{IoSlice, Write};

use bp::{BufferPool, BufferRef, OnReturn, PutReason};

/// Leaves a buffer of this capacity in the guard, with nothing in it.
fn hold(buffer: &mut BufferRef, capacity: usize) {
    **buffer = Vec::with_capacity(capacity);
    assert_eq!(buffer.capacity(), capacity);
}

/// Returns whether the pool keeps a buffer that comes back with this capacity.
fn keeps(pool: &BufferPool, capacity: usize) -> bool {
    let before = pool.stats().discarded_unfit;
    let mut buffer = pool.get();
    hold(&mut buffer, capacity);
    drop(buffer);
    let kept = pool.clear() == 1;
    assert_eq!(pool.stats().discarded_unfit - before, usize::from(!kept));
    kept
}

#[test]
fn a_buffer_is_empty_and_has_its_capacity() {
    for size in [1, 7, 64, 100_000] {
        let pool = BufferPool::new(2, size);
        let mut buffer = pool.get();
        assert_eq!((buffer.len(), buffer.capacity()), (0, size));
        buffer.resize(size, b'x');
        let address = buffer.as_ptr();
        drop(buffer);
        let buffer = pool.get();
        assert_eq!((buffer.len(), buffer.capacity(), buffer.as_ptr()), (0, size, address));
        assert_eq!(pool.config().size(), size);
    }
}

#[test]
fn a_buffer_above_the_maximum_goes() {
    let pool = BufferPool::new(2, 64);
    assert_eq!(pool.config().max_size(), 80);
    let kept = [63, 64, 80, 81, 1000].map(|capacity| keeps(&pool, capacity));
    assert_eq!(kept, [false, true, true, false, false]);

    let pool = BufferPool::builder(2, 64).max_size_factor(4.0).build().expect("a factor");
    assert_eq!(pool.config().max_size(), 256);
    let kept = [63, 64, 256, 257].map(|capacity| keeps(&pool, capacity));
    assert_eq!(kept, [false, true, true, false]);

    let pool = BufferPool::builder(2, 64).max_size_factor(1.0).build().expect("a factor");
    assert_eq!([64, 65].map(|capacity| keeps(&pool, capacity)), [true, false]);
}

#[test]
fn auto_grow_grows_small_buffers_to_the_size_and_no_further() {
    let pool = BufferPool::builder(2, 64).auto_grow(true).build().expect("right");
    for capacity in [0, 1, 63, 64, 80] {
        let mut buffer = pool.get();
        hold(&mut buffer, capacity);
        buffer.resize(capacity, b'x');
        drop(buffer);
        let buffer = pool.get();
        assert_eq!((buffer.len(), buffer.capacity()), (0, capacity.max(64)));
        assert!(buffer.capacity() <= pool.config().max_size());
    }
    assert!(!keeps(&pool, 81), "auto_grow does not lift the maximum");
    assert_eq!(pool.stats().discarded_unfit, 1);

    let pool = BufferPool::builder(2, 64).auto_grow(true).auto_grow(false).build();
    assert!(!keeps(&pool.expect("right"), 63));
}

#[test]
fn auto_grow_with_the_least_maximum_never_passes_it() {
    // Content must not add to the size when a buffer grows: 63 bytes and 64 more make 127.
    let pool = BufferPool::builder(1, 64).auto_grow(true).max_size_factor(1.0);
    let pool = pool.build().expect("right");
    for _ in 0..10 {
        let mut buffer = pool.get();
        hold(&mut buffer, 63);
        buffer.resize(63, b'x');
        drop(buffer);
        assert_eq!((pool.len(), pool.stats().bytes_idle), (1, 64));
    }
}

#[test]
fn put_takes_foreign_buffers_by_their_capacity() {
    let pool = BufferPool::new(8, 64);
    for (capacity, fits) in [(0, false), (63, false), (64, true), (80, true), (81, false)] {
        let mut foreign = Vec::with_capacity(capacity);
        foreign.extend_from_slice(&b"ten bytes."[..capacity.min(10)]);
        let (address, content) = (foreign.as_ptr(), foreign.clone());
        match pool.put(foreign) {
            Ok(()) => {
                assert!(fits, "{capacity}");
                let buffer = pool.take();
                assert_eq!((buffer.len(), buffer.as_ptr()), (0, address));
            }
            Err(error) => {
                assert!(!fits, "{capacity}");
                assert_eq!((error.reason, error.item.as_ptr()), (PutReason::Unfit, address));
                assert_eq!(error.item, content, "given back as it was");
            }
        }
    }
}

#[test]
fn zero_wipes_the_whole_capacity() {
    let pool = BufferPool::builder(1, 64).on_return(OnReturn::Zero).build().expect("right");
    let mut buffer = pool.get();
    buffer.resize(64, b'x');
    // Written and cut off again: in the spare capacity now.
    buffer.truncate(8);
    let address = buffer.as_ptr();
    drop(buffer);

    let mut buffer = pool.get();
    assert_eq!((buffer.len(), buffer.as_ptr()), (0, address));
    // SAFETY: the whole capacity was written above, and is exactly 64 bytes.
    unsafe { buffer.set_len(64) };
    assert_eq!(*buffer, [0; 64]);
}

#[test]
fn leave_keeps_the_bytes_where_nobody_sees_them() {
    let pool = BufferPool::new(1, 64);
    pool.get().resize(64, b'x');
    let mut buffer = pool.get();
    assert!(buffer.is_empty());
    // SAFETY: the whole capacity was written above, and is exactly 64 bytes.
    unsafe { buffer.set_len(64) };
    assert_eq!(*buffer, [b'x'; 64]);
}

#[test]
fn retention_by_use_keeps_what_is_used_however_large() {
    let pool = BufferPool::builder(2, 64).retain_by_use().build().expect("measures");
    for _ in 0..100 {
        pool.get().resize(100_000, b'x');
    }
    assert_eq!((pool.stats().misses, pool.stats().discarded_unfit), (1, 0));
}

#[test]
fn retention_by_use_drops_what_stays_large_for_nothing() {
    let pool = BufferPool::builder(2, 64).retain_by_use().build().expect("measures");
    pool.get().resize(100_000, b'x');
    assert!(pool.stats().bytes_idle >= 100_000);
    for use_of_it in 1..=5 {
        pool.get().push(b'x');
        assert_eq!(pool.len(), usize::from(use_of_it < 5), "use {use_of_it}");
    }
    // The pool's own size stays, however little is used of it.
    for _ in 0..100 {
        pool.get().push(b'x');
    }
    assert_eq!((pool.stats().misses, pool.stats().bytes_idle), (2, 64));
}

#[test]
fn a_factor_that_was_set_holds_beside_retention_by_use() {
    let pool = BufferPool::builder(2, 64).retain_by_use().max_size_factor(2.0).build();
    let pool = pool.expect("measures");
    assert_eq!([128, 129].map(|capacity| keeps(&pool, capacity)), [true, false]);
}

#[test]
fn a_buffer_is_written_to() {
    let pool = BufferPool::new(1, 8);
    let mut buffer = pool.get();
    write!(buffer, "{} and {}", 1, 2).expect("memory");
    buffer.write_all(b", then ").expect("memory");
    assert_eq!(buffer.write(b"more").expect("memory"), 4);
    let slices = [IoSlice::new(b" and"), IoSlice::new(b""), IoSlice::new(b" on")];
    assert_eq!(buffer.write_vectored(&slices).expect("memory"), 7);
    buffer.flush().expect("nothing to flush");
    assert_eq!(**buffer, *b"1 and 2, then more and on");
    assert_eq!(AsRef::<[u8]>::as_ref(&buffer), &**buffer);

    let copied = std::io::copy(&mut &b" and copies"[..], &mut buffer).expect("memory");
    assert_eq!((copied, buffer.len()), (11, 36));
}

#[test]
fn retention_by_use_keeps_a_foreign_buffer_of_the_size_of_a_new_one() {
    // Large enough for the two buffers to lie in one shard, the second on top.
    let pool = BufferPool::builder(64, 1024).retain_by_use().build().unwrap();
    pool.put(Vec::with_capacity(1024)).unwrap();
    for _ in 0..20 {
        pool.get().push(0);
    }
    assert_eq!((pool.stats().hits, pool.stats().discarded_unfit), (20, 0));

    pool.put(Vec::with_capacity(100_000)).unwrap();
    for _ in 0..5 {
        pool.get().push(0);
    }
    assert_eq!((pool.stats().discarded_unfit, pool.stats().bytes_idle), (1, 1024));
}
