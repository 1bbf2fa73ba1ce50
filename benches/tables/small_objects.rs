//! The experiment of an article on `sync.Pool`: 10,000 objects in a round, with a pool and without,
//! then with the pool emptied, as Go's collector empties a `sync.Pool`.
//!
//! The article's object is one word, for which no pool pays in Rust. So the same is done with what
//! a service pools: a request of several allocations, and a block that must be zeroed.

use std::cell::RefCell;
use std::hint::black_box;

use bp::{BytePool, Pool, Poolable};
use bp_benches::per_thread::PerThread;
use bp_benches::table::Table;

/// Objects in a round, as in the article.
const ROUND: usize = 10_000;

const BLOCK: usize = 64 << 10;

/// The article's object.
#[derive(Default, Poolable)]
struct Small {
    a: usize,
}

/// What a server fills for each request: three allocations.
#[derive(Default, Poolable)]
struct Request {
    path: String,
    headers: Vec<(u32, u32)>,
    body: Vec<u8>,
}

#[inline(never)]
fn inc(small: &mut Small) {
    small.a += 1;
}

fn use_small(small: &mut Small) {
    small.a = 1;
    inc(black_box(small));
}

#[inline(never)]
fn use_request(request: &mut Request) {
    request.path.push_str(black_box("/index.html"));
    request.headers.extend((0..8).map(|at| (at, at + 1)));
    request.body.extend_from_slice(black_box(&[b'@'; 512]));
    black_box(request);
}

#[inline(never)]
fn use_block(block: &mut [u8]) {
    block[0] = 1;
    black_box(block);
}

/// Does something with each object of a round.
fn round(mut each: impl FnMut()) {
    (0..ROUND).for_each(|_| each());
}

thread_local! {
    #[expect(clippy::vec_box, reason = "moves pointers, as `sync.Pool` does")]
    static IDLE: RefCell<Vec<Box<Small>>> = const { RefCell::new(Vec::new()) };
}

fn main() {
    let mut table = Table::new("small_objects", "A round of 10,000 objects").slow(5);

    let pool = Pool::<Small>::new(8, ());
    table.row("`Small`, bp guard", "8 B", || round(|| use_small(&mut pool.get())));
    table.row("`Small`, bp take/put", "8 B", || {
        round(|| {
            let mut small = pool.take();
            use_small(&mut small);
            drop(pool.put(small));
        });
    });
    table.row("`Small`, boxed", "8 B", || round(|| use_small(&mut Box::<Small>::default())));
    table.row("`Small`, on the stack", "8 B", || round(|| use_small(&mut Small::default())));
    let idle = PerThread::new(&IDLE, Box::<Small>::default);
    table.row("`Small`, thread-local", "8 B", || round(|| idle.with(|small| use_small(small))));
    table.row("`Small`, bp, trimmed after each round", "8 B", || {
        round(|| use_small(&mut pool.get()));
        pool.trim();
    });
    table.row("`Small`, bp, emptied after each round", "8 B", || {
        round(|| use_small(&mut pool.get()));
        pool.clear();
    });
    table.row("`Small`, bp, emptied after each use", "8 B", || {
        round(|| {
            use_small(&mut pool.get());
            pool.clear();
        });
    });

    let pool = Pool::<Request>::new(8, ());
    table.row("`Request`, fresh", "3 parts", || round(|| use_request(&mut Request::default())));
    table.row("`Request`, bp guard", "3 parts", || round(|| use_request(&mut pool.get())));
    table.row("`Request`, bp, trimmed after each round", "3 parts", || {
        round(|| use_request(&mut pool.get()));
        pool.trim();
    });
    table.row("`Request`, bp, emptied after each use", "3 parts", || {
        round(|| {
            use_request(&mut pool.get());
            pool.clear();
        });
    });

    let pool = BytePool::new(8, BLOCK);
    table.row("block, fresh", "64 KiB", || round(|| use_block(&mut vec![0; BLOCK])));
    table.row("block, bp guard", "64 KiB", || round(|| use_block(&mut pool.get())));
    table.row("block, bp, emptied after each use", "64 KiB", || {
        round(|| {
            use_block(&mut pool.get());
            pool.clear();
        });
    });
    table.finish();
}
