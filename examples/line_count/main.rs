//! Counts the lines of every file of a directory, through one read buffer.
//!
//! ```text
//! cargo run --release --example line_count [directory]
//! ```
//!
//! Without an argument it counts the lines of this workspace. std's `BufReader` would come with a
//! buffer of its own for each file, since a used one cannot be given the next; here thousands of
//! files take turns with one.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bp::BufioReaderPool;

// The tour walks in the same way.
#[path = "../tour/walk.rs"]
mod walk;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("line_count: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut args = env::args_os().skip(1);
    let given = args.next().map(PathBuf::from);
    if args.next().is_some() {
        return Err("more than one argument; give one directory, or none".to_owned());
    }
    let ours = given.is_none();
    let root = given.unwrap_or_else(workspace);
    // What was built here says nothing about this workspace.
    let skip = |name: &OsStr| ours && (name == "target" || walk::hidden(name));
    let tree = walk::walk(&root, skip)
        .map_err(|error| format!("cannot read directory `{}`: {error}", root.display()))?;

    // One file is open at a time, so one buffer is all that is worth keeping.
    let pool = BufioReaderPool::with_size(1, 64 * 1024);
    let (mut lines, mut files) = (0, 0);
    let mut longest = (0, Path::new("-"));
    let mut errors = tree.errors;
    for path in &tree.files {
        // The buffer is back in the pool when `count` returns, also where it fails.
        match File::open(path).and_then(|file| count(pool.get(file))) {
            Ok(count) => {
                lines += count;
                files += 1;
                longest = longest.max((count, path));
            }
            Err(error) => errors.push(format!("{}: {error}", path.display())),
        }
    }

    println!("lines    {lines} in {files} files");
    println!("longest  {} in {}", longest.0, longest.1.display());
    let stats = pool.stats();
    println!("buffers  {} made, used {} times", stats.misses, stats.misses + stats.hits);
    for error in errors {
        println!("not read {error}");
    }
    Ok(())
}

/// Counts lines; the last one needs no line break.
fn count(mut reader: impl BufRead) -> io::Result<u64> {
    let mut lines = 0;
    while reader.skip_until(b'\n')? > 0 {
        lines += 1;
    }
    Ok(lines)
}

fn workspace() -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR"));
    examples.parent().expect("the examples are a member of the workspace").to_owned()
}
