//! The main job on real input: threads read every file of a directory, once with pools and once
//! without.
//!
//! ```text
//! cargo run --release --example tour [directory]
//! ```
//!
//! Without an argument the tour reads this workspace. Start with `scan.rs`, which has the two ways
//! side by side, and `report.rs`, which has the derive; the rest is what any such program needs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use crate::alloc::{Counting, Figures};
use crate::scan::{PoolFigures, Record, Summary};
use crate::table::{Table, grouped};
use crate::walk::Tree;

mod alloc;
mod report;
mod scan;
mod table;
mod walk;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// How often each way reads all files at least.
const ROUNDS: usize = 3;

/// How long both go on; a pass over a small directory takes too little time to tell them apart.
const LONG_ENOUGH: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    match tour() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!(
                "tour: two passes over the same files disagree; did a file change meanwhile?"
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("tour: {error}");
            ExitCode::from(2)
        }
    }
}

/// Walks, reads both ways, prints; says whether all passes agree.
fn tour() -> Result<bool, String> {
    let (root, Tree { files, mut errors }) = tree()?;
    let threads = thread::available_parallelism().map_or(1, usize::from);

    // Brings the files into the page cache, and is what every later pass must agree with.
    let expected = scan::without_pools(&files, threads);
    let (mut pooled, mut plain) = (Vec::new(), Vec::new());
    let start = Instant::now();
    // The two ways take turns, so that a busy machine slows down both.
    while pooled.len() < ROUNDS || start.elapsed() < LONG_ENOUGH {
        pooled.push(Pass::measure(|| scan::with_pools(&files, threads)));
        plain.push(Pass::measure(|| (scan::without_pools(&files, threads), Vec::new())));
    }
    let agree = pooled.iter().chain(&plain).all(|pass| pass.summary == expected);

    println!(
        "{threads} threads; of {} passes each way, the one with the median time\n",
        pooled.len()
    );
    let (pooled, plain) = (median(pooled), median(plain));
    print!("{}", comparison(&pooled, &plain));
    println!("\n{}", pools(&pooled.pools));
    println!("longest line  {}", record(&expected.longest_line, "bytes", &root));
    println!("most words    {}", record(&expected.most_words, "different", &root));
    errors.extend(expected.errors);
    for error in errors {
        println!("not read      {error}");
    }
    if agree {
        let ratio = pooled.time.as_secs_f64() / plain.time.as_secs_f64();
        println!("\nchecksums agree, time ratio {ratio:.2} (with pools / without)");
    }
    Ok(agree)
}

/// Finds the files to read: those of the directory on the command line, or of this workspace.
fn tree() -> Result<(PathBuf, Tree), String> {
    let mut args = env::args_os().skip(1);
    let given = args.next().map(PathBuf::from);
    if args.next().is_some() {
        return Err("more than one argument; give one directory, or none".to_owned());
    }

    // What was built here is large and changes; it says nothing about this workspace.
    let ours = given.is_none();
    let skip = |name: &OsStr| ours && (name == "target" || walk::hidden(name));
    let left_out = if ours { "`target`, hidden files and links" } else { "links" };

    let root = given.unwrap_or_else(workspace);
    let tree = walk::walk(&root, skip)
        .map_err(|error| format!("cannot read directory `{}`: {error}", root.display()))?;
    println!("reading {}, without {left_out}", root.display());
    Ok((root, tree))
}

fn workspace() -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR"));
    examples.parent().expect("the examples are a member of the workspace").to_owned()
}

/// One pass over all files, and what it cost.
struct Pass {
    summary: Summary,
    pools: Vec<PoolFigures>,
    time: Duration,
    heap: Figures,
}

impl Pass {
    fn measure(scan: impl FnOnce() -> (Summary, Vec<PoolFigures>)) -> Self {
        let (before, start) = (ALLOCATOR.figures(), Instant::now());
        let (summary, pools) = scan();
        let (time, after) = (start.elapsed(), ALLOCATOR.figures());
        Pass { summary, pools, time, heap: after - before }
    }
}

/// Returns the pass whose time stands in the middle.
fn median(mut passes: Vec<Pass>) -> Pass {
    passes.sort_by_key(|pass| pass.time);
    passes.swap_remove(passes.len() / 2)
}

/// Lays out what both ways found, and what it took them.
fn comparison(pooled: &Pass, plain: &Pass) -> Table<3> {
    let mut table = Table::new(["", "with pools", "without"]);
    let mut row = |name: &str, figure: &dyn Fn(&Pass) -> String| {
        table.row([name.to_owned(), figure(pooled), figure(plain)]);
    };
    row("files", &|pass| grouped(pass.summary.files));
    row("not read", &|pass| grouped(pass.summary.errors.len()));
    row("bytes", &|pass| grouped(pass.summary.bytes));
    row("lines", &|pass| grouped(pass.summary.lines));
    row("words", &|pass| grouped(pass.summary.words));
    row("checksum", &|pass| format!("{:016x}", pass.summary.checksum));
    row("hits", &|pass| grouped(pass.pools.iter().map(|pool| pool.stats.hits).sum::<usize>()));
    row("misses", &|pass| grouped(pass.pools.iter().map(|pool| pool.stats.misses).sum::<usize>()));
    row("allocations", &|pass| grouped(pass.heap.allocations));
    row("bytes allocated", &|pass| grouped(pass.heap.bytes));
    row("time", &|pass| format!("{:.2?}", pass.time));
    table
}

/// Lays out what became of the objects of each pool.
fn pools(pools: &[PoolFigures]) -> Table<6> {
    let mut table = Table::new(["pool", "hits", "misses", "discarded", "idle", "capacity"]);
    for PoolFigures { name, stats, capacity } in pools {
        let discarded = stats.discarded_full + stats.discarded_unfit;
        table.row([
            (*name).to_owned(),
            grouped(stats.hits),
            grouped(stats.misses),
            grouped(discarded),
            grouped(stats.idle),
            grouped(capacity),
        ]);
    }
    table
}

/// Says where a record was set, as seen from `root`.
fn record(record: &Record, unit: &str, root: &Path) -> String {
    let path = record.path.strip_prefix(root).unwrap_or(&record.path);
    format!("{} {unit}, {}", grouped(record.value), path.display())
}
