//! `MultiMmapBytePool`, and mapped pools as sources of bytes.

use std::convert::Infallible;
use std::io::ErrorKind;

use bp::{ByteSource, MmapBytePool, MultiMmapBytePool};
use bp_tests::child::{in_child, limit_address_space};
use bp_tests::watch::panic_of;

use super::system::PAGE;

#[test]
fn a_multi_pool_hands_out_exact_lengths_from_one_mapping_per_class() {
    let pool = MultiMmapBytePool::builder().class(4, 4096).class(2, 65_536).build().unwrap();
    for len in [0, 1, 4095, 4096] {
        let block = pool.get(len);
        assert_eq!((block.len(), block.is_mapped()), (len, true));
    }
    assert_eq!(pool.stats().misses, 1);

    let mut large = pool.get(5000);
    large.fill(7);
    let address = large.as_ptr();
    drop(large);
    // A longer request sees what the shorter one left, and beyond it what was never written.
    let large = pool.get(6000);
    assert_eq!(large.as_ptr(), address);
    assert!(large[..5000].iter().all(|&byte| byte == 7));
    assert!(large[5000..].iter().all(|&byte| byte == 0));
}

#[test]
fn a_multi_pool_maps_what_is_too_large_for_one_use() {
    let pool = MultiMmapBytePool::builder().class(4, 4096).build().unwrap();
    let block = pool.get(100_000);
    assert_eq!((block.len(), block.is_mapped()), (100_000, true));
    drop(block);
    let stats = pool.stats();
    assert_eq!((stats.idle, stats.in_use, stats.discarded_full), (0, 0, 1));
}

/// A guard showed fewer bytes than were asked for, without a word.
#[test]
fn a_block_that_is_too_small_for_its_request_is_not_handed_out() {
    let one = MmapBytePool::new(4, 4096).unwrap();
    let many = MultiMmapBytePool::builder().class(4, 8192).build().unwrap();
    let asked_for = |len| many.try_get_with(len, |_| Ok::<_, Infallible>(one.take()));
    let Ok(block) = asked_for(4096);
    assert_eq!(block.len(), 4096);
    let message = panic_of(|| asked_for(4097));
    assert_eq!(message, "4097 bytes were asked for, but the block has 4096");
    drop(block);
    assert_eq!((many.stats().in_use, many.stats().discarded_panic), (0, 1));
}

#[test]
fn mapped_pools_are_sources_of_bytes() {
    let one = MmapBytePool::new(4, 4096).unwrap();
    assert_eq!(one.bytes(10).unwrap().len(), 10);
    assert_eq!(one.bytes(4097).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!(one.get().len(), 4096);

    let many = MultiMmapBytePool::builder().class(4, 4096).build().unwrap();
    assert_eq!(many.bytes(4097).unwrap().len(), 4097);
    assert!(many.bytes(usize::MAX).is_err());
    assert_eq!(many.limited(10_000).bytes(10_001).unwrap_err().kind(), ErrorKind::InvalidInput);
}

#[test]
fn what_is_too_large_is_mapped_as_the_builder_says_by_every_way_to_get_it() {
    let pool = MultiMmapBytePool::builder().class(1, PAGE).lock(true).build().unwrap();
    assert!(pool.get(2 * PAGE).is_locked());
    assert!(pool.bytes(2 * PAGE).unwrap().is_locked());
}

#[test]
fn memory_that_there_is_not_is_an_error_of_the_source() {
    in_child("mmap::multi::memory_that_there_is_not_is_an_error_of_the_source", || {
        let size = 64 << 20;
        let one = MmapBytePool::new(1, size).unwrap();
        let many = MultiMmapBytePool::builder().class(1, size).build().unwrap();
        let held = (one.get(), many.get(size));

        limit_address_space(1 << 20);
        assert_eq!(one.bytes(10).unwrap_err().kind(), ErrorKind::OutOfMemory);
        assert_eq!(many.bytes(10).unwrap_err().kind(), ErrorKind::OutOfMemory);
        assert_eq!(many.bytes(size + 1).unwrap_err().kind(), ErrorKind::OutOfMemory);
        drop(held);
        assert_eq!(one.bytes(10).unwrap().len(), 10);
        assert_eq!(many.bytes(10).unwrap().len(), 10);
        assert_eq!((one.stats().misses, many.stats().misses), (1, 1));
    });
}
