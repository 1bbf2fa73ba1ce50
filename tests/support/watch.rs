//! Work that must panic, and work that must end.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Does work that must panic, and returns the message.
///
/// # Panics
///
/// Panics if the work does not.
#[track_caller]
pub fn panic_of<T>(work: impl FnOnce() -> T) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(work)) else {
        panic!("should have panicked");
    };
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => (*payload.downcast::<&'static str>().expect("a message")).to_owned(),
    }
}

/// Does work that may never end if the pool has a fault; gives up on it after a long while.
///
/// # Panics
///
/// Panics if the work does, or does not end.
pub fn must_end(work: impl FnOnce() + Send + 'static) {
    let (done, ended) = channel();
    let worker = thread::spawn(move || {
        work();
        // Nobody waits any more where it took too long.
        let _ = done.send(());
    });
    // No test of speed: so long only what waits for ever takes.
    match ended.recv_timeout(Duration::from_mins(2)) {
        Ok(()) => worker.join().expect("has ended"),
        Err(RecvTimeoutError::Disconnected) => {
            resume_unwind(worker.join().expect_err("ended without a word"))
        }
        Err(RecvTimeoutError::Timeout) => panic!("waits for ever"),
    }
}
