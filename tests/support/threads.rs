//! Threads that start at the same moment.

use std::panic::resume_unwind;
use std::sync::{Arc, Barrier};
use std::thread;

/// Does the work on `n` threads at once, and waits for all of them.
///
/// Joins each thread itself: of `thread::scope` the leak checkers report std's own bookkeeping.
///
/// # Panics
///
/// Panics if one of the threads does, when all have ended.
pub fn together(n: usize, work: impl Fn(usize) + Send + Sync + 'static) {
    let shared = Arc::new((work, Barrier::new(n)));
    let threads: Vec<_> = (0..n)
        .map(|at| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (work, start) = &*shared;
                start.wait();
                work(at);
            })
        })
        .collect();
    drop(shared);
    let ends: Vec<_> = threads.into_iter().map(thread::JoinHandle::join).collect();
    if let Some(payload) = ends.into_iter().find_map(Result::err) {
        resume_unwind(payload);
    }
}
