//! What a case consists of: the pool that is built, and the steps that are taken on it.

use std::fmt::{self, Debug};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::piece::Moment;

/// How many threads take steps.
pub(super) const WORKERS: usize = 4;

/// A pool to be built.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// One of a plain pool; of a multi pool in ascending order.
    pub(super) classes: Vec<Class>,
    /// The part of each capacity, in quarters.
    pub(super) preload: u8,
    pub(super) by_use: bool,
    /// Whether blocks of bytes are zeroed when they come back.
    pub(super) wipes: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Class {
    pub(super) capacity: usize,
    pub(super) size: usize,
}

/// One step, taken by one thread. Where it says which guard or item, it is that modulo how many
/// there are; where there is none, nothing is done.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) worker: usize,
    pub(super) deed: Deed,
    pub(super) times: usize,
    /// Where the user's code panics, if the step gets there.
    pub(super) panics: Option<Moment>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// Ways to get an object of a size.
    Get(Way, usize),
    /// A user works with what is behind a guard.
    Write {
        guard: usize,
        used: usize,
        held: usize,
        fit: bool,
    },
    /// What becomes of a guard.
    End(Ending, usize),
    /// An item is put.
    Put(usize),
    /// An item is put that comes from elsewhere.
    PutForeign {
        held: usize,
        fit: bool,
    },
    /// An item is dropped.
    DropItem(usize),
    Trim,
    Clear,
    /// The thread uses the pool many times, one object at a time.
    Use {
        size: usize,
        uses: usize,
    },
    /// The thread ends, and another one takes its place.
    ReplaceThread,
    CloneHandle,
    DropHandle {
        even_the_last: bool,
    },
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Get,
    TryGet,
    /// With a closure, which makes what the pool asks for, or as much as was asked of the pool.
    GetWith {
        scant: bool,
    },
    /// With a closure that makes nothing.
    Refused,
    Take,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Drop,
    Release,
    Discard,
    Detach,
    Unwind,
    Forget,
}

impl Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.capacity, self.size)
    }
}

impl Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "on {}: {:?}", self.worker, self.deed)?;
        if self.times != 1 {
            write!(f, " {} times", self.times)?;
        }
        self.panics.map_or(Ok(()), |moment| write!(f, ", panics in {moment:?}"))
    }
}

/// The largest size of a class.
pub(super) const LARGEST: usize = 20_000;

const SIZES: [usize; 8] = [1, 8, 64, 100, 256, 4096, 5000, LARGEST];

/// Plans of pools with up to that many classes.
pub(super) fn plans(classes: usize) -> impl Strategy<Value = Plan> {
    let capacities = || select(&[0, 1, 2, 3, 4, 5, 8, 12, 17, 25, 40, 64][..]);
    let classes = subsequence(&SIZES[..], 1..=classes).prop_flat_map(move |sizes| {
        vec(capacities(), sizes.len()).prop_map(move |capacities| {
            let pairs = sizes.iter().zip(capacities);
            pairs.map(|(&size, capacity)| Class { capacity, size }).collect()
        })
    });
    (classes, select(&[0, 0, 1, 2, 4][..]), any::<bool>(), any::<bool>())
        .prop_map(|(classes, preload, by_use, wipes)| Plan { classes, preload, by_use, wipes })
}

/// Steps of up to four threads.
pub(super) fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 1..most)
}

fn step() -> impl Strategy<Value = Step> {
    let times = prop_oneof![2 => Just(1_usize), 1 => 2..60_usize];
    (0..WORKERS, deed(), times, option::weighted(0.15, moment())).prop_map(
        |(worker, deed, times, panics)| {
            let once = matches!(
                deed,
                Deed::Use { .. }
                    | Deed::ReplaceThread
                    | Deed::End(Ending::Forget, _)
                    | Deed::DropHandle { .. }
                    | Deed::Close
            );
            Step { worker, deed, times: if once { 1 } else { times }, panics }
        },
    )
}

fn deed() -> impl Strategy<Value = Deed> {
    let size = || {
        let near = |size: usize| [size - 1, size, size + 1, 2 * size, size / 4];
        select(SIZES.into_iter().flat_map(near).collect::<Vec<_>>())
    };
    // A few are enough to wear an object out; after the most, a thread is at home.
    let uses = || prop_oneof![2 => 4..12_usize, 1 => Just(1100_usize)];
    let which = || 0..100_usize;
    let fit = || prop::bool::weighted(0.9);
    prop_oneof![
        30 => (way(), size()).prop_map(|(way, size)| Deed::Get(way, size)),
        12 => (which(), size(), size(), fit()).prop_map(|(guard, used, held, fit)| {
            Deed::Write { guard, used, held, fit }
        }),
        26 => (ending(), which()).prop_map(|(ending, which)| Deed::End(ending, which)),
        6 => which().prop_map(Deed::Put),
        8 => (size(), fit()).prop_map(|(held, fit)| Deed::PutForeign { held, fit }),
        2 => which().prop_map(Deed::DropItem),
        12 => Just(Deed::Trim),
        2 => Just(Deed::Clear),
        6 => (size(), uses()).prop_map(|(size, uses)| Deed::Use { size, uses }),
        1 => Just(Deed::ReplaceThread),
        4 => Just(Deed::CloneHandle),
        3 => prop::bool::weighted(0.1).prop_map(|even_the_last| Deed::DropHandle { even_the_last }),
        1 => Just(Deed::Close),
    ]
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        8 => Just(Way::Get),
        2 => Just(Way::TryGet),
        3 => any::<bool>().prop_map(|scant| Way::GetWith { scant }),
        1 => Just(Way::Refused),
        4 => Just(Way::Take),
    ]
}

fn ending() -> impl Strategy<Value = Ending> {
    prop_oneof![
        12 => Just(Ending::Drop),
        4 => Just(Ending::Release),
        2 => Just(Ending::Discard),
        3 => Just(Ending::Detach),
        1 => Just(Ending::Unwind),
        1 => Just(Ending::Forget),
    ]
}

fn moment() -> impl Strategy<Value = Moment> {
    use Moment::{Closure, Create, Dispose, Drop, Fit, Keep, Measure, Reset};
    select(&[Create, Closure, Fit, Keep, Measure, Reset, Dispose, Drop][..])
}
