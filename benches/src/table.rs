//! A table of what an operation costs: a row for each way to do it, at each size.
//!
//! Each row is timed by criterion, on one thread and then through a pool of
//! workers. What it allocates is counted afterwards.

use std::cell::Cell;
use std::env;
use std::fmt::{self, Display, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Bencher, BenchmarkId, Criterion};

use crate::allocations::{self, Allocated};
use crate::plot::{self, Series};
use crate::{record, workers};

/// The sizes of the Go library's benchmarks, and two at which memory costs more than its bookkeeping.
pub const SIZES: [usize; 4] = [8, 4096, 64 << 10, 1 << 20];

/// The operations over which allocations are counted.
const COUNTED: u64 = 2000;

/// The least jobs for each worker in a sample.
const JOBS: u64 = 20;

/// What one operation costs.
#[derive(Clone, Copy, Debug)]
struct Cost {
    ns: f64,
    bytes: f64,
    allocations: f64,
}

/// What a row is about, beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Objects of so many bytes.
    Bytes(usize),
    /// A use of the object, or nothing that needs a word.
    Use(&'static str),
}

impl From<usize> for What {
    fn from(bytes: usize) -> Self {
        What::Bytes(bytes)
    }
}

impl From<&'static str> for What {
    fn from(use_: &'static str) -> Self {
        What::Use(use_)
    }
}

impl Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            What::Bytes(bytes) if bytes >= 1 << 20 => write!(f, "{} MiB", bytes >> 20),
            What::Bytes(bytes) if bytes > 4096 => write!(f, "{} KiB", bytes >> 10),
            What::Bytes(bytes) => write!(f, "{bytes}"),
            What::Use(text) => f.write_str(text),
        }
    }
}

#[derive(Debug)]
struct Row {
    name: &'static str,
    what: What,
    alone: Option<Cost>,
    through_workers: Option<Cost>,
}

/// A table under way.
#[expect(missing_debug_implementations, reason = "criterion's own type has none")]
pub struct Table {
    name: &'static str,
    title: &'static str,
    workers: usize,
    /// The most operations over which allocations are counted, for slow ones.
    counted: u64,
    criterion: Criterion,
    estimates: PathBuf,
    rows: Vec<Row>,
}

impl Table {
    /// Starts a table whose rows run on one thread.
    pub fn new(name: &'static str, title: &'static str) -> Self {
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
        let estimates = target.join("criterion");
        // Many short samples: what disturbs the machine is brief and rare. Two threads a core
        // and more vary by what the scheduler does, which longer samples average.
        let criterion = Criterion::default()
            .sample_size(25)
            .warm_up_time(Duration::from_millis(150))
            .measurement_time(Duration::from_millis(600))
            .nresamples(1000)
            .output_directory(&estimates)
            .configure_from_args();
        Table { name, title, workers: 0, counted: COUNTED, criterion, estimates, rows: Vec::new() }
    }

    /// Lets the rows run through so many workers as well.
    #[must_use]
    pub fn workers(self, workers: usize) -> Self {
        Table { workers, ..self }
    }

    /// Counts allocations over so many operations only, for those that take long.
    #[must_use]
    pub fn slow(self, counted: u64) -> Self {
        Table { counted, ..self }
    }

    /// Adds a row: times `op` and counts what it allocates.
    pub fn row(&mut self, name: &'static str, what: impl Into<What>, op: impl Fn() + Sync) {
        let what = what.into();
        let size = what.to_string();
        let alone = |times| {
            let start = Instant::now();
            (0..times).for_each(|_| op());
            start.elapsed()
        };
        let counted = || {
            allocations::start();
            (0..self.counted).for_each(|_| op());
            allocations::stop()
        };
        let alone = measure(&mut self.criterion, (self.name, "alone"), name, &size, alone)
            .then(|| self.counted_cost("alone", name, &size, counted()));

        // No fewer jobs than keep all workers busy for a while.
        let least = JOBS * self.workers as u64;
        let through = |times: u64| {
            let jobs = times.max(least);
            let (took, _) = workers::run(self.workers, jobs, false, &op);
            took.mul_f64(times as f64 / jobs as f64)
        };
        let through_workers = self.workers > 0
            && measure(&mut self.criterion, (self.name, "workers"), name, &size, through);
        let through_workers = through_workers.then(|| {
            let (_, allocated) = workers::run(self.workers, self.counted, true, &op);
            self.counted_cost("workers", name, &size, allocated)
        });
        self.rows.push(Row { name, what, alone, through_workers });
    }

    /// Adds a row that does nothing: what the workers cost by themselves.
    pub fn nothing(&mut self) {
        self.row("nothing", "", || ());
    }

    /// Puts criterion's estimate and what was allocated together.
    fn counted_cost(&self, mode: &str, name: &str, size: &str, allocated: Allocated) -> Cost {
        let (group, row, size) = (group(self.name, mode), slug(name), slug(size));
        let path = [&*group, &*row, &*size, "new", "estimates.json"];
        let path = path.iter().fold(self.estimates.clone(), |path, part| path.join(part));
        Cost {
            ns: median(&path),
            bytes: allocated.bytes as f64 / self.counted as f64,
            allocations: allocated.times as f64 / self.counted as f64,
        }
    }

    /// Prints the table and, where results are recorded, records it and its plot.
    ///
    /// Does neither where criterion did not measure: on a test run, or with a filter that left
    /// rows out.
    pub fn finish(self) {
        self.criterion.final_summary();
        if self.rows.iter().any(|row| row.alone.is_none()) {
            return;
        }
        record::plot(self.name, &self.plot());
        let mut body = self.markdown();
        let _ = write!(body, "\n![{}](results/{}.svg)\n", self.title, self.name);
        record::section(self.name, &body);
    }

    fn markdown(&self) -> String {
        let mut text = String::from("| | size | ns/op | B/op | allocs/op |");
        if self.workers > 0 {
            let _ = write!(text, " {} workers: ns/op | B/op | allocs/op |", self.workers);
        }
        text.push_str("\n|---|--:|--:|--:|--:|");
        text.push_str(if self.workers > 0 { "--:|--:|--:|\n" } else { "\n" });
        for row in &self.rows {
            let _ = write!(text, "| {} | {} |", row.name, row.what);
            let costs = if self.workers > 0 {
                &[row.alone, row.through_workers][..]
            } else {
                &[row.alone][..]
            };
            for cost in costs.iter().copied().flatten() {
                let (ns, bytes) = (figure(cost.ns), figure(cost.bytes));
                let _ = write!(text, " {ns} | {bytes} | {} |", figure(cost.allocations));
            }
            text.push('\n');
        }
        text
    }

    /// Draws the rows by size, or as bars where they are about something else.
    fn plot(&self) -> String {
        let rows = || self.rows.iter().filter(|row| row.what != What::Use(""));
        let mut sizes: Vec<What> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for row in rows() {
            if !sizes.contains(&row.what) {
                sizes.push(row.what);
            }
            if !names.contains(&row.name) {
                names.push(row.name);
            }
        }
        if sizes.iter().any(|what| matches!(what, What::Use(_))) {
            let bars: Vec<_> = rows()
                .filter_map(|row| Some((format!("{}: {}", row.name, row.what), row.alone?.ns)))
                .collect();
            let bars: Vec<_> = bars.iter().map(|(name, ns)| (&**name, *ns)).collect();
            return plot::bars(self.title, "per operation, one thread", &bars, plot::time);
        }
        let ns = |name: &str, what: &What| {
            let row = rows().find(|row| row.name == name && row.what == *what)?;
            row.alone.map(|cost| cost.ns)
        };
        let series = names.iter().filter_map(|name| {
            let values: Option<Vec<f64>> = sizes.iter().map(|what| ns(name, what)).collect();
            Some(Series { name: (*name).to_owned(), values: values? })
        });
        let series: Vec<_> = series.collect();
        let sizes: Vec<_> = sizes.iter().map(What::to_string).collect();
        let sizes: Vec<_> = sizes.iter().map(String::as_str).collect();
        plot::lines(self.title, "per operation, one thread; logarithmic", "bytes", &sizes, &series)
    }
}

/// Lets criterion time a row, and says whether it did: not on a test run, or if filtered out.
fn measure(
    criterion: &mut Criterion,
    (table, mode): (&str, &str),
    name: &str,
    size: &str,
    time: impl Fn(u64) -> Duration,
) -> bool {
    let calls = Cell::new(0);
    let mut group = criterion.benchmark_group(group(table, mode));
    let id = BenchmarkId::new(slug(name), slug(size));
    group.bench_function(id, |bencher: &mut Bencher<'_>| {
        bencher.iter_custom(|times| {
            calls.set(calls.get() + 1);
            time(times)
        });
    });
    group.finish();
    // A test run calls once.
    calls.get() > 1
}

/// Returns the median that criterion estimated, in nanoseconds.
fn median(estimates: &Path) -> f64 {
    let text = fs::read_to_string(estimates).expect("criterion wrote what it estimated");
    let json: serde_json::Value = serde_json::from_str(&text).expect("estimates are JSON");
    json["median"]["point_estimate"].as_f64().expect("a median is a number")
}

/// Returns the name of a criterion group.
fn group(table: &str, mode: &str) -> String {
    format!("{table}, {mode}")
}

/// Returns what criterion takes for a file name as it is.
fn slug(text: &str) -> String {
    if text.is_empty() {
        return "-".to_owned();
    }
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    text.chars().map(safe).collect()
}

/// Writes a number with three digits or more, and groups of three.
pub fn figure(value: f64) -> String {
    if value < 0.0005 {
        return "0".to_owned();
    }
    if value < 0.005 {
        return "<0.01".to_owned();
    }
    if value < 9.995 {
        return format!("{value:.2}");
    }
    if value < 99.95 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn figures_have_three_digits_or_more() {
        assert_eq!(figure(0.0), "0");
        assert_eq!(figure(0.002), "<0.01");
        assert_eq!(figure(4.816), "4.82");
        assert_eq!(figure(99.94), "99.9");
        assert_eq!(figure(99.96), "100");
        assert_eq!(figure(1_234_567.8), "1,234,568");
    }
}
