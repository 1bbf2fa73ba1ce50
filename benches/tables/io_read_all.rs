//! `io.ReadAll` of the Go library: read all 1 MiB of a reader.
//!
//! There no byte moves. Here that comes first, and then the same from memory.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Read;

use bp::CopyIoPool;
use bp_benches::per_thread::PerThread;
use bp_benches::streams::{Claims, Decodes};
use bp_benches::table::Table;

const LENGTH: usize = 1 << 20;

/// The Go library's buffer.
const BUFFER: usize = 16 << 10;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

fn rows<R: Read>(table: &mut Table, what: &'static str, reader: impl Fn() -> R + Sync) {
    let is_all = |bytes: &[u8]| assert_eq!(black_box(bytes).len(), LENGTH);
    let to_end = |bytes: &mut Vec<u8>| {
        reader().read_to_end(bytes).expect("memory does not fail");
        is_all(bytes);
    };

    let pool = CopyIoPool::new(100, BUFFER);
    table.row("bp, a pool of 16 KiB", what, || {
        is_all(&pool.read_all(&mut reader()).expect("memory does not fail"));
    });

    table.row("bp::read_all, 64 KiB", what, || {
        is_all(&bp::read_all(&mut reader()).expect("memory does not fail"));
    });

    table.row("read_to_end", what, || to_end(&mut Vec::new()));

    let idle = PerThread::new(&IDLE, || Vec::with_capacity(BUFFER));
    table.row("thread-local, read_to_end", what, || {
        idle.with(|bytes| {
            to_end(bytes);
            bytes.clear();
        });
    });
}

fn main() {
    let mut table = Table::new("io_read_all", "Read all 1 MiB of a reader");
    let memory = vec![b'@'; LENGTH];
    rows(&mut table, "nothing moves", || Claims(black_box(LENGTH)));
    rows(&mut table, "from memory", || Decodes(black_box(&memory)));
    table.finish();
}
