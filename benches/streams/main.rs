//! Buffered streams, `copy` and `read_all` beside what std does without a pool.
//!
//! One thread, medians of ratios over rounds in which both run, one after the other. Files lie in
//! the temporary directory, and in the page cache.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::time::{Duration, Instant};
use std::{env, fs, process};

use bp::{BufioReaderPool, BufioWriterPool, CopyIoPool};

const ROUNDS: usize = 21;
const RUN: Duration = Duration::from_millis(4);
const MEBIBYTE: usize = 1 << 20;

/// Hides what is inside from std, as any adapter does.
struct Wrapped<T>(T);

impl<R: Read> Read for Wrapped<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

/// Returns the nanoseconds that `work` takes, on average over a run.
fn time(work: &mut dyn FnMut()) -> f64 {
    let first = Instant::now();
    work();
    // What is long needs no company to be told from the clock.
    let batch = if first.elapsed() > RUN { 1 } else { 16 };
    let start = Instant::now();
    let mut times = 0_u32;
    while start.elapsed() < RUN {
        (0..batch).for_each(|_| work());
        times += batch;
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Prints one row: both times, their ratio, and what it should be at most.
fn row(what: &str, target: Option<f64>, bp: &mut dyn FnMut(), std: &mut dyn FnMut()) {
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (time(bp), time(std))).collect();
    let ratio = median(rounds.iter().map(|(bp, std)| bp / std).collect());
    let (bp, std): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    let target = target.map_or_else(|| "–".to_owned(), |target| format!("≤ {target:.2}"));
    println!("| {what} | {:.1} | {:.1} | {ratio:.2} | {target} |", median(bp), median(std));
}

fn streams() {
    for size in [4 << 10, 64 << 10] {
        let (readers, writers) =
            (BufioReaderPool::with_size(8, size), BufioWriterPool::with_size(8, size));
        let source = black_box(&b"a line of text, and more"[..]);
        let (mut out, mut same) = ([0; 8], [0; 8]);
        row(
            &format!("reader of {} KiB: get, read 8 bytes, drop", size >> 10),
            Some(0.70),
            &mut || readers.get(source).read_exact(black_box(&mut out)).expect("enough"),
            &mut || {
                let mut reader = BufReader::with_capacity(size, source);
                reader.read_exact(black_box(&mut same)).expect("enough");
            },
        );
        let (mut sink, mut other) = ([0; 64], [0; 64]);
        row(
            &format!("writer of {} KiB: get, write 8 bytes, drop", size >> 10),
            None,
            &mut || writers.get(&mut sink[..]).write_all(black_box(&source[..8])).expect("room"),
            &mut || {
                let mut writer = BufWriter::with_capacity(size, &mut other[..]);
                writer.write_all(black_box(&source[..8])).expect("room");
            },
        );
    }
}

/// Many small operations on one stream, where a pool does not help and must not hurt.
fn long_streams(data: &[u8]) {
    let (readers, writers) =
        (BufioReaderPool::with_size(8, 8 << 10), BufioWriterPool::with_size(8, 8 << 10));
    for len in [4, 64] {
        let source = &data[..len * 4096];
        let (mut out, mut same) = (vec![0; len], vec![0; len]);
        row(
            &format!("4,096 reads of {len} bytes"),
            None,
            &mut || {
                let mut reader = readers.get(source);
                for _ in 0..4096 {
                    reader.read_exact(black_box(&mut out)).expect("enough");
                }
            },
            &mut || {
                let mut reader = BufReader::new(source);
                for _ in 0..4096 {
                    reader.read_exact(black_box(&mut same)).expect("enough");
                }
            },
        );
        let bytes = black_box(&data[..len]);
        row(
            &format!("4,096 writes of {len} bytes"),
            None,
            &mut || {
                let mut writer = writers.get(io::sink());
                (0..4096).for_each(|_| writer.write_all(black_box(bytes)).expect("room"));
            },
            &mut || {
                let mut writer = BufWriter::new(io::sink());
                (0..4096).for_each(|_| writer.write_all(black_box(bytes)).expect("room"));
            },
        );
    }
}

fn main() -> io::Result<()> {
    let data = vec![7; 16 * MEBIBYTE];
    let dir = env::temp_dir();
    let [from, to] =
        ["from", "to"].map(|name| dir.join(format!("bp-streams-{}-{name}", process::id())));
    fs::write(&from, &data)?;

    println!("| | bp, ns | std, ns | ratio | target |");
    println!("|---|---|---|---|---|");
    streams();
    long_streams(&data);

    let pool = CopyIoPool::new(8, 64 << 10);
    for len in [4 << 10, MEBIBYTE, 16 * MEBIBYTE] {
        let source = &data[..len];
        row(
            &format!("`read_all` of {} KiB, beside `read_to_end` without hint", len >> 10),
            (len == MEBIBYTE).then_some(0.80),
            &mut || drop(black_box(pool.read_all(&mut Wrapped(source)))),
            &mut || {
                let mut all = Vec::new();
                Wrapped(source).read_to_end(&mut all).expect("memory");
                black_box(&mut all);
            },
        );
    }
    let open = || File::open(&from).expect("written above");
    row(
        "`copy` of 16 MiB, wrapped file to sink",
        Some(0.85),
        &mut || drop(pool.copy(&mut Wrapped(open()), &mut io::sink())),
        &mut || drop(io::copy(&mut Wrapped(open()), &mut io::sink())),
    );
    let made = || File::create(&to).expect("made above");
    row(
        "`copy` of 16 MiB, wrapped file to new file",
        None,
        &mut || drop(pool.copy(&mut Wrapped(open()), &mut made())),
        &mut || drop(io::copy(&mut Wrapped(open()), &mut made())),
    );
    row(
        "`copy` of 16 MiB, file to new file: the kernel's business",
        None,
        &mut || drop(pool.copy(&mut open(), &mut made())),
        &mut || drop(io::copy(&mut open(), &mut made())),
    );
    fs::remove_file(from)?;
    fs::remove_file(to)
}
