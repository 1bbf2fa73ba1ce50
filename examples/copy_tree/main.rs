//! Copies a directory, and shows how far it is.
//!
//! ```text
//! cargo run --release --example copy_tree <directory> <copy>
//! ```
//!
//! From file to file the kernel copies by itself if `std::io::copy` asks it to, but then nobody
//! sees how far it is. A reader that reports its progress hides the file from std, which copies
//! through 8 KiB on the stack then; a pooled buffer of 256 KiB takes a thirtieth of the calls.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, path};

use bp::CopyIoPool;

/// How often the progress line changes at most.
const PAUSE: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("copy_tree: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let args: Vec<_> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [from, to] = &args[..] else {
        return Err("give two directories: one to copy, and one to make".to_owned());
    };
    check(from, to)?;

    let mut copy =
        Copy { pool: CopyIoPool::new(1, 256 * 1024), progress: Progress::new(), links: 0 };
    let start = Instant::now();
    let result = copy.directory(from, to);
    copy.progress.clear();
    result?;

    let Copy { pool, progress, links } = copy;
    println!(
        "copied   {} files, {} bytes, in {:.2?}",
        progress.files,
        progress.bytes,
        start.elapsed()
    );
    println!("left out {links} links and special files");
    let stats = pool.stats();
    println!("buffers  {} made, used {} times", stats.misses, stats.misses + stats.hits);
    Ok(())
}

/// Refuses what cannot end well, before anything is made.
fn check(from: &Path, to: &Path) -> Result<(), String> {
    let source = fs::canonicalize(from).map_err(at("cannot read directory", from))?;
    if !source.is_dir() {
        return Err(format!("`{}` is not a directory", from.display()));
    }
    if fs::symlink_metadata(to).is_ok() {
        return Err(format!("`{}` exists already", to.display()));
    }
    let target = path::absolute(to).map_err(at("cannot make", to))?;
    let parent = target.parent().unwrap_or(&target);
    let parent = fs::canonicalize(parent).map_err(at("cannot make", to))?;
    if parent.starts_with(&source) {
        return Err(format!("`{}` lies within `{}`", to.display(), from.display()));
    }
    Ok(())
}

/// Says what failed, and where.
fn at<'a>(what: &'a str, path: &'a Path) -> impl Fn(io::Error) -> String + 'a {
    move |error| format!("{what} `{}`: {error}", path.display())
}

struct Copy {
    pool: CopyIoPool,
    progress: Progress,
    links: usize,
}

impl Copy {
    fn directory(&mut self, from: &Path, to: &Path) -> Result<(), String> {
        fs::create_dir(to).map_err(at("cannot make", to))?;
        let unreadable = at("cannot read directory", from);
        for entry in fs::read_dir(from).map_err(&unreadable)? {
            let entry = entry.map_err(&unreadable)?;
            let kind = entry.file_type().map_err(&unreadable)?;
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            if kind.is_dir() {
                self.directory(&from, &to)?;
            } else if kind.is_file() {
                self.file(&from, &to).map_err(at("cannot copy", &from))?;
            } else {
                self.links += 1;
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let source = File::open(from)?;
        let permissions = source.metadata()?.permissions();
        let mut target = File::create_new(to)?;
        let mut source = Watched { inner: source, progress: &mut self.progress };
        // The buffer is taken from the pool for this one call.
        self.pool.copy(&mut source, &mut target)?;
        target.set_permissions(permissions)?;
        self.progress.files += 1;
        Ok(())
    }
}

/// A reader that tells how much was read.
struct Watched<'a, R> {
    inner: R,
    progress: &'a mut Progress,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out)?;
        self.progress.add(read as u64);
        Ok(read)
    }
}

/// How far the copy is; one line of a terminal, written over and over.
struct Progress {
    files: usize,
    bytes: u64,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    fn new() -> Self {
        Progress { files: 0, bytes: 0, shown: None, terminal: io::stderr().is_terminal() }
    }

    fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.terminal && self.shown.is_none_or(|shown| shown.elapsed() >= PAUSE) {
            self.shown = Some(Instant::now());
            let mebibytes = self.bytes >> 20;
            // Nothing is lost with a progress line that cannot be written.
            let _ = write!(io::stderr(), "\r{} files, {mebibytes} MiB", self.files);
        }
    }

    /// Makes room for what comes after.
    fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
