//! `bp` beside plain allocation, the thread-local floor and its rivals, in one run.
//!
//! Prints what it costs to get a buffer, push one byte and give it back, for several sizes and
//! numbers of threads; what it costs to get a buffer on one thread and give it back on another,
//! and to get one of many; what is kept of a burst; and the ratios that `bp` aims at. Takes about
//! a minute.
//!
//! ```text
//! cargo run --release -p bp-benches --bin compare [-- --quick]
//! ```
//!
//! Whatever the figures are, the exit code is 0: the speed of a machine is not a test.

// Counts and times become ratios here; none comes near the 52 bits that are exact.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod contestants;
mod handover;
mod harness;
mod idle;
mod report;
mod targets;

use std::env;
use std::process::ExitCode;

use bp_benches::record;
use contestants::{
    CAPACITY, Contestant, Deadpool, Floor, Handle, Lockfree, Malloc, ObjectPool, Opool,
    RegexAutomata, ShardedSlab, ShardedSlabOwned, Static,
};
use handover::pass;
use harness::{CORES, Heat, Lane, Load, Plan, cycles};
use idle::{Kept, keep, refill};

const THREADS: [usize; 4] = [1, 2, 4, 16];

/// The size of the objects that are handed over.
const HANDED_OVER: usize = 16 * 1024;

/// The size of the objects that are idle in great number.
const IDLE: usize = 64 * 1024;

const FULL: Plan = Plan { rounds: 7, spare: 6 };

/// Enough to see that everything runs.
const QUICK: Plan = Plan { rounds: 1, spare: 1 };

const USAGE: &str = "usage: compare [--quick]

  --quick  one round instead of several: shows that it runs, the figures mean little";

fn main() -> ExitCode {
    let mut plan = FULL;
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--quick" => plan = QUICK,
            "--help" | "-h" => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            _ => {
                eprintln!("unknown argument: {argument}\n{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    compare(plan);
    ExitCode::SUCCESS
}

/// Runs everything and prints it, each table as soon as it is there.
fn compare(plan: Plan) {
    let (cores, rounds) = (*CORES, plan.rounds);
    let mut all = String::new();
    let mut tell = |text: &str| {
        print!("{text}");
        all.push_str(text);
    };
    tell(&format!(
        "Get a Vec<u8>, push one byte, give it back: ns per operation and core in use, that is\n\
         wall time x min(threads, cores) / operations.\n\
         cores: {cores}   rounds: {rounds}   idle objects kept, where bounded: {CAPACITY}\n\
         one atomic exchange, uncontended: {:.1} ns\n",
        harness::exchange_ns()
    ));

    let mut outcomes = Vec::new();
    for heats in [heats::<8>(), heats::<1024>(), heats::<4096>()] {
        let measured = harness::run(heats, plan);
        tell(&report::cycles(&measured.outcomes));
        tell(&report::doubt(&measured));
        let size = measured.outcomes[0].load.size;
        record::plot(&format!("scaling_{size}"), &report::scaling(&measured.outcomes));
        outcomes.extend(measured.outcomes);
    }

    let mut measured = harness::run(hand_over_heats(), plan);
    let hand_over = measured.outcomes.pop().expect("as many outcomes as heats");
    let title = format!("Hand-over of {HANDED_OVER} B through a ring, ns of wall time per object");
    tell(&report::column(&title, &hand_over));
    tell(&report::doubt(&measured));
    let title = "Get a buffer of 16 KiB on one thread, give it back on another";
    record::plot("hand_over", &report::bars(title, "of wall time", &hand_over));

    let measured = harness::run(vec![idle_heat()], plan);
    let title = format!("Get and fill {IDLE} B, while {CAPACITY} of them are idle, ns");
    tell(&report::column(&title, &measured.outcomes[0]));
    let title = "Get and fill a buffer of 64 KiB, while 1,024 of them are idle";
    record::plot("idle", &report::bars(title, "on one thread", &measured.outcomes[0]));

    let kept = kept();
    let title = format!("MiB kept of a burst of 1000 buffers of {IDLE} B, 8 in use afterwards");
    tell(&report::kept(&title, &kept));
    let title = "Memory kept of a burst of 1,000 buffers of 64 KiB, after two trims";
    record::plot("kept", &report::kept_bars(title, &kept));

    tell(&report::verdicts(&outcomes, &hand_over));
    if plan.rounds == FULL.rounds {
        record::section("compare", &format!("```text\n{all}```"));
    }
}

/// Makes the heats for objects of `SIZE` bytes, one for each number of threads.
fn heats<const SIZE: usize>() -> Vec<Heat>
where
    Static<SIZE>: Contestant,
{
    fn lane<C: Contestant>() -> Lane {
        Lane::new::<C>(cycles::<C>)
    }
    let heat = |threads| {
        let lanes = vec![
            lane::<Handle>(),
            lane::<Static<SIZE>>(),
            lane::<Malloc>(),
            lane::<Floor>(),
            lane::<Opool>(),
            lane::<ObjectPool>(),
            lane::<Lockfree>(),
            lane::<ShardedSlab>(),
            lane::<RegexAutomata>(),
            lane::<Deadpool>(),
        ];
        Heat::new(Load { size: SIZE, threads }, lanes)
    };
    THREADS.map(heat).into()
}

/// Makes the heat for the hand-over, and before it two of the floor, to notice a busy machine.
fn hand_over_heats() -> Vec<Heat> {
    fn lane<C>() -> Lane
    where
        C: Contestant,
        for<'a> C::Guard<'a>: Send,
    {
        Lane::new::<C>(pass::<C>)
    }
    let load = |threads| Load { size: HANDED_OVER, threads };
    let floor = |threads| Heat::new(load(threads), vec![Lane::new::<Floor>(cycles::<Floor>)]);
    let lanes = vec![
        lane::<Handle>(),
        lane::<Static<HANDED_OVER>>(),
        lane::<Malloc>(),
        lane::<Opool>(),
        lane::<ObjectPool>(),
        lane::<Lockfree>(),
        lane::<ShardedSlabOwned>(),
        lane::<RegexAutomata>(),
        lane::<Deadpool>(),
    ];
    vec![floor(1), floor(2), Heat::new(load(2), lanes)]
}

/// Makes the heat for getting from many idle objects.
fn idle_heat() -> Heat {
    fn lane<C: Contestant>() -> Lane {
        Lane::new::<C>(refill::<C>)
    }
    let lanes = vec![
        lane::<Handle>(),
        lane::<Malloc>(),
        lane::<Floor>(),
        lane::<Opool>(),
        lane::<ObjectPool>(),
        lane::<Lockfree>(),
        lane::<ShardedSlab>(),
        lane::<RegexAutomata>(),
        lane::<Deadpool>(),
    ];
    Heat::new(Load { size: IDLE, threads: 1 }, lanes)
}

/// Returns what each contestant keeps of a burst.
fn kept() -> Vec<Kept> {
    vec![
        keep::<Handle>(IDLE),
        keep::<Malloc>(IDLE),
        keep::<Floor>(IDLE),
        keep::<Opool>(IDLE),
        keep::<ObjectPool>(IDLE),
        keep::<Lockfree>(IDLE),
        keep::<ShardedSlab>(IDLE),
        keep::<RegexAutomata>(IDLE),
        keep::<Deadpool>(IDLE),
    ]
}
