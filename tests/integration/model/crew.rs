//! `Crew`: threads that stay, so that a thread which a pool knows is the same in every case.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

type Work = Box<dyn FnOnce() + Send>;

/// Threads that do what they are given, one thing after another.
pub(super) struct Crew(Vec<Sender<Work>>);

/// What a thread was given to do.
pub(super) struct Begun<T>(Receiver<thread::Result<T>>);

impl Crew {
    pub(super) fn of(workers: usize) -> Self {
        let start = |_| {
            let (give, given) = channel::<Work>();
            thread::spawn(move || given.into_iter().for_each(|work| work()));
            give
        };
        let crew = Crew((0..workers).map(start).collect());
        // Pools number threads as they come: one after another here, so that homes are apart.
        for worker in 0..workers {
            crew.on(worker, || drop(bp::BufferPool::new(1, 1).get()));
        }
        crew
    }

    /// Lets a thread begin something.
    pub(super) fn begin<T: Send + 'static>(
        &self,
        worker: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Begun<T> {
        let (tell, told) = channel();
        let work = move || {
            // Nobody listens any more where another thread has failed.
            let _ = tell.send(catch_unwind(AssertUnwindSafe(work)));
        };
        self.0[worker].send(Box::new(work)).expect("threads stay");
        Begun(told)
    }

    /// Does something on a thread, from beginning to end.
    pub(super) fn on<T: Send + 'static>(
        &self,
        worker: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        self.begin(worker, work).end()
    }
}

impl<T> Begun<T> {
    /// Waits for it; a panic goes on here.
    pub(super) fn end(self) -> T {
        self.outcome().unwrap_or_else(|payload| resume_unwind(payload))
    }

    /// Waits for it; a panic is what came of it.
    pub(super) fn outcome(self) -> thread::Result<T> {
        self.0.recv().expect("threads catch their panics")
    }
}
