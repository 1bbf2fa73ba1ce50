//! `SleepPool` and `IntervalPool`.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use bp::PoolStats;
use bp::aio::{IntervalPool, IntervalRef, SleepPool, SleepRef};
use bp_tests::allocations::{Allocated, allocated_by};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, MissedTickBehavior};

use super::streams::{Wakes, poll_once};

const HOUR: Duration = Duration::from_hours(1);

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Polls with a waker that counts.
fn poll_with(sleep: &mut SleepRef, count: &Arc<Wakes>) -> Poll<()> {
    let waker = Waker::from(Arc::clone(count));
    Pin::new(sleep).poll(&mut Context::from_waker(&waker))
}

#[tokio::test(start_paused = true)]
async fn sleeps_complete_in_time_again_and_again() {
    let pool = SleepPool::new(4);
    let mut before = None;
    for seconds in [5, 1, 60, 0, 7] {
        let start = Instant::now();
        let mut sleep = pool.get(Duration::from_secs(seconds));
        assert_eq!(sleep.deadline(), start + Duration::from_secs(seconds));
        (&mut sleep).await;
        assert!(sleep.is_elapsed());
        assert_eq!(start.elapsed().as_secs(), seconds);

        let address = std::ptr::from_ref(&*sleep).addr();
        assert_eq!(*before.get_or_insert(address), address, "one timer for all");
    }
    assert_eq!((pool.stats().misses, pool.stats().hits, pool.len()), (1, 4, 1));
}

#[tokio::test(start_paused = true)]
async fn a_sleep_can_be_reset_and_awaited_again() {
    let pool = SleepPool::new(4);
    let start = Instant::now();
    let mut sleep = pool.get_until(start + Duration::from_secs(1));
    (&mut sleep).await;
    sleep.reset(start + Duration::from_secs(3));
    assert!(!sleep.is_elapsed());
    sleep.await;
    assert_eq!(start.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_first_that_is_due_wins() {
    let pool = SleepPool::new(4);
    let (mut long, mut short) = (pool.get(HOUR), pool.get(Duration::from_millis(20)));
    tokio::select! {
        () = &mut long => panic!("an hour has not passed"),
        () = &mut short => {}
    }
    assert!(!long.is_elapsed());
}

#[tokio::test(start_paused = true)]
async fn endless_sleeps_do_not_end() {
    let pool = SleepPool::new(4);
    let mut sleep = pool.get(Duration::MAX);
    tokio::time::sleep(1000 * HOUR).await;
    assert!(poll_once(Pin::new(&mut sleep)).is_pending());
}

#[tokio::test(start_paused = true)]
async fn a_returned_sleep_wakes_nobody_and_keeps_nobody() {
    let pool = SleepPool::new(4);
    let count = Arc::new(Wakes::default());
    let mut sleep = pool.get(HOUR);
    assert!(poll_with(&mut sleep, &count).is_pending());
    assert_eq!(Arc::strong_count(&count), 2, "the timer has a waker");
    drop(sleep);
    assert_eq!(pool.len(), 1);
    assert_eq!(Arc::strong_count(&count), 1, "it let go of it");

    let mut sleep = pool.get(2 * HOUR);
    assert_eq!(pool.stats().hits, 1);
    tokio::time::sleep(HOUR).await;
    assert!(!sleep.is_elapsed(), "by the old deadline it would be");
    tokio::time::sleep(2 * HOUR).await;
    assert_eq!(count.get(), 0);
    assert!(poll_with(&mut sleep, &count).is_ready());
}

#[tokio::test(start_paused = true)]
async fn a_sleep_lets_go_also_where_the_budget_is_spent() {
    let pool = SleepPool::new(4);
    let count = Arc::new(Wakes::default());
    let mut sleep = Some(pool.get(HOUR));
    assert!(poll_with(sleep.as_mut().expect("still here"), &count).is_pending());
    poll_fn(|cx| {
        while pin!(tokio::task::consume_budget()).poll(cx).is_ready() {}
        drop(sleep.take());
        Poll::Ready(())
    })
    .await;
    assert_eq!((Arc::strong_count(&count), count.get(), pool.len()), (1, 0, 1));
}

/// Waits for a thread, on the real clock: the paused one stands still unless a timer lets it jump.
async fn real_wait() {
    let (mut thread, done) = (None, Arc::new(Wakes::default()));
    poll_fn(|cx| {
        if done.get() > 0 {
            return Poll::Ready(());
        }
        let (waker, done) = (cx.waker().clone(), Arc::clone(&done));
        thread.get_or_insert_with(|| {
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(30));
                Waker::from(done).wake();
                waker.wake();
            })
        });
        Poll::Pending
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn idle_timers_do_not_move_a_paused_clock() {
    let (sleeps, intervals) = (SleepPool::new(4), IntervalPool::new(4, HOUR));
    let (mut polled, unpolled) = (sleeps.get(HOUR), sleeps.get(HOUR));
    assert!(poll_once(Pin::new(&mut polled)).is_pending());
    let mut ticking = intervals.get();
    ticking.tick().await;
    assert!(poll_once(pin!(ticking.tick())).is_pending());
    drop((polled, unpolled, ticking, intervals.get()));
    assert_eq!((sleeps.len(), intervals.len()), (2, 2));

    let start = Instant::now();
    real_wait().await;
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[test]
fn sleeps_of_another_runtime_are_not_handed_out() {
    let pool = SleepPool::new(8);
    let (one, two) = (runtime(), runtime());
    one.block_on(async { drop([pool.get(HOUR), pool.get(HOUR)]) });
    assert_eq!(pool.len(), 2);

    two.block_on(async {
        let start = std::time::Instant::now();
        pool.get(Duration::from_millis(20)).await;
        assert!(start.elapsed() >= Duration::from_millis(20));
    });
    let stats = pool.stats();
    assert_eq!((stats.discarded_by_user, stats.misses, stats.idle), (2, 3, 1));

    // Also where the runtime is gone, and would never fire.
    drop(two);
    one.block_on(async { pool.get(Duration::from_millis(1)).await });
    assert_eq!(pool.stats().discarded_by_user, 3);
}

#[test]
fn sleeps_that_return_elsewhere_are_not_kept() {
    let pool = SleepPool::new(8);
    let (one, two) = (runtime(), runtime());
    let [outside, elsewhere, orphan, home] =
        one.block_on(async { [(); 4].map(|()| pool.get(HOUR)) });

    drop(outside);
    two.block_on(async { drop(elsewhere) });
    assert_eq!((pool.stats().discarded_unfit, pool.len()), (2, 0));
    one.block_on(async { drop(home) });
    assert_eq!((pool.stats().discarded_unfit, pool.len()), (2, 1));
    drop(one);
    drop(orphan);
    assert_eq!((pool.stats().discarded_unfit, pool.stats().in_use), (3, 0));
}

/// Returns what the pool's figures are after a get that panicked, and what it said.
fn refused<T>(get: impl FnOnce() -> T, stats: impl FnOnce() -> PoolStats) -> (String, PoolStats) {
    let Err(panic) = catch_unwind(AssertUnwindSafe(get)) else { panic!("no panic") };
    let said = match panic.downcast::<String>() {
        Ok(said) => *said,
        Err(panic) => (*panic.downcast::<&str>().expect("text")).to_owned(),
    };
    (said, stats())
}

#[test]
fn outside_a_runtime_a_get_panics_and_takes_nothing() {
    let (sleeps, intervals) = (SleepPool::new(4), IntervalPool::new(4, HOUR));
    let inside = runtime();
    inside.block_on(async { drop((sleeps.get(HOUR), intervals.get())) });
    let before = (sleeps.stats(), intervals.stats());
    assert_eq!((before.0.idle, before.1.idle), (1, 1));

    let sleep = refused(|| sleeps.get(HOUR), || sleeps.stats());
    let interval = refused(|| intervals.get(), || intervals.stats());
    assert_eq!((sleep.1, interval.1), before);
    for said in [sleep.0, interval.0] {
        assert!(said.contains("must be called from the context of a Tokio"), "{said}");
    }
}

#[test]
fn in_a_runtime_without_timers_a_get_panics_and_takes_nothing() {
    let (sleeps, intervals) = (SleepPool::new(4), IntervalPool::new(4, HOUR));
    let timeless = Builder::new_current_thread().build().expect("a runtime");
    let _inside = timeless.enter();
    let before = (sleeps.stats(), intervals.stats());
    let sleep = refused(|| sleeps.get(HOUR), || sleeps.stats());
    let interval = refused(|| intervals.get(), || intervals.stats());
    assert_eq!((sleep.1, interval.1), before);
    for said in [sleep.0, interval.0] {
        assert!(said.contains("timers are disabled"), "{said}");
    }
}

#[test]
fn guards_that_outlive_their_runtime_are_dropped_in_peace() {
    let (sleeps, intervals) = (SleepPool::new(4), IntervalPool::new(4, HOUR));
    let runtime = runtime();
    let (go, gone) = mpsc::channel::<()>();
    // In an array, as what a block returns must not look as if it had been forgotten to await it.
    let [blocking] = runtime.block_on(async {
        let (mut sleep, mut interval) = (sleeps.get(HOUR), intervals.get());
        assert!(poll_once(Pin::new(&mut sleep)).is_pending());
        interval.tick().await;
        assert!(poll_once(pin!(interval.tick())).is_pending());
        // Runs in the runtime's context, also after its shutdown.
        let blocking = tokio::task::spawn_blocking(move || {
            gone.recv().expect("told to go on");
            drop((sleep, interval));
        });
        tokio::task::yield_now().await;
        [blocking]
    });
    runtime.shutdown_background();
    go.send(()).expect("the thread waits");
    self::runtime().block_on(blocking).expect("no panic");
    assert_eq!((sleeps.stats().in_use, intervals.stats().in_use), (0, 0));
}

/// Drops guards in their runtime when it is first woken, and notes how many had not fired.
struct LastMoment {
    handle: tokio::runtime::Handle,
    guards: Mutex<Vec<SleepRef>>,
    pending: AtomicUsize,
    panics: AtomicUsize,
}

impl Wake for LastMoment {
    fn wake(self: Arc<Self>) {
        let _inside = self.handle.enter();
        let guards = std::mem::take(&mut *self.guards.lock().expect("no panics"));
        for guard in guards {
            self.pending.fetch_add(usize::from(!guard.is_elapsed()), Ordering::Relaxed);
            let dropped = catch_unwind(AssertUnwindSafe(|| drop(guard)));
            self.panics.fetch_add(usize::from(dropped.is_err()), Ordering::Relaxed);
        }
    }
}

/// Between the moment that a runtime says that it ends and that it fires the last timers, each of
/// them panics when it is polled. Dropping a guard did that.
#[test]
fn guards_may_be_dropped_while_their_runtime_shuts_down() {
    let pool = SleepPool::new(100);
    let runtime = runtime();
    let moment = Arc::new(LastMoment {
        handle: runtime.handle().clone(),
        guards: Mutex::default(),
        pending: AtomicUsize::new(0),
        panics: AtomicUsize::new(0),
    });
    runtime.block_on(async {
        let waker = Waker::from(Arc::clone(&moment));
        let mut guards = moment.guards.lock().expect("no panics");
        // More than a runtime fires before it wakes the first.
        for _ in 0..100 {
            let mut sleep = pool.get(HOUR);
            assert!(Pin::new(&mut sleep).poll(&mut Context::from_waker(&waker)).is_pending());
            guards.push(sleep);
        }
    });
    drop(runtime);
    assert!(moment.pending.load(Ordering::Relaxed) > 0, "dropped too late to tell");
    assert_eq!(moment.panics.load(Ordering::Relaxed), 0);
    assert_eq!((pool.stats().in_use, Arc::strong_count(&moment)), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn intervals_tick_at_once_and_then_by_their_period() {
    let pool = IntervalPool::new(4, Duration::from_secs(5));
    assert_eq!(pool.period(), Duration::from_secs(5));
    for round in 0..3 {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let start = Instant::now();
        let mut interval = pool.get();
        for tick in 0..4 {
            assert_eq!(interval.tick().await, start + Duration::from_secs(5 * tick));
        }
        assert_eq!((pool.stats().hits, pool.stats().misses), (round, 1));
    }

    let start = Instant::now();
    let mut interval = pool.get_at(start + Duration::from_secs(1));
    interval.tick().await;
    assert_eq!(start.elapsed().as_secs(), 1);
    interval.tick().await;
    assert_eq!(start.elapsed().as_secs(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_returned_interval_is_as_new() {
    let pool = IntervalPool::new(4, HOUR);
    let count = Arc::new(Wakes::default());
    let waker = Waker::from(Arc::clone(&count));
    let mut interval = pool.get();
    interval.set_missed_tick_behavior(MissedTickBehavior::Skip);
    interval.tick().await;
    assert!(interval.poll_tick(&mut Context::from_waker(&waker)).is_pending());
    drop((interval, waker));
    assert_eq!((Arc::strong_count(&count), pool.len()), (1, 1), "it let go of the waker");

    let interval = pool.get();
    assert_eq!(pool.stats().hits, 1);
    assert_eq!(interval.missed_tick_behavior(), MissedTickBehavior::Burst);
}

#[tokio::test]
async fn an_interval_of_another_period_is_not_kept() {
    let pool = IntervalPool::new(4, HOUR);
    let mut interval = pool.get();
    **interval = tokio::time::interval(2 * HOUR);
    drop(interval);
    assert_eq!((pool.stats().discarded_unfit, pool.len()), (1, 0));
}

#[test]
fn intervals_of_another_runtime_are_not_handed_out() {
    let pool = IntervalPool::new(4, Duration::from_millis(5));
    let one = runtime();
    let outside = one.block_on(async {
        drop(pool.get());
        [pool.get(), pool.get()]
    });
    drop(outside);
    assert_eq!((pool.stats().discarded_unfit, pool.len()), (2, 0));

    one.block_on(async { drop(pool.get()) });
    drop(one);
    runtime().block_on(async {
        let mut interval = pool.get();
        interval.tick().await;
        interval.tick().await;
    });
    assert_eq!((pool.stats().discarded_by_user, pool.len()), (1, 1));
}

#[test]
fn a_period_of_zero_is_refused() {
    let error = IntervalPool::builder(4, Duration::ZERO).build().expect_err("no period");
    assert_eq!(error.field(), "period");
    let said = refused(|| IntervalPool::new(4, Duration::ZERO), PoolStats::default).0;
    assert_eq!(said, error.to_string());
}

#[tokio::test]
async fn timers_can_be_made_ahead() -> Result<(), bp::BuildError> {
    let sleeps = SleepPool::builder(8).preload(0.5).build()?;
    let intervals = IntervalPool::builder(8, HOUR).preload(0.25).build()?;
    assert_eq!((sleeps.len(), intervals.len()), (4, 2));
    sleeps.get(Duration::from_millis(1)).await;
    intervals.get().tick().await;
    assert_eq!((sleeps.stats().hits, intervals.stats().hits), (1, 1));
    Ok(())
}

#[tokio::test]
async fn pools_of_timers_trim_clear_and_close() {
    let pool = SleepPool::new(8);
    let four = || [(); 4].map(|()| pool.get(HOUR));
    drop(four());
    assert_eq!((pool.trim(), pool.trim(), pool.is_empty()), (0, 4, true));
    drop(four());
    assert_eq!(pool.clear(), 4);
    let guards = four();
    pool.clone().close();
    drop(guards);
    assert_eq!((pool.stats().discarded_closed, pool.len(), pool.capacity()), (4, 0, 8));
    assert_eq!(format!("{pool:?}"), "SleepPool { len: 0, capacity: 8, .. }");
}

#[tokio::test]
async fn warm_timers_allocate_nothing() {
    let (sleeps, intervals) = (SleepPool::new(4), IntervalPool::new(4, HOUR));
    let sleep = || {
        let mut sleep = sleeps.get(HOUR);
        assert!(poll_once(Pin::new(&mut sleep)).is_pending());
    };
    sleep();
    assert_eq!(allocated_by(sleep), Allocated::NOTHING);
    let tick = || poll_once(pin!(intervals.get().tick())).is_ready();
    tick();
    assert_eq!(allocated_by(tick), Allocated::NOTHING);

    // What that saves.
    let fresh = allocated_by(|| {
        let mut sleep = Box::pin(tokio::time::sleep(HOUR));
        assert!(poll_once(sleep.as_mut()).is_pending());
    });
    assert_eq!(fresh.times, 1);
}

#[test]
fn timers_may_travel() {
    fn send_sync<T: Send + Sync + Unpin + 'static>() {}
    send_sync::<SleepPool>();
    send_sync::<IntervalPool>();
    send_sync::<SleepRef>();
    send_sync::<IntervalRef>();
    assert_eq!(size_of::<Option<SleepRef>>(), size_of::<usize>());
}
