//! `BytePool`: blocks of one size, initialised throughout.

use bp::{BytePool, ByteRef, OnReturn, PutReason};

#[test]
fn a_block_has_exactly_its_size_and_starts_with_zeros() {
    for size in [1, 7, 64, 4096, 100_000] {
        let pool = BytePool::new(2, size);
        assert_eq!(*pool.get(), vec![0; size][..]);
        assert_eq!(pool.take(), vec![0; size]);
        assert_eq!((pool.config().size(), pool.get().len()), (size, size));
    }
}

#[test]
fn contents_stay_unless_the_pool_is_told_otherwise() {
    let pool = BytePool::new(1, 4);
    pool.get().copy_from_slice(b"left");
    assert_eq!(*pool.get(), *b"left");
    let leaving = BytePool::builder(1, 4).on_return(OnReturn::Leave).build().expect("right");
    leaving.get().copy_from_slice(b"left");
    assert_eq!(*leaving.get(), *b"left");
}

#[test]
fn zero_leaves_nothing_of_what_was_written() {
    let pool = BytePool::builder(1, 64).max_size_factor(4.0).on_return(OnReturn::Zero);
    let pool = pool.build().expect("right");
    pool.get().fill(b'x');
    assert_eq!(*pool.get(), [0; 64]);

    // Cut short by its user: the part that no longer shows as well.
    let mut block = pool.get();
    block.fill(b'x');
    ByteRef::truncate(&mut block, 3);
    drop(block);
    assert_eq!(*pool.get(), [0; 64]);

    // Beyond the size, where a foreign block has room for more.
    drop(ByteRef::detach(pool.get()));
    let mut foreign = Vec::with_capacity(200);
    foreign.resize(200, b'x');
    let address = foreign.as_ptr();
    pool.put(foreign).expect("within the maximum");
    let mut block = pool.take();
    assert_eq!((block.as_ptr(), block.len()), (address, 64));
    assert!(every_byte(&mut block).iter().all(|&byte| byte == 0));
}

/// Shows a vector whose whole capacity was written, to its end.
fn every_byte(bytes: &mut Vec<u8>) -> &[u8] {
    // SAFETY: the callers wrote the whole capacity, and bytes do not become uninitialised again.
    unsafe { bytes.set_len(bytes.capacity()) };
    bytes
}

#[test]
fn a_truncated_block_comes_back_at_full_length() {
    let pool = BytePool::new(1, 8);
    let mut block = pool.get();
    block.copy_from_slice(b"abcdefgh");
    ByteRef::truncate(&mut block, 3);
    assert_eq!(*block, *b"abc");
    ByteRef::truncate(&mut block, 100);
    assert_eq!(block.len(), 3, "truncating never grows");
    let address = block.as_ptr();
    drop(block);
    let block = pool.get();
    assert_eq!(block.as_ptr(), address);
    assert_eq!(*block, *b"abc\0\0\0\0\0");
}

#[test]
fn a_detached_block_keeps_the_length_that_was_seen() {
    let pool = BytePool::new(1, 8);
    let mut block = pool.get();
    ByteRef::truncate(&mut block, 3);
    let bytes = ByteRef::detach(block);
    assert_eq!((bytes.len(), bytes.capacity()), (3, 8));
    pool.put(bytes).expect("filed by its capacity");
    assert_eq!(pool.get().len(), 8);
}

#[test]
fn put_takes_capacities_from_the_size_to_the_maximum() {
    let pool = BytePool::new(8, 64);
    assert_eq!(pool.config().max_size(), 80);
    for (capacity, fits) in [(0, false), (63, false), (64, true), (80, true), (81, false)] {
        let bytes = Vec::with_capacity(capacity);
        let address = bytes.as_ptr();
        match pool.put(bytes) {
            Ok(()) => {
                assert!(fits, "{capacity}");
                let block = pool.get();
                assert_eq!((block.len(), block.as_ptr()), (64, address));
                ByteRef::discard(block);
            }
            Err(error) => {
                assert!(!fits, "{capacity}");
                assert_eq!(error.reason, PutReason::Unfit);
                assert_eq!((error.item.as_ptr(), error.item.capacity()), (address, capacity));
            }
        }
    }
    let twice = BytePool::builder(8, 64).max_size_factor(2.0).build().expect("a factor");
    twice.put(vec![1; 128]).expect("at the maximum");
    assert_eq!(*twice.get(), [1; 64], "cut to the size");
    assert!(twice.put(vec![1; 129]).is_err());
}

#[test]
fn a_maximum_is_rounded_up() {
    assert_eq!(BytePool::new(1, 1).config().max_size(), 2);
    assert_eq!(BytePool::new(1, 5).config().max_size(), 7);
    let pool = BytePool::builder(1, 3).max_size_factor(1.5).build().expect("a factor");
    assert_eq!(pool.config().max_size(), 5);
}

#[test]
fn a_boxed_slice_can_be_put() {
    let pool = BytePool::new(1, 4);
    pool.put(Box::<[u8]>::from(*b"full").into_vec()).expect("of the size");
    assert_eq!(*pool.get(), *b"full");
}

#[test]
fn a_guard_is_borrowed_as_a_slice() {
    fn read(mut into: impl AsMut<[u8]>) -> usize {
        into.as_mut().fill(7);
        into.as_mut().len()
    }

    let pool = BytePool::new(1, 4);
    let mut block = pool.get();
    assert_eq!(read(&mut block[..2]), 2);
    assert_eq!(AsRef::<[u8]>::as_ref(&block), [7, 7, 0, 0]);
    assert_eq!(read(block), 4);
    assert_eq!(*pool.get(), [7; 4]);
}

#[test]
fn idle_bytes_are_those_that_blocks_hold() {
    let pool = BytePool::new(4, 64);
    drop((pool.get(), pool.get()));
    assert_eq!(pool.stats().bytes_idle, 128);
    pool.put(Vec::with_capacity(80)).expect("fits");
    assert_eq!(pool.stats().bytes_idle, 208);
}
