//! What pools ask of the allocator: nothing, once they are warm.
//!
//! The suite asserts the same for every pool, at several capacities. Here are exact counts, and
//! what passes between threads.

use std::hint::black_box;
use std::io::{self, Write};
use std::thread;

use bp::{
    BufferPool, BytePool, ImageRgbaPool, ImageYCbCrPool, MultiImageRgbaPool, MultiImageYCbCrPool,
    OnReturn, Pool, Poolable, Rect, Subsampling,
};
use bp_tests::allocations::{Allocated, Counting, allocated_by};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A type of one's own.
#[derive(Debug)]
struct Request {
    body: Vec<u8>,
}

impl Poolable for Request {
    type Config = usize;

    fn create(size: &usize) -> Self {
        Request { body: Vec::with_capacity(*size) }
    }

    fn reset(&mut self, _: &usize) {
        self.body.clear();
    }
}

bp::pool! {
    /// A type that is `Poolable`.
    struct RequestPool(Request) -> RequestRef { config: usize }

    /// A foreign type, with arguments of `get`.
    struct TextPool(String) -> TextRef: str {
        config: usize,
        create: |size| String::with_capacity(*size),
        reset: |text, _| text.clear(),
        get: |text, start: &str| text.push_str(start),
    }
}

#[test]
fn bytes_cost_nothing_once_warm() {
    let pool = BytePool::new(8, 4096);
    drop(pool.get());
    assert_eq!(allocated_by(|| pool.get().fill(7)), Allocated::NOTHING);
    // The take leaves an emptied node to the put.
    assert_eq!(allocated_by(|| pool.put(pool.take()).is_ok()), Allocated::NOTHING);
}

#[test]
fn buffers_cost_nothing_once_warm() {
    let pool = BufferPool::new(8, 4096);
    drop(pool.get());
    assert_eq!(allocated_by(|| write!(pool.get(), "{}", 12345).is_ok()), Allocated::NOTHING);
    drop(pool.put(pool.take()));
    assert_eq!(allocated_by(|| pool.put(pool.take()).is_ok()), Allocated::NOTHING);
}

#[test]
fn images_cost_nothing_once_warm() {
    let left = ImageRgbaPool::new(8, 64, 64);
    let zeroed = ImageRgbaPool::builder(8, 64, 64).on_return(OnReturn::Zero).build();
    let zeroed = zeroed.expect("valid");
    let planes = ImageYCbCrPool::new(8, 64, 64, Subsampling::S420);
    drop((left.get(), zeroed.get(), planes.get()));
    let by_guard = allocated_by(|| {
        for _ in 0..100 {
            left.get().fill(7);
            zeroed.get().fill(7);
            planes.get().as_raw_mut().fill(7);
        }
    });
    assert_eq!(by_guard, Allocated::NOTHING);
    let by_value = || left.put(left.take()).is_ok() && planes.put(planes.take()).is_ok();
    by_value();
    assert_eq!(allocated_by(by_value), Allocated::NOTHING);
}

#[test]
fn images_of_changing_sizes_cost_nothing_once_warm() {
    let pixels = MultiImageRgbaPool::builder().class(8, (64, 64)).build().expect("valid");
    let planes = MultiImageYCbCrPool::builder(Subsampling::S420).class(8, (64, 64)).build();
    let planes = planes.expect("valid");
    drop((pixels.get((64, 64)), planes.get((64, 64))));
    let allocated = allocated_by(|| {
        for size in 1..64 {
            pixels.get((size, 65 - size)).fill(7);
            planes.get(Rect::from((size, 64 - size))).as_raw_mut().fill(7);
        }
    });
    assert_eq!(allocated, Allocated::NOTHING);
}

#[test]
fn decoding_into_a_pool_spares_the_image() {
    let picture = image::RgbaImage::from_pixel(640, 480, image::Rgba([1, 2, 3, 4]));
    let mut file = Vec::new();
    picture.write_with_encoder(image::codecs::png::PngEncoder::new(&mut file)).expect("encodes");
    let decoder = || image::codecs::png::PngDecoder::new(io::Cursor::new(&file)).expect("a header");

    let pool = ImageRgbaPool::new(1, 640, 480);
    drop(pool.get());
    let pooled = allocated_by(|| pool.decode(decoder()));
    let fresh = allocated_by(|| image::DynamicImage::from_decoder(decoder()));
    assert!(pooled.bytes + 4 * 640 * 480 <= fresh.bytes, "{pooled:?} {fresh:?}");
}

#[test]
fn own_pools_cost_nothing_once_warm() {
    let typed = RequestPool::new(8, 64);
    let untyped = Pool::<Request>::new(8, 64);
    let texts = TextPool::new(8, 64);
    drop((typed.get(), untyped.get(), texts.get("")));
    let by_guard = allocated_by(|| {
        for _ in 0..100 {
            typed.get().body.push(1);
            untyped.get().body.push(1);
            black_box(&*texts.get("begins so"));
        }
    });
    assert_eq!(by_guard, Allocated::NOTHING);

    let by_value = || {
        typed.put(typed.take()).expect("room");
        untyped.put(untyped.take()).expect("room");
        texts.put(texts.take("begins so")).expect("room");
    };
    by_value();
    assert_eq!(allocated_by(by_value), Allocated::NOTHING);
}

#[test]
fn an_object_costs_its_own_memory_and_one_node() {
    let pool = BufferPool::new(8, 4096);
    let created = allocated_by(|| pool.get());
    assert_eq!(created.times, 2);
    assert!(created.bytes <= 4096 + 64, "{created:?}");
    // By value there is no node.
    let pool = BufferPool::new(8, 4096);
    assert_eq!(allocated_by(|| pool.take()), Allocated { times: 1, bytes: 4096 });
}

#[test]
fn a_burst_in_steady_use_costs_nothing() {
    for capacity in [3, 64, 3000] {
        let pool = BufferPool::new(capacity, 16);
        let mut guards = Vec::with_capacity(capacity);
        let mut burst = || {
            guards.extend((0..capacity).map(|_| pool.get()));
            guards.clear();
        };
        burst();
        assert_eq!(allocated_by(burst), Allocated::NOTHING, "{capacity}");
        assert_eq!(allocated_by(|| pool.trim() + pool.clear()), Allocated::NOTHING);
    }
}

#[test]
fn emptied_nodes_are_kept_within_the_capacity() {
    // The texts themselves cost nothing, so what is allocated is nodes.
    let pool = TextPool::new(2, 0);
    let mut guards: Vec<_> = (0..100).map(|_| pool.get("")).collect();
    guards.drain(..).for_each(|guard| drop(TextRef::detach(guard)));
    let allocated = allocated_by(|| guards.extend((0..100).map(|_| pool.get(""))));
    assert!((98..100).contains(&allocated.times), "{allocated:?}");

    guards.drain(..).for_each(|guard| drop(TextRef::detach(guard)));
    pool.trim();
    let allocated = allocated_by(|| guards.extend((0..100).map(|_| pool.get(""))));
    assert_eq!(allocated.times, 100, "a trim frees them too");
}

#[test]
fn handles_and_figures_cost_nothing() {
    let pool = BufferPool::new(100, 16);
    drop((0..100).map(|_| pool.get()).collect::<Vec<_>>());
    let allocated = allocated_by(|| black_box((pool.clone().stats(), pool.len())));
    assert_eq!(allocated, Allocated::NOTHING);
}

#[test]
fn what_another_thread_made_is_reused_without_cost() {
    let pool = BytePool::new(8, 64);
    let filling = pool.clone();
    thread::spawn(move || drop((0..8).map(|_| filling.get()).collect::<Vec<_>>()))
        .join()
        .expect("fills the pool");
    let mut guards = Vec::with_capacity(8);
    let drained = allocated_by(|| guards.extend((0..8).map(|_| pool.get())));
    assert_eq!(drained, Allocated::NOTHING);
    assert_eq!((guards.len(), pool.stats().misses), (8, 8));
}

#[test]
fn a_pool_of_a_million_costs_little() {
    let few = 32 * 1024;
    for capacity in [1_000_000, usize::MAX] {
        let built = allocated_by(|| Pool::<Request>::new(capacity, 64));
        assert!(built.bytes < few, "{capacity}: {built:?}");
        let built = allocated_by(|| BytePool::new(capacity, 4096));
        assert!(built.bytes < few, "{capacity}: {built:?}");
    }
}

#[test]
fn preloading_creates_what_it_was_asked_for() {
    // Few enough to need no ring behind the shards.
    let with = |rate| allocated_by(|| BytePool::builder(4, 4096).preload(rate).build().is_ok());
    let empty = with(0.0);
    // Each is a block and its node.
    assert_eq!(with(0.5) - empty, Allocated { times: 4, bytes: 2 * (4096 + 64) });
    assert_eq!(with(1.0) - empty, Allocated { times: 8, bytes: 4 * (4096 + 64) });
}
