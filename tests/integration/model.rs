//! Random steps on real pools, held against a model.
//!
//! Two forms. *One after another*: each step is taken by one of four threads, from beginning to end,
//! and every figure and every object is compared after it. *At once*: the threads run freely, and
//! what must hold in any order is looked at meanwhile and at the end.
//!
//! `PROPTEST_CASES` sets how many cases each test takes. A failure shows the shortest plan and steps
//! that were found to fail, and the seed that leads there; nothing is written to files.

mod books;
mod crew;
mod free;
mod piece;
mod plan;
mod serial;
mod subject;

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::BuildHasher;

use proptest::test_runner::{Config, RngSeed, TestRunner};

use self::crew::Crew;
use self::plan::{Plan, Step, WORKERS};
use self::subject::{BytesBySize, Maps, MapsBySize, Pieces, PiecesBySize, Subject};

/// Runs the cases; what fails is made as short as possible.
fn check<S: Subject>(cases: u32, steps: usize, case: impl Fn(&Crew, &Plan, Vec<Step>)) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if let RngSeed::Random = config.rng_seed {
        config.rng_seed = RngSeed::Fixed(RandomState::new().hash_one(cases));
    }
    let seed = config.rng_seed;
    let crew = Crew::of(WORKERS + 1);
    let inputs = (plan::plans(S::CLASSES), plan::steps(steps));
    let done = TestRunner::new(config).run(&inputs, |(plan, steps)| {
        case(&crew, &plan, steps);
        Ok(())
    });
    if let Err(failed) = done {
        panic!("{failed}again with PROPTEST_RNG_SEED={seed}");
    }
}

/// apache/iotdb#4807: counters that drift. Every operation, in random order, against a model.
#[test]
fn case_36_figures_follow_a_model() {
    check::<Pieces>(128, 60, serial::run::<Pieces>);
}

#[test]
fn figures_of_threads_at_once_follow_a_model() {
    check::<Pieces>(64, 120, free::run::<Pieces>);
}

macro_rules! follow_the_model {
    ($($one_after_another:ident, $at_once:ident: $Subject:ident;)*) => {$(
        #[test]
        fn $one_after_another() {
            check::<$Subject>(64, 60, serial::run::<$Subject>);
        }

        #[test]
        fn $at_once() {
            check::<$Subject>(64, 120, free::run::<$Subject>);
        }
    )*};
}

follow_the_model! {
    multi_pools_follow_the_model, multi_pools_used_at_once_follow_the_model: PiecesBySize;
    byte_blocks_follow_the_model, byte_blocks_used_at_once_follow_the_model: BytesBySize;
    mapped_blocks_follow_the_model, mapped_blocks_used_at_once_follow_the_model: Maps;
    mapped_classes_follow_the_model, mapped_classes_used_at_once_follow_the_model: MapsBySize;
}
