//! Cross-thread hand-over: one thread gets the objects, another gives them back.
//!
//! The guards travel through the same bounded ring for everyone, and their way through it is part
//! of every figure. A thread-local stack cannot take part: the thread that gets would never see
//! an object again.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use crossbeam_queue::ArrayQueue;
use crossbeam_utils::Backoff;

use crate::contestants::Contestant;
use crate::harness::{Load, Timing, settle};

/// The guards that the ring holds.
const RING: usize = 64;

/// Passes `ops` objects from one thread to another, each with one byte pushed.
///
/// The time for one is wall ÷ objects: two cores work on each object for about that long.
pub(crate) fn pass<C>(load: Load, ops: u64) -> Timing
where
    C: Contestant,
    for<'a> C::Guard<'a>: Send,
{
    let pool = C::new(load.size);
    let ring = ArrayQueue::new(RING);
    let barrier = Barrier::new(2);
    let spans = thread::scope(|scope| {
        let giver = scope.spawn(|| {
            settle(0, 2);
            barrier.wait();
            let start = Instant::now();
            for _ in 0..ops {
                let mut object = pool.get();
                object.push(1);
                let backoff = Backoff::new();
                while let Err(refused) = ring.push(object) {
                    object = refused;
                    backoff.snooze();
                }
            }
            (start, Instant::now())
        });
        let taker = scope.spawn(|| {
            settle(1, 2);
            barrier.wait();
            let start = Instant::now();
            for _ in 0..ops {
                let backoff = Backoff::new();
                let mut object = loop {
                    match ring.pop() {
                        Some(object) => break object,
                        None => backoff.snooze(),
                    }
                };
                black_box::<&mut Vec<u8>>(&mut object);
            }
            (start, Instant::now())
        });
        [giver, taker].map(|worker| worker.join().expect("no contestant panics"))
    });
    Timing::over(&spans, ops as f64)
}
