//! Runs one hot path so many times, for `ci/instructions.sh` to count its instructions.
//!
//! ```text
//! instructions PATH TIMES     instructions --list
//! ```
//!
//! Two runs differ by the instructions of the path times the difference of their `TIMES`: start,
//! warm-up and end are the same in both.

use std::env;
use std::hint::black_box;
use std::io::Read;
use std::process::ExitCode;

use bp::{BufferPool, BufioReaderPool, BytePool, Pool, Poolable};

/// A lock of the store is biased to its thread after 1,024 uses; what is measured is the life
/// after that.
const WARM_UP: u32 = 4096;

const CAPACITY: usize = 64;
const SIZE: usize = 1024;

#[derive(Default, Poolable)]
struct Request {
    id: u64,
    path: String,
    body: Vec<u8>,
}

/// A hot path, and its name in `counts.txt`.
type HotPath = (&'static str, fn(u32));

const PATHS: &[HotPath] = &[
    ("byte_get_drop", |times| {
        let pool = BytePool::new(CAPACITY, SIZE);
        repeat(times, || _ = black_box(&mut *pool.get()));
    }),
    ("buffer_get_drop", |times| {
        let pool = BufferPool::new(CAPACITY, SIZE);
        repeat(times, || _ = black_box(&mut *pool.get()));
    }),
    ("buffer_get_push_drop", |times| {
        let pool = BufferPool::new(CAPACITY, SIZE);
        repeat(times, || pool.get().push(black_box(1)));
    }),
    ("derived_get_drop", |times| {
        let pool = Pool::<Request>::new(CAPACITY, ());
        repeat(times, || {
            let mut request = pool.get();
            request.id = black_box(7);
            black_box(&mut request.path);
            black_box(&mut request.body);
        });
    }),
    ("bufio_get_read_drop", |times| {
        let pool = BufioReaderPool::new(CAPACITY);
        repeat(times, || {
            let mut line = [0; 16];
            let mut reader = pool.get(black_box(&b"a line of 16 by\n"[..]));
            reader.read_exact(&mut line).expect("as long");
            black_box(&mut line);
        });
    }),
    ("buffer_take_put", |times| {
        let pool = BufferPool::new(CAPACITY, SIZE);
        repeat(times, || pool.put(black_box(pool.take())).expect("there is room"));
    }),
];

/// Warms up, then does `work` so many times.
fn repeat(times: u32, work: impl Fn()) {
    (0..WARM_UP + times).for_each(|_| work());
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--list"] => {
            for (name, _) in PATHS {
                println!("{name}");
            }
            return ExitCode::SUCCESS;
        }
        [path, times] => {
            let run = PATHS.iter().find(|(name, _)| *name == path).map(|(_, run)| run);
            if let (Some(run), Ok(times)) = (run, times.parse()) {
                run(times);
                return ExitCode::SUCCESS;
            }
        }
        _ => (),
    }
    eprintln!("usage: instructions PATH TIMES | --list");
    ExitCode::from(2)
}
