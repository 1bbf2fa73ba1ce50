//! What the kernel gets back, and when.

use std::collections::HashSet;

use bp::{MmapBytePool, MmapByteRef, PutReason};
use bp_tests::child::in_child;

use super::address;
use super::system::{PAGE, is_mapped, is_resident, mappings};

#[test]
fn trim_hands_idle_pages_back_and_keeps_the_working_set() {
    let pool = MmapBytePool::new(16, PAGE).unwrap();
    let mut burst: Vec<_> = (0..16).map(|_| pool.get()).collect();
    for block in &mut burst {
        block.fill(1);
    }
    let places: Vec<_> = burst.iter().map(|block| address(block)).collect();
    drop(burst);

    assert_eq!(pool.trim(), 0);
    let work = [pool.get(), pool.get()];
    let working: HashSet<_> = work.iter().map(|block| address(block)).collect();
    drop(work);
    assert_eq!(pool.trim(), 14);
    for place in &places {
        assert!(is_mapped(*place));
        assert_eq!(is_resident(*place), working.contains(place));
    }
    drop((0..16).map(|_| pool.get()).collect::<Vec<_>>());
    let blocks: Vec<_> = (0..16).map(|_| pool.get()).collect();
    for block in &blocks {
        let left = u8::from(working.contains(&address(block)));
        assert!(block.iter().all(|byte| *byte == left));
    }
    assert_eq!(blocks.iter().map(|block| address(block)).collect::<HashSet<_>>(), {
        places.into_iter().collect()
    });
}

#[test]
fn clear_and_close_hand_pages_back_at_once() {
    let pool = MmapBytePool::new(2, PAGE).unwrap();
    let held = pool.take(); // The mapping stays with it.
    for end in [|pool: &MmapBytePool| assert_eq!(pool.clear(), 1), MmapBytePool::close] {
        let mut block = pool.get();
        block.fill(1);
        let place = address(&block);
        drop(block);
        assert!(is_resident(place));
        end(&pool);
        assert!(is_mapped(place) && !is_resident(place));
    }
    drop(held);
}

#[test]
fn locked_blocks_are_zeroed_in_place() {
    let pool = MmapBytePool::builder(2, PAGE).lock(true).build().unwrap();
    let mut block = pool.get();
    assert!(block.is_locked());
    block.fill(1);
    let place = address(&block);
    assert_eq!(MmapByteRef::release(block).map_err(|refused| refused.reason), Ok(()));
    pool.clear();
    assert!(is_resident(place));
    let block = pool.get();
    assert_eq!(address(&block), place);
    assert!(block.iter().all(|byte| *byte == 0));
    let beyond = [pool.get(), pool.get()];
    assert!(beyond.iter().all(MmapByteRef::is_locked));

    let unlocked = MmapBytePool::new(0, PAGE).unwrap().take();
    assert!(!unlocked.is_locked());
    assert_eq!(pool.put(unlocked).unwrap_err().reason, PutReason::Unfit);
}

#[test]
fn populated_pool_has_its_pages_from_the_start() {
    let plain = MmapBytePool::new(8, PAGE).unwrap();
    let populated = MmapBytePool::builder(8, PAGE).populate(true).build().unwrap();
    let blocks: Vec<_> = (0..8).map(|_| (plain.get(), populated.get())).collect();
    for (plain, populated) in &blocks {
        assert!(!is_resident(address(plain)));
        assert!(is_resident(address(populated)));
    }
}

/// Nothing tells from outside whether the kernel had huge pages, only that the blocks work.
#[test]
fn huge_pages_are_a_wish() {
    let pool = MmapBytePool::builder(4, 1 << 20).huge_pages(true).populate(true).build().unwrap();
    let mut block = pool.get();
    block.fill(3);
    assert!(block.iter().all(|byte| *byte == 3));
    let place = address(&block);
    drop(block);
    pool.clear();
    let block = pool.get();
    assert_eq!(address(&block), place);
    assert!(block.iter().all(|byte| *byte == 0));
}

#[test]
fn capacity_costs_address_space_only() {
    let pool = MmapBytePool::new(1 << 20, 1 << 20).unwrap(); // 1 TiB
    pool.get().fill(1);
    assert_eq!(pool.len(), 1);
}

/// The Go original unmaps nothing, ever.
#[test]
fn nothing_stays_mapped_after_pool_and_blocks() {
    in_child("mmap::giving_back::nothing_stays_mapped_after_pool_and_blocks", || {
        let pool = MmapBytePool::new(64, 64 * PAGE).unwrap();
        let (slot, kept) = (pool.get(), pool.take());
        let all: Vec<_> = (0..80).map(|_| pool.get()).collect();
        let places: Vec<_> = all.iter().map(|block| address(block)).collect();
        drop(all);
        drop(pool);
        assert!(is_mapped(address(&slot)) && is_mapped(address(&kept)));
        drop(slot);
        assert!(is_mapped(address(&kept)));
        drop(kept);
        for place in places {
            assert!(!is_mapped(place), "{place:#x}");
        }
    });
}

#[test]
fn case_38_number_of_mappings_stays_small_and_returns_to_where_it_began() {
    let name =
        "mmap::giving_back::case_38_number_of_mappings_stays_small_and_returns_to_where_it_began";
    in_child(name, || {
        let round = || {
            let pool = MmapBytePool::new(1000, PAGE).unwrap();
            let before = mappings();
            let mut blocks: Vec<_> = (0..1000).map(|_| pool.get()).collect();
            for block in &mut blocks {
                block.fill(1);
            }
            // Every other one goes, which would tear a mapping per block to pieces.
            let mut odd = false;
            blocks.retain(|_| {
                odd = !odd;
                odd
            });
            pool.clear();
            let most = mappings();
            drop(blocks);
            let beyond: Vec<_> = (0..1010).map(|_| pool.get()).collect();
            drop(beyond);
            drop(pool);
            (before, most)
        };
        round();
        let start = mappings();
        for _ in 0..10 {
            let (before, most) = round();
            assert!(before <= start + 2 && most <= before + 2, "{start} {before} {most}");
            assert_eq!(mappings(), start);
        }
    });
}
