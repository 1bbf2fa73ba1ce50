//! What the system refuses, and threads that end or do not: each costs itself and nothing else.
//!
//! Mappings that are refused are in `mmap`, panics of one thread in `panics`.

use std::panic::resume_unwind;
use std::sync::mpsc::channel;
use std::thread;

use bp::{AnyPool, BufferPool, PutReason};
use bp_tests::ledger::balance;
use bp_tests::probe::{ProbeRef, Step, probes};
use bp_tests::threads::together;

#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_cannot_start_is_an_error_and_the_next_pool_tries_again() {
    use std::error::Error;
    use std::io::{self, ErrorKind};
    use std::time::Duration;

    use bp::{TickerPool, TimerPool};
    use bp_tests::child::{in_child, lift_limit, limit_address_space};
    use bp_tests::watch::panic_of;

    let name = "faults::a_driver_that_cannot_start_is_an_error_and_the_next_pool_tries_again";
    in_child(name, || {
        // Less than the stack of a thread.
        limit_address_space(1 << 18);
        let timers = TimerPool::builder(4).build().unwrap_err();
        let tickers = TickerPool::builder(4).build().unwrap_err();
        let panic = panic_of(|| TimerPool::new(4));
        lift_limit();

        assert_eq!((timers.field(), tickers.field()), ("driver", "driver"));
        assert!(panic.contains(&timers.to_string()), "{panic}");
        assert!(timers.source().is_some_and(<dyn Error>::is::<io::Error>));
        assert_ne!(io::Error::from(timers).kind(), ErrorKind::InvalidInput, "not a bad argument");
        let timers = TimerPool::new(4);
        assert!(timers.get(Duration::from_millis(1)).wait().is_some());
    });
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_leaves_the_pool_as_it_was() {
    use std::collections::TryReserveError;
    use std::io::{self, ErrorKind};

    use bp_tests::child::{in_child, lift_limit, limit_address_space};

    in_child("faults::memory_that_the_system_refuses_leaves_the_pool_as_it_was", || {
        let pool = BufferPool::new(2, 64);
        let large = || {
            let mut buffer = Vec::new();
            buffer.try_reserve(64 << 20)?;
            Ok::<Vec<u8>, TryReserveError>(buffer)
        };
        let before = pool.stats();
        limit_address_space(16 << 20);
        let refused = pool.try_get_with(large).map(drop);
        let meanwhile = pool.stats();
        // Grows until nothing more is granted, and does not abort.
        let endless = bp::read_all(&mut io::repeat(1)).map(drop);
        lift_limit();

        assert!(refused.is_err());
        assert_eq!(meanwhile, before);
        assert_eq!(endless.unwrap_err().kind(), ErrorKind::OutOfMemory);
        assert!(pool.try_get_with(large).unwrap().capacity() >= 64 << 20);
        assert_eq!(bp::read_all(&mut &b"short"[..]).unwrap()[..], b"short"[..]);
    });
}

#[test]
fn stress_threads_that_die_with_guards() {
    let (pool, steps) = probes(64);
    let threads: Vec<_> = (0..64)
        .map(|n| {
            let pool = pool.clone();
            thread::spawn(move || {
                let _guards = [pool.get(), pool.get(), pool.get()];
                if n % 2 == 0 {
                    // A panic without its message.
                    resume_unwind(Box::new("died"));
                }
            })
        })
        .collect();
    let died = threads.into_iter().map(thread::JoinHandle::join).filter(Result::is_err).count();
    assert_eq!(died, 32);
    let stats = pool.stats();
    balance(&stats);
    assert_eq!((stats.discarded_panic, stats.in_use), (3 * 32, 0));
    assert_eq!(stats.idle, steps.alive());
    let all: Vec<_> = (0..64).map(|_| pool.get()).collect();
    drop(all);
    assert_eq!(pool.len(), 64, "no room was lost with them");
}

/// A thread nobody joins, that sits on a guard: nobody waits for it.
#[test]
fn a_detached_thread_with_a_guard_holds_nobody_up() {
    let (pool, steps) = probes(2);
    let (got, held) = channel();
    let (go, going) = channel::<()>();
    let (tell, told) = channel();
    let sent = pool.clone();
    drop(thread::spawn(move || {
        let guard = sent.get();
        drop(sent);
        got.send(()).unwrap();
        going.recv().unwrap();
        tell.send(ProbeRef::release(guard).map_err(|refused| refused.reason)).unwrap();
    }));
    held.recv().unwrap();

    drop((pool.get(), pool.get()));
    assert_eq!((pool.len(), pool.stats().in_use), (2, 1));
    pool.trim();
    assert_eq!(pool.clear(), 2);
    pool.close();
    drop(pool);
    assert_eq!(steps.alive(), 1);

    go.send(()).unwrap();
    assert_eq!(told.recv().unwrap(), Err(PutReason::Closed));
    assert_eq!(steps.alive(), 0);
}

/// More than a number of 16 bits counts.
#[test]
fn seventy_thousand_threads_one_after_another_use_one_object() {
    let (pool, steps) = probes(4);
    for _ in 0..70_000 {
        let pool = pool.clone();
        thread::spawn(move || drop(pool.get())).join().unwrap();
    }
    let stats = pool.stats();
    balance(&stats);
    assert_eq!((stats.hits, stats.misses, stats.idle), (69_999, 1, 1));
    assert_eq!(steps.count(Step::Create), 1);
}

#[test]
fn five_hundred_threads_at_once_lose_nothing() {
    let (pool, steps) = probes(16);
    let shared = pool.clone();
    together(500, move |_| {
        for _ in 0..20 {
            let pair = (shared.get(), shared.get());
            assert!(shared.len() <= shared.capacity());
            thread::yield_now();
            drop(pair);
        }
    });
    let stats = pool.stats();
    balance(&stats);
    assert_eq!(stats.hits + stats.misses, 500 * 20 * 2);
    assert_eq!((stats.in_use, stats.idle), (0, steps.alive()));
    assert!(AnyPool::capacity(&pool) >= stats.idle);
}
