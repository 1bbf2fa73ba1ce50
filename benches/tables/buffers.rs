//! `bytes.Buffer` of the Go library: get an empty buffer with room for `size` bytes and write as
//! many to it.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Write;

use bp::BufferPool;
use bp_benches::per_thread::PerThread;
use bp_benches::table::{SIZES, Table};

const WORKERS: usize = 100;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

fn main() {
    let title = "Get an empty buffer, write to it, give it back";
    let mut table = Table::new("buffers", title).workers(WORKERS);
    for size in SIZES {
        let source = vec![b'@'; size];
        let write = |buffer: &mut Vec<u8>| {
            buffer.write_all(black_box(&source)).expect("a vector takes all");
            black_box(buffer);
        };
        let pool = BufferPool::new(WORKERS, size);
        table.row("bp guard", size, || write(&mut pool.get()));

        let pool = BufferPool::new(WORKERS, size);
        table.row("bp take/put", size, || {
            let mut buffer = pool.take();
            write(&mut buffer);
            drop(pool.put(buffer));
        });

        table.row("default", size, || write(&mut Vec::with_capacity(size)));

        let idle = PerThread::new(&IDLE, || Vec::with_capacity(size));
        table.row("thread-local", size, || {
            idle.with(|buffer| {
                write(buffer);
                buffer.clear();
            });
        });
    }
    table.nothing();
    table.finish();
}
