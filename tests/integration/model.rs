//! Random steps on real pools, held against a model.
//!
//! Two forms. *One after another*: each step is taken by one of four threads, from beginning to end,
//! and every figure and every object is compared after it. *At once*: the threads run freely, and
//! what must hold in any order is looked at meanwhile and at the end.
//!
//! `PROPTEST_CASES` sets how many cases each test takes. A failure shows the shortest plan and steps
//! that were found to fail; nothing is written to files.

mod books;
mod crew;
mod piece;
mod plan;
mod serial;
mod subject;

use std::env;

use proptest::test_runner::{Config, TestRunner};

use self::crew::Crew;
use self::plan::{Plan, Step, WORKERS};
use self::subject::{BytesBySize, Maps, MapsBySize, Pieces, PiecesBySize, Subject};

/// Runs the cases; what fails is made as short as possible.
fn check<S: Subject>(cases: u32, steps: usize, case: impl Fn(&Crew, &Plan, Vec<Step>)) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    let crew = Crew::of(WORKERS + 1);
    let cases = (plan::plans(S::CLASSES), plan::steps(steps));
    let done = TestRunner::new(config).run(&cases, |(plan, steps)| {
        case(&crew, &plan, steps);
        Ok(())
    });
    if let Err(failed) = done {
        panic!("{failed}");
    }
}

/// apache/iotdb#4807: counters that drift. Every operation, in random order, against a model.
#[test]
fn case_36_figures_follow_a_model() {
    check::<Pieces>(64, 60, serial::run::<Pieces>);
}

#[test]
fn multi_pools_follow_the_model() {
    check::<PiecesBySize>(64, 60, serial::run::<PiecesBySize>);
}

#[test]
fn byte_blocks_follow_the_model() {
    check::<BytesBySize>(32, 60, serial::run::<BytesBySize>);
}

#[test]
fn mapped_blocks_follow_the_model() {
    check::<Maps>(32, 60, serial::run::<Maps>);
}

#[test]
fn mapped_blocks_of_many_sizes_follow_the_model() {
    check::<MapsBySize>(32, 60, serial::run::<MapsBySize>);
}
