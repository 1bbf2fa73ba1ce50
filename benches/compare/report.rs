//! What is printed and drawn of the outcomes.

use std::fmt::Write;

use bp_benches::plot::{self, Series};

use crate::contestants::Role;
use crate::harness::{Load, Measured, Outcome};
use crate::idle::Kept;
use crate::targets::{AGAINST, Verdict};

/// Returns the outcomes of one size: a row for each contestant, a column for each load.
pub(crate) fn cycles(outcomes: &[Outcome]) -> String {
    let mut text = format!("\n{:<22}", format!("{} B", outcomes[0].load.size));
    for outcome in outcomes {
        let _ = write!(text, "{:>12}", threads(outcome.load));
    }
    text.push('\n');
    for (row, median) in outcomes[0].medians.iter().enumerate() {
        let _ = write!(text, "{:<22}", median.name);
        for outcome in outcomes {
            let _ = write!(text, "{:>12.1}", outcome.medians[row].ns);
        }
        text.push('\n');
    }
    text
}

/// Draws what a use costs each contestant, by the number of threads.
pub(crate) fn scaling(outcomes: &[Outcome]) -> String {
    let size = outcomes[0].load.size;
    let places: Vec<_> = outcomes.iter().map(|outcome| outcome.load.threads.to_string()).collect();
    let places: Vec<_> = places.iter().map(String::as_str).collect();
    let series = outcomes[0].medians.iter().enumerate().map(|(row, median)| Series {
        name: median.name.to_owned(),
        values: outcomes.iter().map(|outcome| outcome.medians[row].ns).collect(),
    });
    // The static pool runs with the handle's line.
    let series: Vec<_> = series.filter(|series| series.name != "bp, static").collect();
    let title = format!("Get a buffer of {size} bytes, push one byte, give it back");
    let unit = "per operation and core in use; logarithmic";
    plot::lines(&title, unit, "threads", &places, &series)
}

/// Draws one outcome as bars.
pub(crate) fn bars(title: &str, unit: &str, outcome: &Outcome) -> String {
    let bars: Vec<_> = outcome.medians.iter().map(|median| (median.name, median.ns)).collect();
    plot::bars(title, unit, &bars, plot::time)
}

/// Returns an outcome as a column.
pub(crate) fn column(title: &str, outcome: &Outcome) -> String {
    let mut text = format!("\n{title}\n");
    for median in &outcome.medians {
        let _ = writeln!(text, "{:<22}{:>12.1}", median.name, median.ns);
    }
    text
}

/// Returns the memory that was kept.
pub(crate) fn kept(title: &str, all: &[Kept]) -> String {
    let mut text = format!("\n{title}\n{:<22}{:>12}{:>16}\n", "", "after burst", "after 2 trims");
    for kept in all {
        let (burst, trims) = (mebibytes(kept.after_burst), mebibytes(kept.after_trims));
        let _ = writeln!(text, "{:<22}{burst:>12.1}{trims:>16.1}", kept.name);
    }
    text
}

/// Draws the memory that was kept in the end.
pub(crate) fn kept_bars(title: &str, all: &[Kept]) -> String {
    let bars: Vec<_> = all.iter().map(|kept| (kept.name, mebibytes(kept.after_trims))).collect();
    plot::bars(title, "MiB", &bars, |mebibytes| format!("{mebibytes:.1}"))
}

/// Rounded to the tenth that is printed, and without a sign before 0.
fn mebibytes(bytes: i64) -> f64 {
    (bytes.max(0) as f64 / f64::from(1 << 20) * 10.0).round() / 10.0
}

/// Says how many of the rounds above had to share the machine.
pub(crate) fn doubt(measured: &Measured) -> String {
    match measured.doubtful {
        0 => String::new(),
        rounds => format!("machine busy in {rounds} of these rounds: the figures are doubtful\n"),
    }
}

/// Returns every ratio that has a target, and how many were met.
pub(crate) fn verdicts(cycles: &[Outcome], hand_over: &Outcome) -> String {
    let (mut all, mut met) = (0, 0);
    let mut count = |verdict: &Verdict| {
        all += 1;
        met += usize::from(verdict.met());
    };

    let mut text = "\nRatios: what bp costs, divided by what the other costs\n".to_owned();
    let columns = ["", "to malloc", "to fastest rival", "to floor"];
    let [first, malloc, rival, floor] = columns;
    let _ = writeln!(text, "{first:<32}{malloc:<22}{rival:<22}{floor:<22}the rival");
    for outcome in cycles {
        for bp in outcome.in_role(Role::Bp) {
            let load = outcome.load;
            let what = format!("{} B, {}, {}", load.size, threads(load), bp.name);
            let _ = write!(text, "{what:<32}");
            for role in AGAINST {
                let verdict = Verdict::cycle(bp.ns, role, outcome).expect("every role is filled");
                count(&verdict);
                let _ = write!(text, "{verdict:<22}");
            }
            let rival = outcome.fastest(Role::Rival).map_or("", |rival| rival.name);
            let _ = writeln!(text, "{rival}");
        }
    }
    for bp in hand_over.in_role(Role::Bp) {
        let verdict = Verdict::hand_over(bp.ns, hand_over).expect("there are rivals");
        count(&verdict);
        let what = format!("hand-over, {}", bp.name);
        let _ = writeln!(text, "{what:<32}{:<22}{verdict:<44}{}", "", verdict.against);
    }
    let _ = writeln!(text, "\n{met} of {all} targets met");
    text
}

fn threads(load: Load) -> String {
    match load.threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}
