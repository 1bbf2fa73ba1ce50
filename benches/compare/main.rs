//! `bp` beside plain allocation, the thread-local floor and its rivals, in one run.
//!
//! Prints what it costs to get a buffer, push one byte and give it back, for several sizes and
//! numbers of threads; what it costs to get a buffer on one thread and give it back on another;
//! and the ratios that `bp` aims at. Takes less than a minute.
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
mod targets;

use std::env;
use std::process::ExitCode;

use contestants::{
    CAPACITY, Contestant, Deadpool, Floor, Handle, Lockfree, Malloc, ObjectPool, Opool,
    RegexAutomata, Role, ShardedSlab, ShardedSlabOwned, Static,
};
use handover::pass;
use harness::{CORES, Heat, Lane, Load, Measured, Outcome, Plan, cycles};
use targets::{AGAINST, Verdict};

const THREADS: [usize; 4] = [1, 2, 4, 16];

/// The size of the objects that are handed over.
const HANDED_OVER: usize = 16 * 1024;

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
    println!(
        "Get a Vec<u8>, push one byte, give it back: ns per operation and core in use, that is"
    );
    println!("wall time x min(threads, cores) / operations.");
    println!("cores: {cores}   rounds: {rounds}   idle objects kept, where bounded: {CAPACITY}");
    println!("one atomic exchange, uncontended: {:.1} ns", harness::exchange_ns());

    let mut outcomes = Vec::new();
    for heats in [heats::<8>(), heats::<1024>(), heats::<4096>()] {
        let measured = harness::run(heats, plan);
        print_cycles(&measured.outcomes);
        print_doubt(&measured);
        outcomes.extend(measured.outcomes);
    }
    let mut measured = harness::run(hand_over_heats(), plan);
    let hand_over = measured.outcomes.pop().expect("as many outcomes as heats");
    print_hand_over(&hand_over);
    print_doubt(&measured);
    print_verdicts(&outcomes, &hand_over);
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

/// Prints the outcomes of one size: a row for each contestant, a column for each load.
fn print_cycles(outcomes: &[Outcome]) {
    print!("\n{:<22}", format!("{} B", outcomes[0].load.size));
    for outcome in outcomes {
        print!("{:>12}", threads(outcome.load));
    }
    println!();
    for (row, median) in outcomes[0].medians.iter().enumerate() {
        print!("{:<22}", median.name);
        for outcome in outcomes {
            print!("{:>12.1}", outcome.medians[row].ns);
        }
        println!();
    }
}

fn print_hand_over(outcome: &Outcome) {
    println!("\nHand-over of {HANDED_OVER} B through a ring, ns of wall time per object");
    for median in &outcome.medians {
        println!("{:<22}{:>12.1}", median.name, median.ns);
    }
}

/// Says how many of the rounds above had to share the machine.
fn print_doubt(measured: &Measured) {
    if measured.doubtful > 0 {
        println!("machine busy in {} of these rounds: the figures are doubtful", measured.doubtful);
    }
}

/// Prints every ratio that has a target, and how many were met.
fn print_verdicts(cycles: &[Outcome], hand_over: &Outcome) {
    let (mut all, mut met) = (0, 0);
    let mut count = |verdict: &Verdict| {
        all += 1;
        met += usize::from(verdict.met());
    };

    println!("\nRatios: what bp costs, divided by what the other costs");
    println!("{:<32}{:<22}{:<22}{:<22}the rival", "", "to malloc", "to fastest rival", "to floor");
    for outcome in cycles {
        for bp in outcome.in_role(Role::Bp) {
            let load = outcome.load;
            print!("{:<32}", format!("{} B, {}, {}", load.size, threads(load), bp.name));
            for role in AGAINST {
                let verdict = Verdict::cycle(bp.ns, role, outcome).expect("every role is filled");
                count(&verdict);
                print!("{verdict:<22}");
            }
            println!("{}", outcome.fastest(Role::Rival).map_or("", |rival| rival.name));
        }
    }
    for bp in hand_over.in_role(Role::Bp) {
        let verdict = Verdict::hand_over(bp.ns, hand_over).expect("there are rivals");
        count(&verdict);
        let what = format!("hand-over, {}", bp.name);
        println!("{what:<32}{:<22}{verdict:<44}{}", "", verdict.against);
    }
    println!("\n{met} of {all} targets met");
}

fn threads(load: Load) -> String {
    match load.threads {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}
