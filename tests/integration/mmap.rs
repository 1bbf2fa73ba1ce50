//! `MmapBytePool`: blocks in one mapping, what lies beside it, and what the kernel gets back.

mod giving_back;
mod multi;
mod system;

use std::collections::HashSet;
use std::error::Error;
use std::io::ErrorKind;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Barrier;
use std::thread;

use bp::{AnyPool, MmapBlock, MmapBytePool, MmapByteRef, MmapConfig, OnReturn, PutReason};
use bp_tests::child::{in_child, limit_address_space};

use self::system::{PAGE, is_mapped};

fn address(bytes: &[u8]) -> usize {
    bytes.as_ptr().addr()
}

// === Blocks ===

#[test]
fn block_is_of_the_exact_size_zero_and_aligned_to_a_page() {
    for size in [1, 8, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE + 5] {
        let pool = MmapBytePool::new(3, size).unwrap();
        assert_eq!(pool.config().size(), size);
        for block in [pool.get(), pool.get(), pool.get()] {
            assert_eq!(block.len(), size);
            assert!(block.iter().all(|byte| *byte == 0));
            assert_eq!(address(&block) % PAGE, 0);
            assert!(block.is_mapped());
        }
    }
}

#[test]
fn block_comes_back_where_it_was_with_what_was_left() {
    let pool = MmapBytePool::new(4, 100).unwrap();
    let mut block = pool.get();
    block.fill(7);
    let place = address(&block);
    let moved = Box::new(block);
    assert_eq!(address(&moved), place);
    drop(moved);

    let block = pool.get();
    assert_eq!(address(&block), place);
    assert_eq!(*block, [7; 100]);
    assert_eq!((pool.stats().hits, pool.stats().misses), (1, 1));
}

#[test]
fn zero_on_return_reaches_what_was_cut_off() {
    let pool = MmapBytePool::builder(1, 100).on_return(OnReturn::Zero).build().unwrap();
    let mut block = pool.get();
    block.fill(7);
    MmapByteRef::truncate(&mut block, 10);
    assert_eq!(*block, [7; 10]);
    MmapByteRef::truncate(&mut block, 50);
    assert_eq!(block.len(), 10);
    drop(block);
    assert_eq!(*pool.get(), [0; 100]);
}

#[test]
fn truncated_block_has_its_length_again() {
    let pool = MmapBytePool::new(1, 100).unwrap();
    let mut block = pool.get();
    block.fill(7);
    MmapByteRef::truncate(&mut block, 0);
    assert!(block.is_empty());
    drop(block);
    assert_eq!(*pool.get(), [7; 100]);
}

#[test]
fn blocks_in_use_never_overlap() {
    let pool = MmapBytePool::new(8, PAGE + 1).unwrap();
    let mut blocks: Vec<_> = (0..16_u8).map(|_| pool.get()).collect();
    for (tag, block) in (0_u8..).zip(&mut blocks) {
        block.fill(tag);
    }
    for (tag, block) in (0_u8..).zip(&blocks) {
        assert!(block.iter().all(|byte| *byte == tag));
    }
    assert_eq!(blocks.iter().map(|block| address(block)).collect::<HashSet<_>>().len(), 16);
}

/// The Go original gives 4,096 bytes two pages, and a mapping to each 8 bytes.
#[test]
fn slots_lie_side_by_side_in_whole_pages() {
    for (size, stride) in [(1, PAGE), (PAGE, PAGE), (PAGE + 1, 2 * PAGE)] {
        let pool = MmapBytePool::new(10, size).unwrap();
        let blocks: Vec<_> = (0..10).map(|_| pool.get()).collect();
        let mut places: Vec<_> = blocks.iter().map(|block| address(block)).collect();
        places.sort_unstable();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] == stride), "{places:?}");
    }
}

#[test]
fn guard_is_one_pointer_wide_and_blocks_cross_threads() {
    fn assert<T: Send + Sync + UnwindSafe + RefUnwindSafe + 'static>() {}
    assert::<MmapBytePool>();
    assert::<MmapByteRef>();
    assert::<MmapBlock>();
    assert::<MmapConfig>();
    assert_eq!(size_of::<MmapByteRef>(), size_of::<usize>());
    assert_eq!(size_of::<Option<MmapByteRef>>(), size_of::<usize>());
}

#[test]
fn bytes_are_reached_by_reference_too() {
    fn first(bytes: impl AsRef<[u8]>) -> u8 {
        bytes.as_ref()[0]
    }
    let pool = MmapBytePool::new(1, 2).unwrap();
    let mut block = pool.get();
    block.as_mut()[0] = 5;
    assert_eq!(format!("{block:?}"), "[5, 0]");
    assert_eq!(first(block), 5);
    let mut block = pool.take();
    block.as_mut()[1] = 6;
    assert_eq!(format!("{block:?}"), "MmapBlock { len: 2, size: 2, is_mapped: true, .. }");
    assert_eq!(first(block), 5);
}

// === The pool, as every pool ===

#[test]
fn figures_and_handles_are_those_of_every_pool() {
    let pool = MmapBytePool::builder(4, 100).preload(0.5).build().unwrap();
    let other = pool.clone();
    assert_eq!((pool.len(), pool.capacity(), pool.stats().preloaded), (2, 4, 2));
    assert_eq!(pool.stats().bytes_idle, 200);
    let block = other.get();
    assert_eq!((pool.len(), pool.stats().in_use), (1, 1));
    drop(other);
    drop(block);
    let any: &dyn AnyPool = &pool;
    assert_eq!((any.len(), any.clear(), any.len()), (2, 2, 0));
    assert!(pool.try_get().is_none());
}

#[test]
fn closed_pool_drops_what_comes_back_and_still_creates() {
    let pool = MmapBytePool::new(4, 100).unwrap();
    let block = pool.get();
    drop(pool.get());
    pool.close();
    drop(block);
    assert_eq!(pool.len(), 0);
    assert_eq!(*pool.get(), [0; 100]);
    assert_eq!(pool.stats().discarded_closed, 2);
    assert_eq!(pool.put(pool.take()).unwrap_err().reason, PutReason::Closed);
}

#[test]
fn pool_of_capacity_zero_keeps_nothing() {
    let pool = MmapBytePool::new(0, 100).unwrap();
    for _ in 0..3 {
        let mut block = pool.get();
        assert!(block.is_mapped());
        assert_eq!(*block, [0; 100]);
        block.fill(1);
    }
    assert_eq!((pool.len(), pool.stats().misses), (0, 3));
}

#[test]
fn block_that_was_taken_goes_back() {
    let pool = MmapBytePool::new(2, 100).unwrap();
    let mut block = pool.take();
    block.truncate(1);
    block[0] = 7;
    let place = address(&block);
    pool.put(block).unwrap();
    let block = pool.get();
    assert_eq!((address(&block), block.len(), block[0]), (place, 100, 7));
    let detached = MmapByteRef::detach(block);
    assert_eq!((address(&detached), detached.size()), (place, 100));
    assert_eq!((pool.stats().taken, pool.stats().detached, pool.stats().in_use), (1, 1, 0));
}

#[test]
fn block_that_was_dropped_gives_its_slot_to_the_next() {
    let pool = MmapBytePool::new(1, 100).unwrap();
    let mut block = pool.take();
    block.fill(7);
    let place = address(&block);
    assert_ne!(address(&pool.get()), place, "still taken");
    drop(block);
    pool.clear();
    let block = pool.get();
    assert_eq!(address(&block), place);
    assert_eq!(*block, [0; 100], "new, so blank");
}

#[test]
fn foreign_blocks_of_another_mapping_or_size_are_given_back() {
    let pool = MmapBytePool::new(2, 100).unwrap();
    let other = MmapBytePool::new(2, 100).unwrap();
    let larger = MmapBytePool::new(0, 200).unwrap();
    for block in [other.take(), larger.take()] {
        let place = address(&block);
        let refused = pool.put(block).unwrap_err();
        assert_eq!((refused.reason, address(&refused.item)), (PutReason::Unfit, place));
    }
}

#[test]
fn guards_outlive_the_pool() {
    let pool = MmapBytePool::new(4, 100).unwrap();
    let mut blocks: Vec<_> = (0..6).map(|_| pool.get()).collect();
    let taken = pool.take();
    drop(pool.get());
    drop(pool);
    thread::spawn(move || {
        for block in &mut blocks {
            block.fill(9);
        }
        while let Some(block) = blocks.pop() {
            assert_eq!(*block, [9; 100]);
        }
    })
    .join()
    .unwrap();
    assert_eq!(*taken, [0; 100]);
}

#[test]
fn block_as_bytes_goes_back_after_the_last_clone() {
    let pool = MmapBytePool::new(1, 100).unwrap();
    let mut block = pool.get();
    block[..5].copy_from_slice(b"hello");
    let place = address(&block);
    MmapByteRef::truncate(&mut block, 5);
    let bytes = block.into_bytes();
    let part = bytes.slice(1..3);
    assert_eq!((address(&bytes), &bytes[..]), (place, &b"hello"[..]));
    drop(bytes);
    assert_eq!((&part[..], pool.len()), (&b"el"[..], 0));
    thread::spawn(move || drop(part)).join().unwrap();
    assert_eq!((pool.len(), address(&pool.get())), (1, place));
}

// === Beside the mapping ===

#[test]
fn blocks_beyond_the_capacity_serve_while_all_slots_are_in_use() {
    let pool = MmapBytePool::new(2, 100).unwrap();
    let slots = [pool.get(), pool.get()];
    let beyond = pool.get();
    assert!(beyond.is_mapped());
    let place = address(&beyond);
    drop(beyond);
    let again = pool.get();
    assert_eq!(address(&again), place, "kept, as nothing better was free");
    drop(again);
    assert_eq!(pool.stats().hits, 1);
    drop(slots);
}

#[test]
fn after_a_burst_the_pool_comes_back_to_its_mapping() {
    let pool = MmapBytePool::new(4, 100).unwrap();
    let slots: Vec<_> = (0..4).map(|_| pool.get()).collect();
    let inside: HashSet<_> = slots.iter().map(|block| address(block)).collect();
    let beyond: Vec<_> = (0..4).map(|_| pool.get()).collect();
    drop(beyond); // The pool is full of these now, and
    drop(slots); // these find no room.
    assert_eq!((pool.len(), pool.stats().discarded_full), (4, 4));

    for _ in 0..2 {
        drop((0..4).map(|_| pool.get()).collect::<Vec<_>>());
    }
    let blocks: Vec<_> = (0..4).map(|_| pool.get()).collect();
    assert!(blocks.iter().all(|block| inside.contains(&address(block))));
    assert_eq!(pool.stats().discarded_unfit, 4);
}

/// In Rust a literal port of the Go original would unmap the neighbours of a block.
#[test]
fn neighbours_of_a_dropped_block_keep_their_bytes() {
    let pool = MmapBytePool::new(3, PAGE + 1).unwrap();
    let mut blocks = [pool.get(), pool.get(), pool.get()];
    for (tag, block) in (1_u8..).zip(&mut blocks) {
        block.fill(tag);
    }
    let [first, middle, last] = blocks;
    let place = address(&middle);
    MmapByteRef::discard(middle);
    for (tag, block) in [(1, &first), (3, &last)] {
        assert!(block.iter().all(|byte| *byte == tag));
    }
    assert!(is_mapped(place), "the address space stays");
    assert_eq!(address(&pool.get()), place);
}

// === What goes wrong ===

#[test]
fn impossible_sizes_are_invalid_input() {
    for (capacity, size) in
        [(4, 0), (4, usize::MAX), (4, isize::MAX.unsigned_abs()), (usize::MAX, 1), (1 << 51, PAGE)]
    {
        let error = MmapBytePool::new(capacity, size).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{capacity} {size}: {error}");
    }
    let error = MmapBytePool::builder(4, 0).build().unwrap_err();
    assert_eq!((error.field(), error.value()), ("size", "0"));
    let error = MmapBytePool::builder(usize::MAX, 1).build().unwrap_err();
    assert_eq!(error.field(), "capacity");
    let size = isize::MAX.unsigned_abs();
    let error = MmapBytePool::builder(1, size).build().unwrap_err();
    assert_eq!(error.value(), format!("1 blocks of {size} bytes"));
}

#[test]
fn mapping_that_the_system_refuses_is_out_of_memory() {
    let error = MmapBytePool::new(1 << 20, 1 << 40).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!(
        error.to_string(),
        "mapping is 1152921504606846976 bytes, but must be no more than the system grants"
    );
    let error = MmapBytePool::builder(1 << 20, 1 << 40).build().unwrap_err();
    let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    assert_eq!(source.and_then(std::io::Error::raw_os_error), Some(libc::ENOMEM));
}

#[test]
fn refused_mappings_fall_back_to_the_heap_and_show_it() {
    in_child("mmap::refused_mappings_fall_back_to_the_heap_and_show_it", || {
        let size = 4 * PAGE;
        let pool = MmapBytePool::new(2, size).unwrap();
        let mut slots = vec![pool.get(), pool.get()];
        drop(vec![0_u8; 1 << 20].into_boxed_slice()); // Room on the heap for what follows.
        let hoard: Vec<_> = (0..64).map(|_| vec![0_u8; size]).collect();
        drop(hoard);

        limit_address_space(0);
        let mut beyond = pool.get();
        assert!(!beyond.is_mapped() && !beyond.is_locked());
        assert_eq!(beyond.len(), size);
        assert!(beyond.iter().all(|byte| *byte == 0));
        beyond.fill(5);
        drop(beyond);
        assert!(!pool.get().is_mapped(), "kept, as nothing better is free");
        let error = MmapBytePool::new(2, size).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);

        // With a slot free again, heap memory does not stay.
        let beyond = pool.get();
        drop(slots.pop());
        drop(beyond);
        assert_eq!(pool.stats().idle, 2, "the slot is idle, not free");
        pool.clear();
        let blocks = [pool.get(), pool.get()];
        assert_eq!(blocks.iter().filter(|block| block.is_mapped()).count(), 1);
        MmapByteRef::discard(slots.pop().unwrap());
        drop(blocks);
        assert_eq!((pool.len(), pool.stats().discarded_unfit), (1, 1));
    });
}

// === Many threads ===

/// Blocks of all kinds, filled, handed on, dropped in every way, with the pool gone before them.
#[test]
fn stress_blocks_belong_to_one_user_at_a_time() {
    const THREADS: usize = 4;
    const ROUNDS: usize = 300;

    let pool = MmapBytePool::new(8, PAGE / 2 + 1).unwrap();
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (pool, start) = (pool.clone(), &start);
            scope.spawn(move || {
                start.wait();
                let mut held: Vec<(u8, MmapByteRef)> = Vec::new();
                for round in 0..ROUNDS {
                    let tag = u8::try_from((round * THREADS + thread) % 251).unwrap();
                    let mut block = pool.get();
                    block.fill(tag);
                    held.push((tag, block));
                    if held.len() > 3 {
                        let (tag, block) = held.swap_remove(round % 3);
                        assert!(block.iter().all(|byte| *byte == tag));
                        match round % 5 {
                            0 => MmapByteRef::discard(block),
                            1 => drop(pool.put(MmapByteRef::detach(block))),
                            _ => drop(block),
                        }
                    }
                    match round % 50 {
                        7 => assert!(pool.trim() <= 8),
                        23 => assert!(pool.clear() <= 8),
                        _ => {}
                    }
                }
                drop(pool);
                for (tag, block) in held {
                    assert!(block.iter().all(|byte| *byte == tag));
                }
            });
        }
        drop(pool);
    });
}

/// Slots come from a list that all creations and drops share.
#[test]
fn stress_slots_are_claimed_by_one_block_at_a_time() {
    let pool = MmapBytePool::new(4, 1).unwrap();
    thread::scope(|scope| {
        for tag in 1..=4_u8 {
            let pool = &pool;
            scope.spawn(move || {
                for _ in 0..500 {
                    let mut block = pool.take();
                    assert_eq!(block[0], 0, "new, so blank");
                    block[0] = tag;
                    thread::yield_now();
                    assert_eq!(block[0], tag);
                }
            });
        }
    });
    let blocks: Vec<_> = (0..4).map(|_| pool.take()).collect();
    let mut places: Vec<_> = blocks.iter().map(|block| address(block)).collect();
    places.sort_unstable();
    assert_eq!(places[3] - places[0], 3 * PAGE, "every slot is back");
}
