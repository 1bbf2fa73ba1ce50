//! `Crew`: threads that stay, so that a thread which a pool knows is the same from case to case.

use std::cell::RefCell;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

type Work = Box<dyn FnOnce() + Send>;

/// Threads that do what they are given, one thing after another.
pub(super) struct Crew(RefCell<Vec<Worker>>);

struct Worker {
    give: Sender<Work>,
    thread: JoinHandle<()>,
}

/// What a thread was given to do.
pub(super) struct Begun<T>(Receiver<thread::Result<T>>);

impl Worker {
    fn start() -> Self {
        let (give, given) = channel::<Work>();
        let thread = thread::spawn(move || given.into_iter().for_each(|work| work()));
        Worker { give, thread }
    }
}

impl Crew {
    pub(super) fn of(workers: usize) -> Self {
        let crew = Crew(RefCell::new((0..workers).map(|_| Worker::start()).collect()));
        // Pools number threads as they come: one after another here, so that homes are apart.
        for worker in 0..workers {
            crew.on(worker, || drop(bp::BufferPool::new(1, 1).get()));
        }
        crew
    }

    /// Lets a thread end, and another one take its place.
    pub(super) fn replace(&self, worker: usize) {
        let old = mem::replace(&mut self.0.borrow_mut()[worker], Worker::start());
        drop(old.give);
        old.thread.join().expect("catches its panics");
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
        self.0.borrow()[worker].give.send(Box::new(work)).expect("threads stay");
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
