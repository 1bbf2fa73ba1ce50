//! Figures of pools in the text form that Prometheus reads.

use std::fmt::{self, Display};
use std::io::Write;

use bp::{AnyPool, PoolStats};

/// A metric: its name, its type, what it says, and its value for a pool by the rest of its labels.
struct Metric {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    /// The label that tells the values of one pool apart; none where there is one value.
    label: Option<&'static str>,
    values: fn(&dyn AnyPool, &PoolStats) -> Vec<(&'static str, usize)>,
}

const METRICS: [Metric; 7] = [
    Metric {
        name: "bp_pool_gets_total",
        kind: "counter",
        help: "Objects handed out, by whether they were reused or had to be created.",
        label: Some("result"),
        values: |_, stats| vec![("hit", stats.hits), ("miss", stats.misses)],
    },
    Metric {
        name: "bp_pool_stored_total",
        kind: "counter",
        help: "Objects that became idle, by where they came from.",
        label: Some("from"),
        values: |_, stats| {
            vec![("preload", stats.preloaded), ("put", stats.put), ("guard", stats.returned)]
        },
    },
    Metric {
        name: "bp_pool_dropped_total",
        kind: "counter",
        help: "Objects that were dropped, by the reason.",
        label: Some("reason"),
        values: |_, stats| {
            vec![
                ("full", stats.discarded_full),
                ("unfit", stats.discarded_unfit),
                ("panic", stats.discarded_panic),
                ("closed", stats.discarded_closed),
                ("discard", stats.discarded_by_user),
                ("trim", stats.trimmed),
                ("clear", stats.cleared),
            ]
        },
    },
    Metric {
        name: "bp_pool_idle",
        kind: "gauge",
        help: "Objects that wait in the pool.",
        label: None,
        values: |_, stats| vec![("", stats.idle)],
    },
    Metric {
        name: "bp_pool_idle_bytes",
        kind: "gauge",
        help: "Bytes that the idle objects hold, where the pool can tell.",
        label: None,
        values: |_, stats| vec![("", stats.bytes_idle)],
    },
    Metric {
        name: "bp_pool_in_use",
        kind: "gauge",
        help: "Objects behind guards.",
        label: None,
        values: |_, stats| vec![("", stats.in_use)],
    },
    Metric {
        name: "bp_pool_capacity",
        kind: "gauge",
        help: "The most objects that the pool keeps idle.",
        label: None,
        values: |pool, _| vec![("", pool.capacity())],
    },
];

/// Appends the figures of these pools, each under its name.
pub(crate) fn write(page: &mut Vec<u8>, pools: &[(&str, &dyn AnyPool)]) {
    try_write(page, pools).expect("a `Vec` takes all");
}

fn try_write(page: &mut Vec<u8>, pools: &[(&str, &dyn AnyPool)]) -> std::io::Result<()> {
    // Once per pool, so that the figures of a pool are of one moment.
    let stats: Vec<_> = pools.iter().map(|(_, pool)| pool.stats()).collect();
    for Metric { name, kind, help, label, values } in METRICS {
        writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
        for ((pool_name, pool), stats) in pools.iter().zip(&stats) {
            for (value_of_label, value) in values(*pool, stats) {
                write!(page, "{name}{{pool=\"{}\"", Escaped(pool_name))?;
                if let Some(label) = label {
                    write!(page, ",{label}=\"{value_of_label}\"")?;
                }
                writeln!(page, "}} {value}")?;
            }
        }
    }
    Ok(())
}

/// A label's value, in which three characters are written with a backslash.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            match char {
                '\\' => f.write_str("\\\\")?,
                '"' => f.write_str("\\\"")?,
                '\n' => f.write_str("\\n")?,
                char => write!(f, "{char}")?,
            }
        }
        Ok(())
    }
}
