//! `bufio.Reader` of the Go library: put a buffer of `size` bytes around a reader of 8 KiB, and
//! read all of it, 1 KiB at a time.
//!
//! There the readers share one source, which is at its end after the first. Here each has a
//! source of its own. There is no row *take/put*: such a buffer is not a thing by itself.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read};

use bp::BufioReaderPool;
use bp_benches::per_thread::PerThread;
use bp_benches::table::{SIZES, Table};

const WORKERS: usize = 10;

static SOURCE: [u8; 8192] = [b'@'; 8192];

thread_local! {
    static IDLE: RefCell<Vec<BufReader<&'static [u8]>>> = const { RefCell::new(Vec::new()) };
}

fn source() -> &'static [u8] {
    black_box(&SOURCE)
}

fn read_all(mut reader: impl Read) {
    let mut piece = [0; 1024];
    while reader.read(&mut piece).expect("memory does not fail") > 0 {
        black_box(&mut piece);
    }
}

fn main() {
    let title = "Put a buffer around a reader of 8 KiB, and read it";
    let mut table = Table::new("bufio_reader", title).workers(WORKERS);
    for size in SIZES {
        let pool = BufioReaderPool::with_size(WORKERS, size);
        table.row("bp guard", size, || read_all(pool.get(source())));

        table.row("default", size, || read_all(BufReader::with_capacity(size, source())));

        // With std's reader only if all readers are of one type and what was read ahead is thrown
        // away by hand.
        let idle = PerThread::new(&IDLE, || BufReader::with_capacity(size, &[][..]));
        table.row("thread-local", size, || {
            idle.with(|reader| {
                reader.consume(reader.buffer().len());
                *reader.get_mut() = source();
                read_all(reader);
            });
        });
    }
    table.nothing();
    table.finish();
}
