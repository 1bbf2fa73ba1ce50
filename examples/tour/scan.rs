//! Reading all files on several threads: with pools, and without.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bp::{BufferPool, BytePool, PoolStats, Poolable};

use crate::report::{Report, ReportPool};

/// How much of a file is read at first, and of one that is not text at a time.
const CHUNK: usize = 64 << 10;

/// What a text buffer has room for from the start.
const TEXT: usize = 64 << 10;

/// Reads all files with chunks, texts and reports that come from pools.
pub(crate) fn with_pools(files: &[PathBuf], threads: usize) -> (Summary, Vec<PoolFigures>) {
    let chunks = BytePool::new(threads, CHUNK);
    let texts = BufferPool::new(threads, TEXT);
    let reports = ReportPool::new(threads);

    let summary = scan(files, threads, |path, summary| {
        let mut report = reports.get();
        read(path, &mut chunks.get(), &mut texts.get(), &mut report)?;
        summary.add(&report);
        Ok(())
    });

    let figures = vec![
        PoolFigures { name: "chunks", stats: chunks.stats(), capacity: chunks.capacity() },
        PoolFigures { name: "texts", stats: texts.stats(), capacity: texts.capacity() },
        PoolFigures { name: "reports", stats: reports.stats(), capacity: reports.capacity() },
    ];
    (summary, figures)
}

/// Reads all files with chunks, texts and reports that are made for each.
pub(crate) fn without_pools(files: &[PathBuf], threads: usize) -> Summary {
    scan(files, threads, |path, summary| {
        let mut report = Report::create(&());
        read(path, &mut vec![0; CHUNK], &mut Vec::new(), &mut report)?;
        summary.add(&report);
        Ok(())
    })
}

/// Reads one file: a text as a whole, anything else chunk by chunk.
fn read(path: &Path, chunk: &mut [u8], text: &mut Vec<u8>, report: &mut Report) -> io::Result<()> {
    report.begin(path);
    let mut file = File::open(path)?;
    let mut len = file.read(chunk)?;
    // A zero byte near the start is how grep and git tell that a file is not text.
    if chunk[..len].contains(&0) {
        while len > 0 {
            report.add_bytes(&chunk[..len]);
            len = file.read(chunk)?;
        }
    } else {
        text.extend_from_slice(&chunk[..len]);
        file.read_to_end(text)?;
        report.add_text(text);
    }
    Ok(())
}

/// Does the `job` for every file on `threads` threads, and adds up what they found.
fn scan(
    files: &[PathBuf],
    threads: usize,
    job: impl Fn(&Path, &mut Summary) -> io::Result<()> + Sync,
) -> Summary {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut summary = Summary::default();
        // Relaxed: the threads share nothing but the number.
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = job(path, &mut summary) {
                summary.errors.push(format!("{}: {error}", path.display()));
            }
        }
        summary
    };

    let mut total = Summary::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            total.merge(worker.join().expect("a job does not panic"));
        }
    });
    total.errors.sort_unstable();
    total
}

/// What the reports say together, in whichever order they come.
#[derive(Default, PartialEq)]
pub(crate) struct Summary {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) words: u64,
    /// The sum of the files' checksums.
    pub(crate) checksum: u64,
    pub(crate) longest_line: Record,
    pub(crate) most_words: Record,
    /// Files that could not be read, each with its reason.
    pub(crate) errors: Vec<String>,
}

impl Summary {
    fn add(&mut self, report: &Report) {
        self.files += 1;
        self.bytes += report.bytes;
        self.lines += report.lines;
        self.words += report.words.values().sum::<u64>();
        self.checksum = self.checksum.wrapping_add(report.checksum.value());
        self.longest_line.offer(report.longest, &report.path);
        self.most_words.offer(report.words.len() as u64, &report.path);
    }

    fn merge(&mut self, other: Summary) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.words += other.words;
        self.checksum = self.checksum.wrapping_add(other.checksum);
        self.longest_line.offer(other.longest_line.value, &other.longest_line.path);
        self.most_words.offer(other.most_words.value, &other.most_words.path);
        self.errors.extend(other.errors);
    }
}

/// The largest value, and the first of the files that have it.
#[derive(Default, PartialEq)]
pub(crate) struct Record {
    pub(crate) value: u64,
    pub(crate) path: PathBuf,
}

impl Record {
    fn offer(&mut self, value: u64, path: &Path) {
        if (value, Reverse(path)) > (self.value, Reverse(self.path.as_path())) {
            self.value = value;
            path.clone_into(&mut self.path);
        }
    }
}

/// What one pool has done.
pub(crate) struct PoolFigures {
    pub(crate) name: &'static str,
    pub(crate) stats: PoolStats,
    pub(crate) capacity: usize,
}
