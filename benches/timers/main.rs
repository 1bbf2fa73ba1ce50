//! Timers, made and pooled, beside what crossbeam's `after` and `tick` cost.
//!
//! Prints nanoseconds per use, the median of several rounds. For figures that mean something, run
//! the release build pinned to a core, `taskset -c 1 target/release/timers`; for those of two
//! threads, to two.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use bp::{Ticker, TickerPool, Timer, TimerPool};
use crossbeam_channel::{after, never, select, tick};

const ROUNDS: usize = 15;
const USES: u32 = 20_000;
const LATE: Duration = Duration::new(30, 0);

/// Returns the median of what a use costs, in nanoseconds.
fn cost(mut work: impl FnMut()) -> f64 {
    (0..USES).for_each(|_| work());
    let mut rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (0..USES).for_each(|_| work());
            start.elapsed().as_secs_f64() * 1e9 / f64::from(USES)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

fn report(what: &str, work: impl FnMut()) {
    println!("{:8.1}  {what}", cost(work));
}

fn main() {
    for others in [0, 10_000, 100_000] {
        println!("\n{others} other timers armed");
        let timers = TimerPool::new(64);
        let tickers = TickerPool::new(64);
        // Sooner and later than those that are measured.
        let spread = |n: u32| LATE / 2 + LATE * (n % 1024) / 1024;
        let armed: Vec<_> = (0..others).map(|n| Timer::new(spread(n))).collect();

        report("crossbeam after, made and dropped", || drop(black_box(after(LATE))));
        report("Timer::new and drop", || drop(black_box(Timer::new(LATE))));
        report("TimerPool get and drop", || drop(black_box(timers.get(LATE))));
        let timer = timers.get(LATE);
        report("timer reset", || {
            black_box(timer.reset(LATE));
        });
        report("timer stop and reset", || {
            timer.stop();
            black_box(timer.reset(LATE));
        });
        report("crossbeam tick, made and dropped", || drop(black_box(tick(LATE))));
        report("Ticker::new and drop", || drop(black_box(Ticker::new(LATE))));
        report("TickerPool get and drop", || drop(black_box(tickers.get(LATE))));
        drop(armed);
    }

    println!("\non two threads at once, per use of each");
    let timers = TimerPool::new(64);
    let both = |work: fn(&TimerPool)| {
        thread::scope(|scope| {
            let other = scope.spawn(|| cost(|| work(&timers)));
            let one = cost(|| work(&timers));
            f64::midpoint(one, other.join().expect("no panic"))
        })
    };
    println!("{:8.1}  crossbeam after", both(|_| drop(black_box(after(LATE)))));
    println!("{:8.1}  Timer::new and drop", both(|_| drop(black_box(Timer::new(LATE)))));
    println!("{:8.1}  TimerPool get and drop", both(|timers| drop(black_box(timers.get(LATE)))));

    println!("\none receive with a timeout, where something is there");
    let (sender, receiver) = crossbeam_channel::bounded(1);
    let timers = TimerPool::new(64);
    report("recv_timeout", || {
        sender.send(1).expect("connected");
        black_box(receiver.recv_timeout(LATE)).expect("it is there");
    });
    report("select! with after", || {
        sender.send(1).expect("connected");
        select! {
            recv(receiver) -> one => { black_box(one).expect("it is there"); }
            recv(after(LATE)) -> _ => unreachable!(),
        }
    });
    report("select! with a pooled timer", || {
        sender.send(1).expect("connected");
        let timer = timers.get(LATE);
        select! {
            recv(receiver) -> one => { black_box(one).expect("it is there"); }
            recv(timer.receiver()) -> _ => unreachable!(),
        }
    });
    let timer = timers.get(LATE);
    report("select! with a timer that is reset", || {
        sender.send(1).expect("connected");
        timer.reset(LATE);
        select! {
            recv(receiver) -> one => { black_box(one).expect("it is there"); }
            recv(timer.receiver()) -> _ => unreachable!(),
        }
    });

    println!("\nfrom being armed with 0 to being received");
    let silent = never::<()>();
    let few = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..1_000).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e9 / 1e3
    };
    let crossbeam = few(&mut || {
        select! {
            recv(silent) -> _ => unreachable!(),
            recv(after(Duration::ZERO)) -> at => { black_box(at).expect("it fires"); }
        }
    });
    println!("{crossbeam:8.1}  crossbeam after");
    let ours = few(&mut || {
        timer.reset(Duration::ZERO);
        select! {
            recv(silent) -> _ => unreachable!(),
            recv(timer.receiver()) -> at => { black_box(at).expect("it fires"); }
        }
    });
    println!("{ours:8.1}  timer reset");
}
