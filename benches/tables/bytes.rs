//! `[]byte` of the Go library: get a block of `size` bytes and read as many into it.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Read;

use bp::BytePool;
use bp_benches::per_thread::PerThread;
use bp_benches::table::{SIZES, Table};

const WORKERS: usize = 10;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

fn main() {
    let title = "Get a block of bytes, read as many into it, give it back";
    let mut table = Table::new("bytes", title).workers(WORKERS);
    for size in SIZES {
        let source = vec![b'@'; size];
        let read = |block: &mut [u8]| {
            // Hidden from the optimiser, which would else see a copy of a length that it knows.
            black_box(&source[..]).read_exact(block).expect("the source is as long");
            black_box(block);
        };
        let pool = BytePool::new(WORKERS, size);
        table.row("bp guard", size, || read(&mut pool.get()));

        let pool = BytePool::new(WORKERS, size);
        table.row("bp take/put", size, || {
            let mut block = pool.take();
            read(&mut block);
            // Where a worker was stopped in between, another one's block may be in its place.
            drop(pool.put(block));
        });

        table.row("default", size, || read(&mut vec![0; size]));

        let idle = PerThread::new(&IDLE, || vec![0; size]);
        table.row("thread-local", size, || idle.with(|block| read(block)));
    }
    table.nothing();
    table.finish();
}
