//! Timers, tickers and their pools.
//!
//! The machine may be busy, so no test says how soon something happens: only that it does, that it
//! does not happen too early, and how often.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bp::{PutReason, Ticker, TickerPool, TickerRef, Timer, TimerPool, TimerRef};
#[cfg(target_os = "linux")]
use bp_tests::child::in_child;
use crossbeam_channel::{TryRecvError, never, select, unbounded};

const SOON: Duration = Duration::from_millis(1);
const LATE: Duration = Duration::new(3600, 0);

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Waits until a timer fired, without receiving that.
#[track_caller]
fn await_unread(timer: &Timer) {
    while timer.receiver().is_empty() {
        thread::yield_now();
    }
    assert!(!timer.is_armed());
}

const RACES: usize = 5_000;

/// Go before 1.23: `Stop` returns false while the sender is about to send, the drain finds
/// nothing, and then it sends.
#[test]
fn case_28_nothing_is_received_after_a_stop() {
    let timer = Timer::unarmed().expect("the driver starts");
    for round in 0..RACES {
        let armed = Instant::now();
        timer.reset_at(armed + Duration::from_micros(u64::try_from(round).unwrap_or(0) % 100));
        // By chance the driver fires before, in the middle of, or after what follows.
        while armed.elapsed() < Duration::from_micros(50) {
            std::hint::spin_loop();
        }
        assert!(timer.stop(), "pending, since nobody received");
        assert_eq!(timer.receiver().try_recv(), Err(TryRecvError::Empty), "round {round}");
        if round % 50 == 0 {
            assert_eq!(timer.receiver().recv_timeout(SOON).ok(), None, "round {round}");
        }
    }
}

#[test]
fn case_28_a_reset_timer_fires_for_its_new_deadline_only() {
    let timer = Timer::unarmed().expect("the driver starts");
    for round in 0..RACES {
        timer.reset(Duration::from_micros(u64::try_from(round).unwrap_or(0) % 60));
        thread::yield_now();
        let deadline = Instant::now() + Duration::from_micros(200);
        assert!(timer.reset_at(deadline), "pending, since nobody received");
        let fired = timer.wait().expect("armed");
        assert!(fired >= deadline, "round {round}: {:?} too early", deadline - fired);
        assert!(timer.receiver().is_empty(), "round {round}: fired twice");
    }
}

/// [BUG] of Go: the drain of `TimerPool.Put` races with the sender, and the next user's timer has
/// expired when it gets it.
#[test]
fn case_28_no_stale_expiry_reaches_the_next_user() {
    let pool = TimerPool::new(1);
    thread::scope(|scope| {
        // Users of one timer in turn, for whom it nearly or just fires.
        for seed in 0..3 {
            let pool = &pool;
            scope.spawn(move || {
                for round in 0..RACES {
                    let micros = (u64::try_from(round).unwrap_or(0) * 7 + seed) % 60;
                    let timer = pool.get(Duration::from_micros(micros));
                    if round % 3 == 0 {
                        thread::yield_now();
                    }
                    drop(timer);

                    let timer = pool.get(LATE);
                    assert_eq!(timer.receiver().try_recv(), Err(TryRecvError::Empty));
                    assert!(timer.is_armed());
                }
            });
        }
    });
    assert!(pool.stats().hits > RACES, "{:?}", pool.stats());
}

/// [BUG] of Go: `TickerPool.Put` stops, but leaves the tick that was sent.
#[test]
fn case_28_no_tick_reaches_the_next_user() {
    let pool = TickerPool::new(1);
    for _ in 0..200 {
        let ticker = pool.get(Duration::from_micros(20));
        while ticker.receiver().is_empty() {
            thread::yield_now();
        }
        drop(ticker);
        let ticker = pool.get(LATE);
        assert_eq!(ticker.receiver().try_recv(), Err(TryRecvError::Empty));
    }
    assert_eq!(pool.stats().misses, 1, "the same ticker throughout");

    // And none is sent later.
    drop(pool.get(Duration::from_micros(20)));
    let ticker = pool.get(LATE);
    assert_eq!(ticker.wait_timeout(ms(5)), None);
}

#[test]
fn case_28_stop_from_another_thread_is_received_or_stopped_never_both() {
    let timer = Timer::unarmed().expect("the driver starts");
    let turn = Barrier::new(2);
    let stopped = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..RACES {
                turn.wait();
                stopped.store(timer.stop(), Ordering::Relaxed);
                turn.wait();
            }
        });
        for round in 0..RACES {
            timer.reset(Duration::from_micros(u64::try_from(round).unwrap_or(0) % 20));
            turn.wait();
            let mut received = timer.receiver().try_recv().is_ok();
            turn.wait();
            received |= timer.receiver().try_recv().is_ok();
            assert_ne!(received, stopped.load(Ordering::Relaxed), "round {round}");
        }
    });
}

#[test]
fn stop_and_reset_say_whether_the_timer_was_pending() {
    type State = (&'static str, fn(&Timer), bool);
    let states: [State; 7] = [
        ("never armed", |_| {}, false),
        ("armed", |timer| assert!(!timer.reset(LATE)), true),
        ("armed with a time that never comes", |timer| assert!(!timer.reset(Duration::MAX)), true),
        (
            "stopped",
            |timer| {
                timer.reset(LATE);
                timer.stop();
            },
            false,
        ),
        (
            "fired, nobody received",
            |timer| {
                timer.reset(Duration::ZERO);
                await_unread(timer);
            },
            true,
        ),
        (
            "fired and received",
            |timer| {
                timer.reset(Duration::ZERO);
                timer.wait();
            },
            false,
        ),
        (
            "fired and received, then armed",
            |timer| {
                timer.reset(Duration::ZERO);
                timer.wait();
                timer.reset(LATE);
            },
            true,
        ),
    ];
    for (state, bring_about, was_pending) in states {
        let timer = || {
            let timer = Timer::unarmed().expect("the driver starts");
            bring_about(&timer);
            timer
        };
        assert_eq!(timer().stop(), was_pending, "stop: {state}");
        assert_eq!(timer().reset(LATE), was_pending, "reset: {state}");
        assert_eq!(timer().reset(Duration::MAX), was_pending, "reset to never: {state}");
        assert_eq!(timer().reset_at(Instant::now()), was_pending, "reset_at: {state}");

        let timer = timer();
        timer.reset(LATE);
        assert!(timer.is_armed() && timer.receiver().is_empty(), "after a reset: {state}");
        timer.stop();
        assert!(!timer.is_armed() && timer.receiver().is_empty(), "after a stop: {state}");
    }
}

#[test]
fn timer_fires_once_and_never_early() {
    let start = Instant::now();
    let timer = Timer::new(ms(5));
    let deadline = timer.deadline().expect("armed");
    assert!(deadline >= start + ms(5));

    let fired = timer.wait().expect("armed");
    assert!(fired >= deadline && fired <= Instant::now());
    assert_eq!(timer.deadline(), None);
    assert_eq!(timer.receiver().recv_timeout(ms(5)).ok(), None);
}

#[test]
fn timer_is_an_arm_of_select() {
    let timer = Timer::new(SOON);
    let (sender, receiver) = unbounded();
    let silent = never::<()>();

    let fired = select! {
        recv(receiver) -> _ => panic!("nothing was sent"),
        recv(timer.receiver()) -> at => at.expect("the timer is alive"),
    };
    assert!(fired <= Instant::now());

    // Not ready now; what is wins.
    timer.reset(LATE);
    sender.send(1).expect("connected");
    select! {
        recv(timer.receiver()) -> _ => panic!("an hour early"),
        recv(silent) -> _ => unreachable!(),
        recv(receiver) -> number => assert_eq!(number, Ok(1)),
    }
    // May be reset where its arm runs.
    select! {
        recv(receiver) -> _ => panic!("nothing was sent"),
        recv(timer.receiver()) -> _ => panic!("an hour early"),
        default => assert!(timer.reset(SOON)),
    }
    assert!(timer.wait().is_some());
}

#[test]
fn wait_returns_at_once_where_nothing_would_come() {
    let timer = Timer::unarmed().expect("the driver starts");
    assert_eq!(timer.wait(), None);
    assert_eq!(timer.wait_timeout(LATE), None);
    timer.reset(LATE);
    assert_eq!(timer.wait_timeout(SOON), None, "armed, but not due");
    timer.reset(Duration::ZERO);
    await_unread(&timer);
    assert!(timer.wait().is_some(), "fired before");
    assert_eq!(timer.wait(), None);

    let ticker = Ticker::new(SOON);
    assert!(ticker.wait_timeout(LATE).is_some());
    ticker.stop();
    assert_eq!(ticker.wait(), None);
}

#[test]
fn waiting_thread_is_woken_by_whoever_resets() {
    let timer = Timer::new(LATE);
    thread::scope(|scope| {
        let waits = scope.spawn(|| timer.wait());
        let deadline = Instant::now() + SOON;
        timer.reset_at(deadline);
        assert!(waits.join().expect("no panic") >= Some(deadline));
    });
}

#[test]
fn earlier_deadlines_overtake_later_ones() {
    let far = Timer::new(LATE);
    let mut after = ms(64);
    // The driver sleeps for each when the next comes, if it is quick.
    let timers: [Timer; 7] = std::array::from_fn(|_| {
        thread::sleep(SOON);
        after /= 2;
        Timer::new(after)
    });
    for timer in timers {
        let deadline = timer.deadline();
        assert!(timer.wait() >= deadline);
    }
    assert!(far.is_armed());
}

#[test]
fn deadline_that_no_clock_reaches_never_comes() {
    let timer = Timer::new(Duration::MAX);
    assert!(timer.is_armed());
    assert_eq!(timer.deadline(), None);
    assert_eq!(timer.wait_timeout(ms(3)), None);
    assert!(timer.reset(Duration::ZERO), "it was armed all the same");
    assert!(timer.wait().is_some());
    timer.reset(LATE);
    assert!(timer.reset(Duration::MAX));
    assert_eq!(timer.deadline(), None);
    // Others run on.
    assert!(Timer::new(SOON).wait().is_some());

    let ticker = TickerPool::new(1).get(Duration::MAX);
    assert_eq!((ticker.is_armed(), ticker.deadline()), (true, None));
    assert_eq!(ticker.wait_timeout(ms(3)), None);
    // A first tick that comes, and a second that does not.
    ticker.reset_at(Instant::now(), Duration::MAX);
    assert!(ticker.wait().is_some());
    assert_eq!((ticker.is_armed(), ticker.deadline()), (true, None));
}

/// Far, but not beyond: the driver has to sleep for it without a wrong turn.
#[test]
fn deadline_in_a_billion_years_is_one() {
    let timer = Timer::new(Duration::from_secs(u64::from(u32::MAX) * 86_400 * 80));
    assert!(timer.deadline().is_some());
    assert!(Timer::new(SOON).wait().is_some());
    assert!(timer.stop());
}

#[test]
fn slow_receiver_loses_ticks_and_not_the_cadence() {
    let period = ms(4);
    let ticker = Ticker::unarmed().expect("the driver starts");
    let first = Instant::now() + period;
    ticker.reset_at(first, period);
    let is_in_cadence = |at: Instant| {
        let offset = at.duration_since(first).as_nanos() % period.as_nanos();
        assert_eq!(offset, 0, "drifted by {offset} ns");
    };

    thread::sleep(10 * period);
    // Of nine ticks one is there; the next comes in its own time.
    assert!(ticker.wait().expect("running") >= first);
    let next = ticker.deadline().expect("running");
    is_in_cadence(next);
    assert!(next > first);
    assert!(ticker.receiver().len() <= 1);

    for _ in 0..5 {
        let sent = ticker.wait().expect("running");
        let next = ticker.deadline().expect("running");
        is_in_cadence(next);
        assert!(sent < next, "each is sent before the next is due, or not at all");
    }
    // Five more took four periods at least: none came early to make up for lost ones.
    assert!(Instant::now() >= next + 3 * period);
}

#[test]
fn ticker_ticks_once_a_period_at_most() {
    let (period, start) = (ms(2), Instant::now());
    let ticker = Ticker::new(period);
    let ticks: Vec<_> = (0..20).map(|_| ticker.wait().expect("running")).collect();
    for (index, tick) in (1..).zip(&ticks) {
        assert!(*tick >= start + index * period, "tick {index} came early");
    }
    assert!(ticks.is_sorted());
}

#[test]
fn reset_ticker_has_its_new_period() {
    let ticker = Ticker::new(LATE);
    assert!(ticker.reset(SOON), "was running");
    assert!(ticker.wait().is_some());
    assert!(ticker.wait().is_some());
    assert!(ticker.reset(LATE));
    assert_eq!(ticker.wait_timeout(ms(5)), None);
    assert!(ticker.stop());
    assert!(!ticker.stop());
    assert!(!ticker.reset(LATE));
    assert!(format!("{ticker:?}").contains("is_armed: true"), "{ticker:?}");
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<&str>().expect("a panic with a text")
}

/// [BUG] of Go: `Get(0)` takes a ticker, panics, and it is lost.
#[test]
fn zero_period_panics_before_a_ticker_is_taken() {
    let pool = TickerPool::new(4);
    drop(pool.get(LATE));
    let (before, expected) = (pool.stats(), "the period of a ticker must not be zero");

    let ways: [fn(&TickerPool); 5] = [
        |pool| drop(pool.get(Duration::ZERO)),
        |pool| drop(pool.try_get(Duration::ZERO)),
        |pool| drop(pool.take(Duration::ZERO)),
        |pool| drop(pool.get_with(Duration::ZERO, || unreachable!())),
        |pool| drop(pool.try_get_with::<()>(Duration::ZERO, || unreachable!())),
    ];
    for get in ways {
        let panic = catch_unwind(|| get(&pool)).expect_err("zero is refused");
        assert_eq!(message(&*panic), expected);
        assert_eq!(pool.stats(), before);
    }
    assert_eq!(pool.len(), 1);

    let panic = catch_unwind(|| drop(Ticker::new(Duration::ZERO))).expect_err("refused");
    assert_eq!(message(&*panic), expected);

    let ticker = pool.get(SOON);
    let resets: [fn(&Ticker); 2] = [
        |ticker| assert!(ticker.reset(Duration::ZERO)),
        |ticker| assert!(ticker.reset_at(Instant::now(), Duration::ZERO)),
    ];
    for reset in resets {
        let panic = catch_unwind(AssertUnwindSafe(|| reset(&ticker))).expect_err("refused");
        assert_eq!(message(&*panic), expected);
        assert!(ticker.wait().is_some(), "runs on");
    }
}

#[test]
fn pooled_timer_is_armed_by_every_way_to_get_it() {
    let pool = TimerPool::new(2);
    assert!(pool.try_get(SOON).is_none());
    let timer: TimerRef = pool.get(LATE);
    assert!(timer.is_armed());
    drop(timer);
    assert!(pool.try_get(LATE).expect("idle").is_armed());
    assert!(pool.get(SOON).wait().is_some());

    let timer: Timer = pool.take(LATE);
    assert!(timer.is_armed());
    pool.put(timer).expect("room");
    // One from elsewhere that is armed comes out with its own deadline only.
    pool.put(Timer::new(SOON)).expect("room");
    let [one, two] = [(); 2].map(|()| pool.get(LATE));
    assert_eq!((one.wait_timeout(ms(5)), two.wait_timeout(ms(5))), (None, None));
    assert_eq!(pool.len(), 0);

    let kept = TimerRef::detach(one);
    assert!(kept.is_armed());
    pool.close();
    assert_eq!(pool.put(kept).unwrap_err().reason, PutReason::Closed);
}

#[test]
fn pools_are_built_with_timers_that_are_not_armed() {
    let pool = TimerPool::builder(8).preload(1.0).build().expect("the driver starts");
    assert_eq!(pool.len(), 8);
    assert!(pool.take(LATE).stop());
    let pool = TickerPool::builder(8).preload(0.5).build().expect("the driver starts");
    assert_eq!((pool.len(), pool.stats().preloaded), (4, 4));
}

#[test]
fn armed_guards_outlive_their_pool() {
    let pool = TimerPool::new(4);
    let timers = [pool.get(SOON), pool.get(LATE)];
    let tickers = TickerPool::new(4);
    let ticker: TickerRef = tickers.get(SOON);
    drop((pool, tickers));

    assert!(timers[0].wait().is_some());
    assert!(ticker.wait().is_some());
    thread::spawn(move || drop(timers)).join().expect("no panic");
    thread::spawn(move || drop(ticker)).join().expect("no panic");
    assert!(Timer::new(SOON).wait().is_some(), "others fire on");
}

#[test]
fn clones_of_a_receiver_are_disconnected_with_the_timer() {
    let timer = Timer::new(LATE);
    let receiver = timer.receiver().clone();
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    drop(timer);
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
}

#[test]
fn hundred_thousand_timers_at_once() {
    const MANY: u32 = 100_000;
    let pool = TimerPool::new(MANY as usize);
    let start = Instant::now();
    let late: Vec<_> = (0..MANY).map(|n| pool.get(LATE + n * Duration::from_micros(1))).collect();

    // Among all those, new ones fire, and any may be set anew or stopped.
    assert!(Timer::new(SOON).wait().is_some());
    for timer in late.iter().step_by(7) {
        assert!(timer.reset(ms(20)));
    }
    for timer in late.iter().skip(3).step_by(7) {
        assert!(timer.stop());
    }
    for (index, timer) in late.iter().enumerate() {
        match index % 7 {
            0 => assert!(timer.wait().expect("armed") >= start + ms(20)),
            3 => assert_eq!(timer.wait(), None),
            _ => assert!(timer.is_armed() && timer.receiver().is_empty()),
        }
    }
    drop(late);
    assert_eq!(pool.len(), MANY as usize);
    assert!(pool.get(SOON).wait().is_some());
}

#[test]
fn timers_of_many_threads_fire_for_their_own() {
    let pool = TimerPool::new(8);
    thread::scope(|scope| {
        for seed in 0..4 {
            let pool = &pool;
            scope.spawn(move || {
                for round in 0..300 {
                    let after = Duration::from_micros((round * 13 + seed * 101) % 400);
                    let start = Instant::now();
                    let timer = pool.get(after);
                    assert!(timer.wait().expect("armed") >= start + after);
                    assert!(timer.receiver().is_empty());
                }
            });
        }
    });
    assert_eq!(pool.stats().in_use, 0);
}

/// The threads of this process by name, and what each used of the processor, in clock ticks.
#[cfg(target_os = "linux")]
fn threads() -> Vec<(String, u64)> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("on Linux");
    let stats =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("stat")).ok());
    stats
        .map(|stat| {
            let (id_and_name, rest) = stat.rsplit_once(')').expect("a name in brackets");
            let name = id_and_name.split_once('(').expect("a name in brackets").1;
            // The 14th and 15th fields; the first two are gone.
            let times = rest.split_whitespace().skip(11).take(2);
            (name.to_owned(), times.map(|time| time.parse::<u64>().expect("a number")).sum())
        })
        .collect()
}

/// One thread for all, with a name, that costs nothing while its first timer is an hour away.
#[cfg(target_os = "linux")]
#[test]
fn one_thread_drives_all_and_sleeps() {
    // Where no other test keeps the driver busy.
    in_child("time::one_thread_drives_all_and_sleeps", drive_alone);
}

#[cfg(target_os = "linux")]
fn drive_alone() {
    let drivers = || -> Vec<u64> {
        let threads = threads().into_iter().filter(|(name, _)| name == "bp-timer");
        threads.map(|(_, time)| time).collect()
    };
    assert_eq!(drivers().len(), 0, "started before it is needed");
    let pool = TimerPool::new(100);
    let tickers = TickerPool::new(100);
    // It names itself when it runs first.
    while drivers().is_empty() {
        thread::sleep(SOON);
    }

    let guards: Vec<_> = (0..100).map(|_| (pool.get(LATE), tickers.get(LATE))).collect();
    assert!(Timer::new(SOON).wait().is_some());
    assert_eq!(drivers().len(), 1, "one is enough");

    // 10 ms each: were it spinning, most of the time would be its own.
    let idles = || {
        let before = drivers()[0];
        thread::sleep(ms(300));
        assert!(drivers()[0] - before <= 2, "the driver spins");
    };
    idles();
    drop(guards);
    drop((pool, tickers));
    idles();
    assert!(Timer::new(SOON).wait().is_some(), "and is there when it is needed again");
}

#[test]
fn timers_and_guards_cross_threads() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Timer>();
    is_send_and_sync::<Ticker>();
    is_send_and_sync::<TimerPool>();
    is_send_and_sync::<TimerRef>();
    is_send_and_sync::<TickerPool>();
    is_send_and_sync::<TickerRef>();
    assert_eq!(size_of::<Option<TimerRef>>(), size_of::<usize>());
}

mod redeclared;
