//! Where results go: always to standard output, and with `BP_RECORD` set into `README.md` and
//! `results/` of this crate too, so that no figure there was ever copied by hand.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, thread};

/// Says whether results are to be recorded.
fn records() -> bool {
    env::var_os("BP_RECORD").is_some()
}

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Prints a result, and records it between `<!-- name -->` and `<!-- /name -->` of the README,
/// with the machine, the compiler and the date in front.
///
/// # Panics
///
/// Panics if the README lacks those marks or cannot be written.
pub fn section(name: &str, body: &str) {
    println!("\n{body}");
    if !records() {
        return;
    }
    let path = here().join("README.md");
    let page = fs::read_to_string(&path).expect("the page can be read");
    let open = format!("<!-- {name} -->\n");
    let close = format!("<!-- /{name} -->");
    let (before, rest) = page.split_once(&open).expect("the page has a mark for this result");
    let (_, after) = rest.split_once(&close).expect("the mark is closed");
    let origin = origin();
    let page = format!("{before}{open}{origin}\n\n{}\n{close}{after}", body.trim_end());
    fs::write(path, page).expect("the page can be written");
}

/// Records a plot as `results/name.svg`.
///
/// # Panics
///
/// Panics if the file cannot be written.
pub fn plot(name: &str, svg: &str) {
    if !records() {
        return;
    }
    let directory = here().join("results");
    fs::create_dir_all(&directory).expect("the directory can be made");
    fs::write(directory.join(name).with_extension("svg"), svg).expect("the plot can be written");
}

/// Returns what a figure depends on.
fn origin() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let rustc = rustc.unwrap_or_default();
    // "rustc 1.95.0 (59807616e 2026-04-14)"
    let rustc = rustc.split(" (").next().unwrap_or_default().trim().to_owned();
    format!("{}, {cores} cores, {rustc}, {}:", processor(), today())
}

/// Returns the name of the processor, as far as Linux knows it.
fn processor() -> String {
    let info = fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let field = |name| {
        let mut lines = info.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    };
    match (field("model name"), field("cpu family")) {
        (Some(name), Some(family)) => format!("{name} (family {family})"),
        (Some(name), None) => name.to_owned(),
        (None, _) => env::consts::ARCH.to_owned(),
    }
}

/// Returns the date as `YYYY-MM-DD`, UTC.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// Returns the date that many days after 1970-01-01, by the Gregorian calendar.
fn date(mut days: u64) -> String {
    let leaps = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leaps(year)) {
        days -= 365 + u64::from(leaps(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leaps(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(59), "1970-03-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_787), "2026-11-30");
    }
}
