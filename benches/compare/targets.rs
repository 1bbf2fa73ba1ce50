//! What `bp` aims at, as ratios within one run of the benchmark, and whether it got there.
//!
//! Ratios carry over between machines where nanoseconds do not. They were set for two cores.

use std::fmt::{self, Display};

use crate::contestants::Role;
use crate::harness::{Load, Outcome};

/// The roles to hold `bp` against, in the order of the columns.
pub(crate) const AGAINST: [Role; 3] = [Role::Malloc, Role::Rival, Role::Floor];

/// The most that a hand-over may cost, as a multiple of the fastest rival's.
const HAND_OVER: f64 = 1.0;

/// Returns the most that get + push + drop may cost, as a multiple of what `against` costs.
fn at_most(against: Role, Load { size, threads }: Load) -> f64 {
    match (against, threads) {
        // The larger the object, the more of a plain allocation is saved.
        (Role::Malloc, 1 | 2) => by_size(size, [0.75, 0.70, 0.35]),
        (Role::Malloc, _) => by_size(size, [0.90, 0.85, 0.40]),
        // On one thread some rivals pay for little more than their stack.
        (Role::Rival, 1) => 1.05,
        (Role::Rival, _) => 0.60,
        // Sharing and the bound are not for nothing.
        (Role::Floor, 1) => 1.60,
        (Role::Floor, _) => 2.0,
        (Role::Bp, _) => unreachable!("`bp` is not held against itself"),
    }
}

/// Picks the value for up to 8 bytes, up to 1 KiB, or more.
fn by_size(size: usize, [tiny, small, page]: [f64; 3]) -> f64 {
    match size {
        0..=8 => tiny,
        9..=1024 => small,
        _ => page,
    }
}

/// One ratio beside its target.
#[derive(Debug)]
pub(crate) struct Verdict {
    /// Whom the ratio is against.
    pub(crate) against: &'static str,
    /// Rounded to the two decimals that are printed, so that print and verdict agree.
    ratio: f64,
    at_most: f64,
}

impl Verdict {
    /// Holds `ns` against the fastest contestant in the role `against`.
    pub(crate) fn cycle(ns: f64, against: Role, outcome: &Outcome) -> Option<Verdict> {
        Self::new(ns, against, outcome, at_most(against, outcome.load))
    }

    /// Holds the `ns` of a hand-over against the fastest rival.
    pub(crate) fn hand_over(ns: f64, outcome: &Outcome) -> Option<Verdict> {
        Self::new(ns, Role::Rival, outcome, HAND_OVER)
    }

    fn new(ns: f64, against: Role, outcome: &Outcome, at_most: f64) -> Option<Verdict> {
        let other = outcome.fastest(against)?;
        let ratio = (100.0 * ns / other.ns).round() / 100.0;
        Some(Verdict { against: other.name, ratio, at_most })
    }

    /// Says whether the target is met.
    pub(crate) fn met(&self) -> bool {
        self.ratio <= self.at_most
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, verdict) = if self.met() { ('≤', "met") } else { ('>', "MISSED") };
        let text = format!("{:.2} {sign} {:.2} {verdict}", self.ratio, self.at_most);
        f.pad(&text)
    }
}
