//! Workers that give up on whoever keeps them waiting, each with one pooled timer.
//!
//! A worker serves a connection: it takes requests until none comes for a while, then goes on to
//! the next connection. The timer that says so is armed again with every request, which is what
//! `after` cannot do: it would be made anew each time. When the connection is done the timer goes
//! back to the pool, stopped: the next connection never sees an expiry that was meant for this
//! one, however close it was.
//!
//! Run it with `cargo run --example timeouts`.

use std::thread;
use std::time::Duration;

use bp::{TimerPool, TimerRef};
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, select};

/// How long a connection may be silent.
const IDLE: Duration = Duration::from_millis(50);

/// How many connections are served at once.
const WORKERS: usize = 2;

/// Why a worker is done with a connection.
#[derive(Debug, PartialEq)]
enum End {
    Closed,
    TimedOut,
}

/// Serves one connection; returns how many requests it had, and why it ended.
fn serve(requests: &Receiver<u32>, idle: &TimerRef) -> (usize, End) {
    let mut served = 0;
    loop {
        let next = select! {
            recv(requests) -> request => request.map_err(|_| End::Closed),
            // Where both are ready either may be chosen: a request that is there was in time.
            recv(idle.receiver()) -> _ => requests.try_recv().map_err(|nothing| match nothing {
                TryRecvError::Empty => End::TimedOut,
                TryRecvError::Disconnected => End::Closed,
            }),
        };
        match next {
            Ok(_) => served += 1,
            Err(end) => return (served, end),
        }
        // The silence counts from here. What fired in the meantime is not received any more.
        idle.reset(IDLE);
    }
}

/// A client: sends some requests, and then hangs up or falls silent.
fn connect(requests: u32, hangs_up: bool) -> (Receiver<u32>, Option<Sender<u32>>) {
    let (sender, receiver) = bounded(requests as usize);
    for request in 0..requests {
        sender.send(request).expect("there is room, and a receiver");
    }
    (receiver, (!hangs_up).then_some(sender))
}

fn main() {
    let timers = TimerPool::new(WORKERS);

    let (mut silent, (accepts, connections)) = (Vec::new(), bounded(10));
    for n in 0..10 {
        let (connection, stays) = connect(n * 10, n % 3 != 0);
        silent.extend(stays); // whoever is dropped hangs up
        accepts.send((n, connection)).expect("there is room, and a receiver");
    }
    drop(accepts);

    let mut ends: Vec<_> = thread::scope(|scope| {
        let worker = || {
            let serve_one = |(n, connection)| (n, serve(&connection, &timers.get(IDLE)));
            connections.iter().map(serve_one).collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });

    ends.sort_by_key(|(n, _)| *n);
    for (n, (served, end)) in &ends {
        let end = match end {
            End::Closed => "closed by the client",
            End::TimedOut => "timed out",
        };
        println!("connection {n}: {served:2} requests, {end}");
    }
    let stats = timers.stats();
    println!("timers made: {}, used again: {}", stats.misses, stats.hits);
}
