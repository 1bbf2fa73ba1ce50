//! A pool of workers that take jobs from a bounded channel, as the Go benchmarks have it.
//!
//! One thread submits job after job, each of which does the operation once, to workers that wait
//! for them. The channel is part of the figure. It is for everybody alike; the row *nothing* of a
//! table shows what it costs by itself.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::bounded;

use crate::allocations::{self, Allocated};

/// Jobs for each worker before the clock starts: these create the objects and fill caches.
const WARM_UP: usize = 20;

enum Job {
    Work,
    /// Wait for all the others.
    Meet,
}

/// Does `op` so many times on that many workers, and returns how long it took and what it
/// allocated.
///
/// The channel holds as many jobs as there are workers.
///
/// # Panics
///
/// Panics if `op` does.
pub fn run(
    workers: usize,
    jobs: u64,
    counts: bool,
    op: &(impl Fn() + Sync),
) -> (Duration, Allocated) {
    let (submit, inbox) = bounded(workers);
    let met = Barrier::new(workers + 1);
    thread::scope(|scope| {
        let work = || {
            for job in &inbox {
                match job {
                    Job::Work => op(),
                    Job::Meet => _ = met.wait(),
                }
            }
            Instant::now()
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let send = |job| submit.send(job).expect("the inbox is open");
        (0..WARM_UP * workers).for_each(|_| send(Job::Work));
        (0..workers).for_each(|_| send(Job::Meet));
        met.wait();

        if counts {
            allocations::start();
        }
        let start = Instant::now();
        (0..jobs).for_each(|_| send(Job::Work));
        drop(submit);
        let ends = threads.into_iter().map(|thread| thread.join().expect("no job panics"));
        let end = ends.max().unwrap_or(start);
        (end - start, allocations::stop())
    })
}
