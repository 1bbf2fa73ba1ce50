//! Multi pools: which class serves a request, where an object goes, what builders refuse.

mod keys;
mod one_class;
mod oversize;

use std::cell::Cell;
use std::panic::{RefUnwindSafe, UnwindSafe};

use bp::{
    AnyPool, BufferRef, BuildError, ByteRef, MultiBufferPool, MultiBytePool, MultiPool, OnReturn,
    PutReason,
};
use bp_tests::allocations::{Allocated, allocated_by};
use bp_tests::ledger::balance;
use bp_tests::random::Random;
use bp_tests::threads::together;

bp::pool! {
    /// Reusable text, whose config is the key.
    struct TextPool(String) -> TextRef {
        config: usize,
        create: |size| String::with_capacity(*size),
        reset: |text, _size| text.clear(),
        keep: |text, size| text.capacity() <= 4 * *size,
    }
}
bp::multi_pool! {
    /// Text by size.
    struct MultiTextPool(TextPool) -> TextRef {
        size: |text| text.capacity(),
        fit: |text, size| text.reserve(*size),
    }
}

/// What the pools below hold, with what happened to it.
#[derive(Debug)]
struct Table {
    made_for: (usize, &'static str),
    shown: usize,
    fits: usize,
}

struct TableConfig {
    size: usize,
    name: &'static str,
    most: usize,
}

bp::pool! {
    /// Tables, with a key of two parts, one of which is no size.
    struct TablePool(Table) -> TableRef {
        config: TableConfig,
        new: |size: usize, name: &'static str| TableConfig { size, name, most: 1000 },
        check: |config| if config.size > config.most {
            Err(BuildError::new("size", config.size, "at most as configured"))
        } else {
            Ok(())
        },
        create: |config| Table { made_for: (config.size, config.name), shown: 0, fits: 0 },
        reset: |table, _config| table.shown = 0,
    }
}
bp::multi_pool! {
    /// Tables by size.
    struct MultiTablePool(TablePool) -> TableRef {
        class: |config| config.name = "class",
        need: |&(size, _name)| Some(size),
        size: |table| table.made_for.0,
        fit: |table, &(size, _name)| {
            table.shown = size;
            table.fits += 1;
        },
    }

    #[cfg(any())]
    struct NotThere(NoPool) -> NoRef { size: |_| 0, fit: |_, _| () }
}

/// Classes as (capacity, size).
fn bytes(classes: &[(usize, usize)]) -> MultiBytePool {
    let builder = MultiBytePool::builder();
    let add = |builder: bp::MultiBuilder<_>, &(capacity, size)| builder.class(capacity, size);
    classes.iter().fold(builder, add).build().expect("classes that are right")
}

/// How many objects are idle in each class.
fn lens(pool: &MultiBytePool) -> Vec<usize> {
    pool.classes().iter().map(|class| class.len).collect()
}

fn text(classes: [usize; 3]) -> MultiTextPool {
    let [a, b, c] = classes;
    MultiTextPool::builder().class(4, a).class(4, b).class(4, c).build().expect("classes")
}

// === Requests ===

#[test]
fn a_request_is_served_by_the_smallest_class_that_holds_it() {
    let pool = bytes(&[(4, 16), (4, 64), (4, 1024)]);
    for (size, class) in [(0, 0), (1, 0), (16, 0), (17, 1), (64, 1), (65, 2), (1024, 2)] {
        let block = pool.get(size);
        assert_eq!(block.len(), size);
        drop(block);
        let mut expected = [0; 3];
        expected[class] = 1;
        assert_eq!(lens(&pool), expected, "after {size}");
        assert_eq!(pool.clear(), 1);
    }
}

#[test]
fn a_guard_shows_exactly_what_was_asked_for() {
    let pool = bytes(&[(1, 100)]);
    // Shorter, longer and equal to the use before; the object is the same each time.
    let address = pool.get(100).as_ptr();
    for size in [100, 1, 99, 0, 0, 100, 50, 51] {
        let mut block = pool.get(size);
        assert_eq!((block.len(), block.as_ptr()), (size, address));
        block.fill(7);
    }
    assert_eq!(pool.stats().misses, 1);
}

/// What a shorter use cut off is not shown to a longer one as it was.
#[test]
fn bytes_beyond_the_use_before_are_zero() {
    let pool = bytes(&[(1, 8)]);
    pool.get(8).fill(7);
    drop(pool.get(3));
    assert_eq!(*pool.get(8), [7, 7, 7, 0, 0, 0, 0, 0]);
}

#[test]
fn contents_are_wiped_where_the_builder_says_so() {
    let builder = MultiBytePool::builder().class(1, 8).on_return(OnReturn::Zero);
    let pool = builder.build().expect("one class");
    pool.get(8).fill(7);
    assert_eq!(*pool.get(8), [0; 8]);
}

#[test]
fn buffers_are_empty_and_large_enough() {
    let pool = MultiBufferPool::builder().class(2, 1000).class(2, 100).build().expect("classes");
    for size in [0, 1, 100, 101, 1000, 5000] {
        for _ in 0..2 {
            let mut buffer: BufferRef = pool.get(size);
            assert!(buffer.is_empty() && buffer.capacity() >= size, "{size}");
            buffer.extend_from_slice(b"traces");
        }
    }
    assert_eq!(pool.len(), 2);
}

/// go-bp's `Get` ran without what `GetRef` did to the slice.
#[test]
fn fit_runs_on_hit_miss_and_take() {
    let pool = MultiTablePool::builder().class(2, (10, "ten")).build().expect("one class");
    assert_eq!(pool.get((3, "")).fits, 1);
    let table = pool.get((4, ""));
    assert_eq!((table.shown, table.fits), (4, 2));
    drop(table);
    assert_eq!(pool.try_get((5, "")).expect("idle").fits, 3);
    let table = pool.take((6, ""));
    assert_eq!((table.shown, table.fits), (6, 4));
    let refused = pool.try_get_with((7, ""), |&(size, _)| Err::<Table, _>(size));
    assert_eq!(refused.map(|table| table.shown), Err(10));
    assert_eq!(pool.get((800, "")).fits, 1, "above all classes");
}

#[test]
fn try_get_creates_nothing() {
    let pool = bytes(&[(1, 10), (1, 20)]);
    assert!(pool.try_get(5).is_none() && pool.try_get(100).is_none());
    assert_eq!(pool.stats().misses, 0);
    drop(pool.get(15));
    assert_eq!(pool.try_get(15).expect("idle").len(), 15);
}

// === Lending ===

#[test]
fn the_next_class_lends_before_another_object_is_created() {
    let pool = bytes(&[(2, 16), (2, 64)]);
    drop(pool.get(64));
    let lent = pool.get(10);
    assert_eq!((lent.len(), pool.stats().misses), (10, 1));
    drop(lent);
    assert_eq!(lens(&pool), [0, 1], "back where it came from");
    assert_eq!(pool.try_get(10).map(|block| block.len()), Some(10));
    assert_eq!(pool.take(10).len(), 10);
    assert_eq!((lens(&pool), pool.stats().misses), (vec![0, 0], 1));
}

#[test]
fn a_small_request_never_empties_a_much_larger_class() {
    let pool = bytes(&[(8, 16), (8, 65), (8, 200)]);
    drop((pool.get(65), pool.get(200)));
    for _ in 0..8 {
        assert!(pool.try_get(16).is_none(), "65 is more than four times 16");
        drop(pool.get(16));
        drop(pool.take(16));
    }
    assert_eq!(lens(&pool), [0, 1, 1]);
    // 200 lends to 65, but only the next class lends.
    let pool = bytes(&[(8, 16), (8, 32), (8, 64)]);
    drop(pool.get(64));
    assert!(pool.try_get(16).is_none());
    assert_eq!(pool.try_get(32).expect("lent").len(), 32);
}

// === Objects that are put ===

#[test]
fn objects_are_filed_by_the_largest_class_they_serve() {
    let pool = text([10, 100, 1000]);
    for (capacity, class) in [(10, 0), (99, 0), (100, 1), (399, 1), (1000, 2), (4000, 2)] {
        // Kept up to four times the size, and 99 is more than that of 10.
        let put = pool.put(String::with_capacity(capacity));
        if capacity == 99 {
            assert_eq!(put.expect_err("much larger than 10").reason, PutReason::Unfit);
            continue;
        }
        put.expect("room and fit");
        let lens: Vec<_> = pool.classes().iter().map(|class| class.len).collect();
        assert_eq!(lens[class], 1, "{capacity} in {lens:?}");
        assert_eq!(pool.clear(), 1);
    }
    let small = pool.put(String::with_capacity(9)).expect_err("serves no class");
    assert_eq!((small.reason, small.item.capacity()), (PutReason::Unfit, 9));
}

#[test]
fn put_says_why_not() {
    let pool = bytes(&[(1, 8)]);
    pool.put(vec![0; 8]).expect("room");
    assert_eq!(pool.put(vec![0; 8]).expect_err("full").reason, PutReason::Full);
    pool.close();
    assert_eq!(pool.put(vec![0; 8]).expect_err("closed").reason, PutReason::Closed);
    assert_eq!((pool.len(), pool.get(8).len()), (0, 8), "a get still works");
}

// === Cases from the field ===

/// corefx#5949, grafana/tempo#1261: a foreign buffer of 5 bytes was filed under 8, and came out too
/// short.
#[test]
fn case_06_a_foreign_buffer_serves_what_it_can() {
    let pool = bytes(&[(4, 4), (4, 8), (4, 16)]);
    pool.put(vec![1; 5]).expect("serves requests of 4");
    let block = pool.get(8);
    assert_eq!(block.len(), 8);
    assert_eq!(lens(&pool), [1, 0, 0]);
    assert_eq!(*pool.get(4), [1; 4]);
    let error = pool.put(vec![1; 3]).expect_err("serves nothing");
    assert_eq!((error.reason, error.item), (PutReason::Unfit, vec![1; 3]));

    let buffers = MultiBufferPool::builder().class(4, 4).class(4, 8).build().expect("classes");
    buffers.put(Vec::with_capacity(5)).expect("serves requests of 4");
    assert!(buffers.get(8).capacity() >= 8);
}

/// syncthing#6125: of one buffer in each class, some were never found again.
#[test]
fn case_07_every_class_finds_its_own() {
    let sizes: Vec<_> = (0..12).map(|n| 1000 << n).collect();
    let classes: Vec<_> = sizes.iter().map(|&size| (1, size)).collect();
    let pool = bytes(&classes);
    for &size in &sizes {
        pool.put(vec![0; size]).expect("room in its class");
    }
    let blocks: Vec<_> = sizes.iter().map(|&size| pool.get(size)).collect();
    assert_eq!((pool.stats().hits, pool.stats().misses), (12, 0));
    drop(blocks);
    let taken: Vec<_> = sizes.iter().map(|&size| pool.take(size)).collect();
    assert_eq!((pool.stats().hits, pool.stats().misses), (24, 0));
    for block in taken {
        pool.put(block).expect("its place is free");
    }
}

/// grpc-go#7702: a large buffer that holds little was filed by its length.
#[test]
fn case_08_objects_are_filed_by_capacity() {
    const SIZE: usize = 64 * 1024;
    let pool = bytes(&[(4, 16), (4, 1024), (4, SIZE)]);
    let mut block = Vec::with_capacity(SIZE);
    block.extend_from_slice(b"ten bytes!");
    pool.put(block).expect("room");
    assert_eq!(lens(&pool), [0, 0, 1]);
    let block = pool.get(SIZE);
    assert_eq!((block.len(), pool.stats().hits), (SIZE, 1));

    // The same by guard.
    let mut block = block;
    ByteRef::truncate(&mut block, 10);
    drop(block);
    assert_eq!(lens(&pool), [0, 0, 1]);
    assert_eq!(pool.get(SIZE).len(), SIZE);
}

/// async-imap#31: sizes that alternate made a pool grow, or never hit.
#[test]
fn case_20_alternating_sizes_are_reused() {
    for sizes in [vec![4096], vec![1000, 4096], vec![1000, 1001, 4096]] {
        let most = sizes.iter().sum::<usize>();
        let pool = bytes(&sizes.iter().map(|&size| (1, size)).collect::<Vec<_>>());
        let buffers = MultiBufferPool::builder().classes_geometric(2, 512, 4096, 2.0);
        let buffers = buffers.build().expect("classes");
        for round in 0..10_000 {
            let size = [1000, 1001, 4096][round % 3];
            pool.get(size).fill(7);
            buffers.get(size).resize(size, 7);
            assert!(pool.stats().bytes_idle <= most, "{:?}", pool.stats());
        }
        assert!(pool.stats().misses <= sizes.len(), "{sizes:?}: {:?}", pool.stats());
        assert!(buffers.stats().misses <= 3, "{:?}", buffers.stats());
    }
}

/// octu0/bp, mbytepool and mimagepool: `Len` and `Cap` were missing, and a pool that was built
/// without classes failed at the first get, or a size that was given twice was ignored.
#[test]
fn classes_are_checked_when_built() {
    let refused = |builder: bp::MultiBuilder<MultiBytePool>| {
        let error = builder.build().expect_err("must be refused");
        (error.field(), error.value().to_owned())
    };
    let builder = MultiBytePool::builder;
    assert_eq!(refused(builder()), ("classes", "0".into()));
    assert_eq!(refused(builder().class(1, 8).class(1, 0)), ("class", "0".into()));
    assert_eq!(refused(builder().class(1, 8).class(1, 9).class(2, 8)), ("class", "8".into()));
    let huge = usize::MAX / 2 + 1;
    assert_eq!(refused(builder().class(1, huge)), ("size", huge.to_string()));
    for (factor, shown) in [(1.0, "1"), (0.5, "0.5"), (-2.0, "-2"), (f64::NAN, "NaN")] {
        let geometric = builder().classes_geometric(1, 8, 64, factor);
        assert_eq!(refused(geometric), ("factor", shown.into()));
    }
    let endless = builder().classes_geometric(1, 8, 64, f64::INFINITY);
    assert_eq!(refused(endless), ("factor", "inf".into()));
    let many = builder().classes_geometric(1, 1, usize::MAX / 2, 1.000_001);
    assert_eq!(refused(many), ("factor", "1.000001".into()));
    assert_eq!(refused(builder().classes_geometric(1, 65, 64, 2.0)), ("min", "65".into()));
    assert_eq!(refused(builder().classes_geometric(1, 0, 64, 2.0)), ("min", "0".into()));
    let twice = builder().class(1, 16).classes_geometric(1, 8, 64, 2.0);
    assert_eq!(refused(twice), ("class", "16".into()));
    assert_eq!(refused(builder().class(1, 8).preload(2.0)), ("preload", "2".into()));
    let factor = builder().class(1, 8).max_size_factor(0.5);
    assert_eq!(refused(factor), ("max_size_factor", "0.5".into()));
    let error = MultiTablePool::builder().class(1, (2000, "")).build().expect_err("check");
    assert_eq!(error.to_string(), "size is 2000, but must be at most as configured");
}

/// prometheus util/pool: with a factor close to 1 and a small minimum the next size was the same,
/// for ever.
#[test]
fn geometric_classes_advance_and_include_both_ends() {
    let sizes = |min, max, factor| -> Vec<usize> {
        let builder = MultiBytePool::builder().classes_geometric(1, min, max, factor);
        let pool = builder.build().expect("classes");
        pool.classes().iter().map(|class| class.size).collect()
    };
    assert_eq!(sizes(1, 13, 1.1), (1..=13).collect::<Vec<_>>());
    assert_eq!(sizes(1, 20, 1.5), [1, 2, 3, 4, 6, 9, 13, 19, 20]);
    assert_eq!(sizes(512, 4096, 2.0), [512, 1024, 2048, 4096]);
    assert_eq!(sizes(512, 5000, 2.0), [512, 1024, 2048, 4096, 5000]);
    assert_eq!(sizes(7, 7, 2.0), [7]);
    assert_eq!(sizes(7, 8, f64::MAX), [7, 8]);
}

// === The pool as a whole ===

#[test]
fn figures_are_those_of_all_classes() {
    let pool =
        MultiBytePool::builder().class(8, 64).class(4, 16).preload(0.5).build().expect("classes");
    assert_eq!((pool.len(), pool.capacity(), pool.is_empty()), (6, 12, false));
    let classes = pool.classes();
    let told: Vec<_> = classes.iter().map(|c| (c.size, c.capacity, c.len)).collect();
    assert_eq!(told, [(16, 4, 2), (64, 8, 4)], "in order of size");
    assert_eq!(classes[1].stats.preloaded, 4);

    let held: Vec<_> = (0..20).map(|n| pool.get(n * 8)).collect();
    let stats = pool.stats();
    assert_eq!((stats.hits, stats.in_use, stats.preloaded), (6, 20, 6));
    balance(&stats);
    drop(held);
    let stats = pool.stats();
    balance(&stats);
    let bytes = pool.classes().iter().map(|c| c.stats.bytes_idle).sum::<usize>();
    assert_eq!(stats.bytes_idle, bytes);
    assert_eq!(bytes, pool.classes().iter().map(|c| c.size * c.len).sum::<usize>());
    assert_eq!(format!("{pool:?}"), "MultiBytePool { len: 9, capacity: 12, .. }");
    assert_eq!(pool.as_multi().len(), 9);
}

#[test]
fn trim_clear_and_close_reach_every_class() {
    let pool = bytes(&[(2, 16), (2, 256)]);
    drop((pool.get(16), pool.get(256)));
    let any: &dyn AnyPool = &pool;
    assert_eq!((any.len(), any.capacity(), any.trim(), any.trim()), (2, 4, 0, 2));
    drop((pool.get(16), pool.get(256)));
    assert_eq!(any.clear(), 2);
    assert_eq!((any.stats().trimmed, any.stats().cleared), (2, 2));
    let held = (pool.get(16), pool.get(256));
    let other = pool.clone();
    other.close();
    drop(held);
    assert_eq!((pool.len(), pool.stats().discarded_closed), (0, 2));
}

#[test]
fn guards_outlive_their_pool_and_any_thread_may_drop_them() {
    let pool = bytes(&[(2, 16), (2, 256)]);
    let blocks = (pool.get(10), pool.get(100), pool.get(1000));
    drop(pool);
    std::thread::spawn(move || {
        assert_eq!((blocks.0.len(), blocks.1.len(), blocks.2.len()), (10, 100, 1000));
    })
    .join()
    .expect("drops them");
}

#[test]
fn what_is_said_about_all_classes_reaches_each() {
    let grows = MultiBufferPool::builder().class(2, 8).class(2, 64).auto_grow(true);
    let pool = grows.max_size_factor(4.0).build().expect("classes");
    pool.put(Vec::with_capacity(200)).expect("four times 64 is kept");
    pool.get(8).shrink_to_fit();
    assert_eq!(pool.classes().iter().map(|class| class.len).collect::<Vec<_>>(), [1, 1]);

    let by_use = MultiBufferPool::builder().class(2, 8).retain_by_use().build().expect("class");
    by_use.get(8).resize(1000, 0);
    assert_eq!(by_use.len(), 1, "beyond every factor");

    let twice = MultiBytePool::builder().class(4, 8).each(|builder| builder.preload(1.0));
    assert_eq!(twice.preload(0.5).build().expect("a class").len(), 2, "the last word counts");
}

#[test]
fn nothing_is_allocated_once_warm() {
    let pool = bytes(&[(2, 16), (2, 256), (2, 4096)]);
    let buffers = MultiBufferPool::builder().class(2, 16).class(2, 4096).build().expect("classes");
    let work = || {
        for size in [0, 10, 100, 256, 1000, 4096] {
            pool.get(size).fill(7);
            buffers.get(size).resize(size, 7);
            let block = pool.take(size);
            pool.put(block).expect("its place is free");
        }
    };
    work();
    assert_eq!(allocated_by(work), Allocated::NOTHING);
}

#[test]
fn guards_are_those_of_the_pool_of_one_size() {
    assert_eq!(size_of::<ByteRef>(), size_of::<usize>());
    let single: ByteRef = bp::BytePool::new(1, 8).get();
    let multi: ByteRef = bytes(&[(1, 8)]).get(8);
    assert_eq!(*single, *multi);
}

// === Threads and traits ===

#[test]
fn multi_pools_are_shared_as_their_pools_are() {
    fn shared<T: Send + Sync + UnwindSafe + RefUnwindSafe + Clone + 'static>() {}
    shared::<MultiBytePool>();
    shared::<MultiBufferPool>();
    shared::<MultiTextPool>();

    // An object that is not `Send` is no reason not to compile, only not to be shared.
    bp::pool! {
        struct CellPool(Box<dyn Fn() -> Cell<u8>>) -> CellRef {
            config: usize,
            create: |_| Box::new(|| Cell::new(7)),
        }
    }
    bp::multi_pool! {
        struct MultiCellPool(CellPool) -> CellRef { size: |_| 1, fit: |_, _| () }
    }
    let pool = MultiCellPool::builder().class(1, 1).build().expect("one class");
    assert_eq!(pool.get(1)().get(), 7);
}

#[test]
fn many_threads_keep_the_bound_of_each_class() {
    let pool = bytes(&[(3, 16), (5, 64), (2, 1024)]);
    let shared = pool.clone();
    together(4, move |thread| {
        let mut random = Random::new(thread as u64);
        let mut held = Vec::new();
        for _ in 0..5000 {
            let size = random.below(1200);
            let mut block = shared.get(size);
            assert_eq!(block.len(), size);
            block.fill(7);
            held.push(block);
            if random.below(3) == 0 {
                held.clear();
            }
            for class in shared.classes() {
                assert!(class.len <= class.capacity, "{class:?}");
            }
        }
    });
    balance(&pool.stats());
    assert_eq!(pool.stats().in_use, 0);
}
