//! `time.Timer` of the Go library: arm a timer with 1 ms and wait for it. Before that, what
//! timeouts are mostly for: one that is armed and not reached.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bp::{Timer, TimerPool};
use bp_benches::per_thread::PerThread;
use bp_benches::table::Table;
use crossbeam_channel::{Receiver, after};

#[macro_use]
mod armed;

const WORKERS: usize = 100;

armed_rows!(TimerPool, Timer, after);

fn main() {
    let title = "Arm a timer, wait for it or not, give it back";
    let mut table = Table::new("timers", title).workers(WORKERS).slow(500);
    rows(&mut table, "30 s, not reached", Duration::from_secs(30), |receiver| {
        black_box(receiver);
    });
    rows(&mut table, "1 ms, waited for", Duration::from_millis(1), |receiver| {
        black_box(receiver.recv()).expect("it fires");
    });
    table.nothing();
    table.finish();
}
