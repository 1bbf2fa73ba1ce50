//! How things are timed: threads, the length of a run, rounds and medians.
//!
//! A *run* is one contestant under one load, with a fresh pool and fresh threads, timed from the
//! first thread's start to the last one's end. A *heat* is all contestants under one load. A
//! *round* is one run of everybody in every heat, each time starting with another contestant, so
//! that whatever disturbs the machine for a while disturbs all alike. What is reported is the
//! median over the rounds.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use core_affinity::CoreId;

use crate::contestants::{Contestant, Role};

/// The least time a run takes where no core has more than one thread.
const RUN: Duration = Duration::from_millis(10);

/// The operations of a thread before its clock starts: these create its objects and fill caches.
const WARM_UP: u64 = 1000;

/// Where the floor costs this many times more on two threads than on one, something else is
/// using a core: the floor shares nothing.
const BUSY: f64 = 1.5;

/// How long to wait for a busy machine.
const PAUSE: Duration = Duration::from_millis(300);

/// The cores that this process may use.
pub(crate) static CORES: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));

/// Those cores, as far as the platform tells them apart.
static CORE_IDS: LazyLock<Vec<CoreId>> =
    LazyLock::new(|| core_affinity::get_core_ids().unwrap_or_default());

/// Keeps the calling thread, number `at` of so many, on a core of its own, if there are enough.
///
/// Left alone, two new threads are now and then put on the same core for as long as a run lasts.
/// Then they take turns, and what they share costs them nothing.
pub(crate) fn settle(at: usize, threads: usize) {
    if threads <= *CORES
        && let Some(&id) = CORE_IDS.get(at)
    {
        // Where it fails, the scheduler decides after all.
        let _ = core_affinity::set_for_current(id);
    }
}

/// What a run does: objects of how many bytes, on how many threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) size: usize,
    pub(crate) threads: usize,
}

impl Load {
    /// Returns the least time a run takes.
    ///
    /// Longer where threads share a core, so that each also outlasts a few turns of the scheduler
    /// and is stopped between a get and a return now and then.
    fn least_run(self) -> Duration {
        let threads_per_core = (self.threads / *CORES).clamp(1, 3);
        RUN * u32::try_from(threads_per_core).expect("at most 3")
    }
}

/// Times so many operations on every thread.
type Run = fn(Load, u64) -> Timing;

/// What a run took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    wall: Duration,
    ns_per_op: f64,
}

/// Gets an object, pushes one byte and gives it back, `ops` times on every thread.
///
/// The time for one operation is per core in use, wall × min(threads, cores) ÷ operations: what
/// one operation keeps a core from doing anything else, whatever the number of threads.
pub(crate) fn cycles<C: Contestant>(load: Load, ops: u64) -> Timing {
    let pool = C::new(load.size);
    let barrier = Barrier::new(load.threads);
    let work = &|at| {
        settle(at, load.threads);
        (0..WARM_UP).for_each(|_| cycle(&pool));
        barrier.wait();
        let start = Instant::now();
        (0..ops).for_each(|_| cycle(&pool));
        (start, Instant::now())
    };
    let spans: Vec<_> = thread::scope(|scope| {
        let start = |at| scope.spawn(move || work(at));
        let workers: Vec<_> = (0..load.threads).map(start).collect();
        workers.into_iter().map(|worker| worker.join().expect("no contestant panics")).collect()
    });
    let cores = load.threads.min(*CORES);
    Timing::over(&spans, ops as f64 * load.threads as f64 / cores as f64)
}

/// The operation that is measured.
#[inline]
fn cycle<C: Contestant>(pool: &C) {
    let mut object = pool.get();
    object.push(1);
    black_box::<&mut Vec<u8>>(&mut object);
}

impl Timing {
    /// Returns the time from the first start to the last end, for all and for each of `ops`.
    pub(crate) fn over(spans: &[(Instant, Instant)], ops: f64) -> Timing {
        let start = spans.iter().map(|span| span.0).min().expect("a thread or more");
        let end = spans.iter().map(|span| span.1).max().expect("a thread or more");
        let wall = end - start;
        Timing { wall, ns_per_op: wall.as_secs_f64() * 1e9 / ops }
    }
}

/// One contestant under one load.
pub(crate) struct Lane {
    name: &'static str,
    role: Role,
    run: Run,
    /// Operations that last took at least as long as a run must, but not much longer.
    ops: u64,
    /// Nanoseconds per operation, a sample for each round.
    samples: Vec<f64>,
}

impl Lane {
    /// Makes a lane for `C`, whose runs are `run::<C>`.
    pub(crate) fn new<C: Contestant>(run: Run) -> Lane {
        Lane { name: C::NAME, role: C::ROLE, run, ops: WARM_UP, samples: Vec::new() }
    }

    /// Adds a sample, adapting the number of operations until the run is long enough.
    fn sample(&mut self, load: Load) {
        let least = load.least_run();
        loop {
            let Timing { wall, ns_per_op } = (self.run)(load, self.ops);
            let short = wall < least;
            if short || wall > 2 * least {
                // A quarter above the least. A very short run tells little: go in steps.
                let scale = 1.25 * least.as_secs_f64() / wall.as_secs_f64();
                self.ops = (self.ops as f64 * scale.min(100.0)).ceil() as u64;
            }
            if !short {
                return self.samples.push(ns_per_op);
            }
        }
    }
}

/// All contestants under one load.
pub(crate) struct Heat {
    pub(crate) load: Load,
    lanes: Vec<Lane>,
}

impl Heat {
    pub(crate) fn new(load: Load, lanes: Vec<Lane>) -> Heat {
        Heat { load, lanes }
    }

    /// Runs everybody once, starting with another contestant in each round.
    fn run(&mut self, round: usize) {
        let first = round % self.lanes.len();
        let (last, next) = self.lanes.split_at_mut(first);
        for lane in next.iter_mut().chain(last) {
            lane.sample(self.load);
        }
    }

    /// Takes back what the last round added.
    fn forget(&mut self) {
        for lane in &mut self.lanes {
            lane.samples.pop();
        }
    }

    /// Returns what the floor cost in the last round, if these are runs of `threads` threads.
    fn floor(&self, threads: usize) -> Option<f64> {
        let floor = self.lanes.iter().find(|lane| lane.role == Role::Floor)?;
        floor.samples.last().copied().filter(|_| self.load.threads == threads)
    }

    /// Returns the medians.
    fn finish(self) -> Outcome {
        let medians = self.lanes.into_iter().map(|lane| Median {
            name: lane.name,
            role: lane.role,
            ns: median(lane.samples),
        });
        Outcome { load: self.load, medians: medians.collect() }
    }
}

/// How many rounds to run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The rounds that count.
    pub(crate) rounds: usize,
    /// The rounds that may be broken off because the machine is busy.
    pub(crate) spare: usize,
}

/// What the heats came to.
pub(crate) struct Measured {
    pub(crate) outcomes: Vec<Outcome>,
    /// The rounds that count although the machine was busy, as none was left to spare.
    pub(crate) doubtful: usize,
}

/// Runs rounds of all heats. Where the machine is busy it says so and tries again after a pause,
/// as far as the plan has rounds to spare.
pub(crate) fn run(mut heats: Vec<Heat>, plan: Plan) -> Measured {
    let (mut kept, mut spare, mut doubtful) = (0, plan.spare, 0);
    while kept < plan.rounds {
        let mut quiet = true;
        for at in 0..heats.len() {
            heats[at].run(kept);
            quiet = !busy(&heats[..=at]);
            if !quiet && spare > 0 {
                heats[..=at].iter_mut().for_each(Heat::forget);
                break;
            }
        }
        if quiet || spare == 0 {
            kept += 1;
            doubtful += usize::from(!quiet);
        } else {
            eprintln!("machine busy, trying again");
            spare -= 1;
            thread::sleep(PAUSE);
        }
    }
    Measured { outcomes: heats.into_iter().map(Heat::finish).collect(), doubtful }
}

/// Says whether something else was using the machine, by the last sample of the floor on one
/// thread and on two.
fn busy(heats: &[Heat]) -> bool {
    let floor = |threads| heats.iter().find_map(|heat| heat.floor(threads));
    floor(1).zip(floor(2)).is_some_and(|(one, two)| two > BUSY * one)
}

/// Returns what an atomic exchange costs on memory that no other thread touches, in nanoseconds.
///
/// An ordinary lock needs one for a get and one for a return, plain allocation and the floor need
/// none: how pools compare with those depends on it, and so on the processor.
pub(crate) fn exchange_ns() -> f64 {
    const EXCHANGES: u32 = 100_000;
    let lock = AtomicBool::new(false);
    let sample = |_| {
        let start = Instant::now();
        for _ in 0..EXCHANGES {
            // Acquire, as a lock is taken; no other thread is there to pair with.
            black_box(&lock).swap(true, Ordering::Acquire);
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(EXCHANGES)
    };
    median((0..9).map(sample).collect())
}

/// Returns the middle sample, or the mean of the two in the middle.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 {
        samples[middle]
    } else {
        f64::midpoint(samples[middle - 1], samples[middle])
    }
}

/// The medians of all contestants under one load.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) load: Load,
    pub(crate) medians: Vec<Median>,
}

/// What an operation costs one contestant.
#[derive(Debug)]
pub(crate) struct Median {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) ns: f64,
}

impl Outcome {
    /// Returns the contestants in that role.
    pub(crate) fn in_role(&self, role: Role) -> impl Iterator<Item = &Median> {
        self.medians.iter().filter(move |median| median.role == role)
    }

    /// Returns the fastest in that role.
    pub(crate) fn fastest(&self, role: Role) -> Option<&Median> {
        self.in_role(role).min_by(|a, b| a.ns.total_cmp(&b.ns))
    }
}
