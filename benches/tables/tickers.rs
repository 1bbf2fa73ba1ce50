//! `time.Ticker` of the Go library: start one of 1 ms and wait for a tick. Before that, what
//! starting and stopping costs by itself.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bp::{Ticker, TickerPool};
use bp_benches::per_thread::PerThread;
use bp_benches::table::Table;
use crossbeam_channel::{Receiver, tick};

#[macro_use]
mod armed;

const WORKERS: usize = 100;

armed_rows!(TickerPool, Ticker, tick);

fn main() {
    let title = "Start a ticker, wait for a tick or not, give it back";
    let mut table = Table::new("tickers", title).workers(WORKERS).slow(500);
    rows(&mut table, "30 s, stopped at once", Duration::from_secs(30), |receiver| {
        black_box(receiver);
    });
    rows(&mut table, "1 ms, waited for", Duration::from_millis(1), |receiver| {
        black_box(receiver.recv()).expect("it fires");
    });
    table.nothing();
    table.finish();
}
