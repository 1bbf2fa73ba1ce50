//! `io.Copy` of the Go library: copy 1 MiB from a reader to a writer.
//!
//! There neither moves a byte. Here that comes first, and then the same from memory.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::{self, Read, Write};

use bp::CopyIoPool;
use bp_benches::per_thread::PerThread;
use bp_benches::streams::{Claims, Decodes, Swallows};
use bp_benches::table::Table;

const LENGTH: usize = 1 << 20;

/// The Go library's buffer.
const BUFFER: usize = 16 << 10;

thread_local! {
    static IDLE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Copies through a given buffer, the way it is written by hand.
fn copy_through(buffer: &mut [u8], reader: &mut impl Read, writer: &mut impl Write) -> u64 {
    let mut copied = 0;
    loop {
        let read = reader.read(buffer).expect("memory does not fail");
        if read == 0 {
            return copied;
        }
        writer.write_all(&buffer[..read]).expect("all is taken");
        copied += read as u64;
    }
}

fn rows<R: Read>(table: &mut Table, what: &'static str, reader: impl Fn() -> R + Sync) {
    let copied = |length: io::Result<u64>| assert_eq!(length.expect("none fails"), LENGTH as u64);

    let pool = CopyIoPool::new(100, BUFFER);
    table.row("bp, a pool of 16 KiB", what, || copied(pool.copy(&mut reader(), &mut Swallows)));

    table.row("bp::copy, 64 KiB", what, || copied(bp::copy(&mut reader(), &mut Swallows)));

    table.row("std::io::copy", what, || copied(io::copy(&mut reader(), &mut Swallows)));

    let idle = PerThread::new(&IDLE, || vec![0; BUFFER]);
    table.row("thread-local, 16 KiB", what, || {
        copied(Ok(idle.with(|buffer| copy_through(buffer, &mut reader(), &mut Swallows))));
    });

    table.row("default, a fresh 16 KiB", what, || {
        copied(Ok(copy_through(&mut vec![0; BUFFER], &mut reader(), &mut Swallows)));
    });
}

fn main() {
    let mut table = Table::new("io_copy", "Copy 1 MiB from a reader to a writer");
    let memory = vec![b'@'; LENGTH];
    rows(&mut table, "nothing moves", || Claims(black_box(LENGTH)));
    rows(&mut table, "from memory", || Decodes(black_box(&memory)));
    table.finish();
}
