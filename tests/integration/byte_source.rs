//! Byte sources: exactly the length asked for, errors in place of aborts, the way back by drop.

use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::{Arc, LazyLock};

use bp::{BytePool, ByteSource, Heap, MultiBytePool};
use bp_tests::allocations::{Allocated, allocated_by};
use bp_tests::threads::together;

bp::pool! {
    static SHARED: MultiBytePool =
        MultiBytePool::builder().class(4, 64).class(4, 1024).build().expect("classes");
}

fn multi() -> MultiBytePool {
    MultiBytePool::builder().class(4, 64).class(4, 1024).build().expect("classes")
}

/// Asks for bytes as a parser does that knows nothing of the source.
fn ask<S: ByteSource>(source: S, len: usize) -> io::Result<S::Buf> {
    let mut bytes = source.bytes(len)?;
    assert_eq!(bytes.len(), len);
    bytes.fill(7);
    Ok(bytes)
}

#[test]
fn every_source_gives_exactly_the_length() {
    let (single, several) = (BytePool::new(4, 1024), multi());
    let shared = Arc::new(multi());
    let dynamic: &dyn ByteSource<Buf = bp::ByteRef> = &several;
    for len in [0, 1, 63, 64, 65, 1000, 1024] {
        drop(ask(Heap, len).expect("memory"));
        drop(ask(&Heap, len).expect("memory"));
        drop(ask(&single, len).expect("memory"));
        drop(ask(&several, len).expect("memory"));
        drop(ask(Arc::clone(&shared), len).expect("memory"));
        drop(ask(&shared, len).expect("memory"));
        drop(ask(&SHARED, len).expect("memory"));
        drop(ask(dynamic, len).expect("memory"));
        drop(ask(single.clone().limited(1024), len).expect("memory"));
    }
    assert_eq!((single.len(), several.len(), shared.len(), SHARED.len()), (1, 2, 2, 2));
    let lazy: LazyLock<Heap, _> = LazyLock::new(|| Heap);
    assert_eq!(ask(&lazy, 5).expect("memory"), [7; 5]);
}

#[test]
fn a_pool_of_one_size_refuses_more() {
    let pool = BytePool::new(4, 64);
    let error = ask(&pool, 65).expect_err("too long");
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert_eq!(error.to_string(), "65 bytes were asked for, 64 are the most there may be");
    assert_eq!(pool.stats().misses, 0);
    // A short use leaves the block as long as it was for other users.
    drop(ask(&pool, 10).expect("memory"));
    assert_eq!(pool.get().len(), 64);
}

#[test]
fn a_multi_pool_gives_more_than_its_classes_and_keeps_none_of_it() {
    let pool = multi();
    drop(ask(&pool, 5000).expect("memory"));
    assert_eq!((pool.len(), pool.stats().misses), (0, 1));
}

#[test]
fn memory_that_there_is_not_is_an_error() {
    let most = isize::MAX.unsigned_abs();
    for len in [most - 4096, most, most + 1, usize::MAX] {
        assert_eq!(ask(Heap, len).expect_err("no memory").kind(), ErrorKind::OutOfMemory);
        let pool = multi();
        assert_eq!(ask(&pool, len).expect_err("no memory").kind(), ErrorKind::OutOfMemory);
        assert_eq!((pool.stats().in_use, pool.stats().misses), (0, 0));
        drop(ask(&pool, 10).expect("as before"));
    }
}

/// golang/go#48535: a peer chose the length, and the memory was allocated before anything arrived.
#[test]
fn case_31_a_limit_comes_before_any_allocation() {
    fn is_refused<S: ByteSource>(source: &S) {
        for len in [1025, 1 << 40, usize::MAX] {
            let mut kind = None;
            let allocated = allocated_by(|| {
                kind = source.bytes(len).err().map(|error| error.kind());
            });
            assert_eq!(kind, Some(ErrorKind::InvalidInput));
            // The error has a message; what was asked for is not among what was allocated.
            assert!(allocated.bytes < 512, "{allocated:?} for {len}");
        }
    }
    is_refused(&Heap.limited(1024));
    is_refused(&multi().limited(1024));
    is_refused(&(&*SHARED).limited(1024));
    is_refused(&BytePool::new(4, 1024));
    // The tighter one of two limits counts.
    is_refused(&Heap.limited(1 << 20).limited(1024));
    is_refused(&Heap.limited(1024).limited(1 << 20));
}

/// gomemcache#35: a value of length 0 was an empty slice, which went into the pool.
#[test]
fn case_32_a_length_of_zero() {
    let (single, several) = (BytePool::new(4, 64), multi());
    for _ in 0..3 {
        assert!(ask(&single, 0).expect("memory").is_empty());
        assert!(ask(&several, 0).expect("memory").is_empty());
        assert!(several.get(0).is_empty());
        assert!(several.try_get(0).expect("idle").is_empty());
    }
    assert_eq!((single.stats().misses, several.stats().misses), (1, 1));
    assert_eq!((single.take().len(), several.take(64).len()), (64, 64));
    // Nothing of capacity 0 enters a pool.
    assert!(single.put(Vec::new()).is_err() && several.put(Vec::new()).is_err());
    assert!(several.put(several.take(0)).is_ok(), "what a get of 0 gave has a capacity");
    assert_eq!((single.len(), several.len()), (0, 1));
}

#[test]
fn nothing_is_allocated_once_warm() {
    let (single, several) = (BytePool::new(4, 1024), multi());
    let work = || {
        for len in [0, 10, 64, 100, 1024] {
            drop(ask(&single, len).expect("memory"));
            drop(ask(&several, len).expect("memory"));
        }
    };
    work();
    assert_eq!(allocated_by(work), Allocated::NOTHING);
}

/// Values of many lengths, parsed on many threads through one pool: each as it was sent, and every
/// block back, also those of streams that end too early.
#[test]
fn parsers_share_a_pool_and_give_every_block_back() {
    fn value<S: ByteSource>(stream: &mut impl Read, source: &S) -> io::Result<S::Buf> {
        let mut len = [0; 4];
        stream.read_exact(&mut len)?;
        let mut value = source.bytes(u32::from_be_bytes(len) as usize)?;
        stream.read_exact(&mut value)?;
        Ok(value)
    }

    let pool = multi();
    let shared = pool.clone();
    together(4, move |thread| {
        let mark = u8::try_from(thread).expect("few threads");
        let source = (&shared).limited(2048);
        for round in 0..500_u32 {
            let len = round * 37 % 2000;
            let mut wire = len.to_be_bytes().to_vec();
            wire.resize(4 + len as usize, mark);
            let read = value(&mut Cursor::new(&wire), &source).expect("a whole value");
            assert!(read.len() == len as usize && read.iter().all(|&byte| byte == mark));
            wire.pop();
            let end = value(&mut Cursor::new(&wire), &source);
            assert!(len == 0 || end.is_err_and(|error| error.kind() == ErrorKind::UnexpectedEof));
            let hostile = value(&mut Cursor::new([0xff; 8]), &source);
            assert!(hostile.is_err_and(|error| error.kind() == ErrorKind::InvalidInput));
        }
    });
    assert_eq!(pool.stats().in_use, 0);
    assert!(pool.len() <= pool.capacity());
}
