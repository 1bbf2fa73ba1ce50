//! Loom models of the driver: every interleaving of two or three threads, one property each.
//!
//! Two timers are on two shards here. The clock stands still, and the channels are not loom's: what
//! is sent is sent under a lock, whose every turn loom chooses. A sleep of loom has no timeout, so
//! a lost wake is a deadlock.

use std::sync::atomic::AtomicBool;

use loom::thread;

use super::*;

const NOT_RUN: fn() -> io::Result<()> = || Ok(());

/// A driver with one timer that is due, and when.
fn due() -> (Arc<Driver>, Arc<Node>, Instant) {
    let (driver, now) = (Arc::new(Driver::new()), Instant::now());
    let node = driver.admit(NOT_RUN).expect("starts");
    driver.arm(&node, Some(now), Duration::ZERO);
    (driver, node, now)
}

/// What the thread does for a node that is due.
fn fire(driver: &Arc<Driver>, node: &Arc<Node>, now: Instant) -> thread::JoinHandle<bool> {
    let (driver, node) = (Arc::clone(driver), Arc::clone(node));
    thread::spawn(move || driver.schedule(&node).agenda.fire_first(now))
}

#[test]
fn nothing_is_received_after_a_stop() {
    loom::model(|| {
        let (driver, node, now) = due();
        let fires = fire(&driver, &node, now);

        assert!(driver.disarm(&node), "pending: nobody receives");
        assert!(node.receiver().is_empty());
        fires.join().unwrap();
        assert!(node.receiver().is_empty(), "fired for a stopped timer");
        assert!(!driver.disarm(&node));
    });
}

#[test]
fn reset_timer_fires_once_and_for_its_new_deadline() {
    loom::model(|| {
        let (driver, node, now) = due();
        let fires = fire(&driver, &node, now);

        let later = now + Duration::from_secs(1);
        assert!(driver.arm(&node, Some(later), Duration::ZERO));
        fires.join().unwrap();
        assert!(node.receiver().is_empty(), "fired for the old deadline");
        assert_eq!(driver.deadline(&node), Some(later));

        assert!(driver.schedule(&node).agenda.fire_first(later));
        assert_eq!(node.receiver().try_recv(), Ok(later));
        assert!(!driver.disarm(&node));
    });
}

/// Either somebody receives it, or the stop says that nobody did.
#[test]
fn value_is_received_or_taken_back() {
    loom::model(|| {
        let (driver, node, now) = due();
        let fires = fire(&driver, &node, now);
        let receives = {
            let (driver, node) = (Arc::clone(&driver), Arc::clone(&node));
            thread::spawn(move || {
                // For loom, which does not see the channel: here is a place to switch.
                driver.is_armed(&node);
                node.receiver().try_recv().is_ok()
            })
        };

        let stopped = driver.disarm(&node);
        fires.join().unwrap();
        assert_ne!(stopped, receives.join().unwrap());
    });
}

#[test]
fn ticker_that_is_stopped_while_it_ticks_does_not_tick_again() {
    loom::model(|| {
        let (driver, node, now) = due();
        let second = Duration::from_secs(1);
        driver.arm(&node, Some(now), second);
        let fires = fire(&driver, &node, now);

        assert!(driver.disarm(&node));
        fires.join().unwrap();
        assert!(!driver.schedule(&node).agenda.fire_first(now + second));
        assert!(node.receiver().is_empty());
    });
}

#[test]
fn timer_that_ends_while_it_fires_is_gone() {
    loom::model(|| {
        let (driver, node, now) = due();
        let fires = fire(&driver, &node, now);

        driver.dismiss(&node);
        fires.join().unwrap();
        assert_eq!(driver.schedule(&node).agenda.first(), None);
        assert_eq!(Arc::strong_count(&node), 1);
    });
}

/// The thread as it is, until it fired the node.
fn drive(driver: &Arc<Driver>, node: &Arc<Node>, now: Instant) -> thread::JoinHandle<()> {
    let (driver, node) = (Arc::clone(driver), Arc::clone(node));
    thread::spawn(move || {
        while node.receiver().is_empty() {
            driver.turn(|| now);
        }
    })
}

#[test]
fn thread_that_goes_to_sleep_misses_no_earlier_deadline() {
    loom::model(|| {
        let (driver, now) = (Arc::new(Driver::new()), Instant::now());
        let [far, near] = [(); 2].map(|()| driver.admit(NOT_RUN).expect("starts"));
        let drives = drive(&driver, &near, now);

        driver.arm(&far, Some(now + Duration::from_secs(1)), Duration::ZERO);
        driver.arm(&near, Some(now), Duration::ZERO);
        drives.join().unwrap();
        assert_eq!(near.receiver().try_recv(), Ok(now));
        assert!(far.receiver().is_empty());
    });
}

#[test]
fn two_that_arm_at_once_wake_the_thread_for_the_earlier() {
    loom::model(|| {
        let (driver, now) = (Arc::new(Driver::new()), Instant::now());
        let [far, near] = [(); 2].map(|()| driver.admit(NOT_RUN).expect("starts"));
        let drives = drive(&driver, &near, now);

        let arms = {
            let (driver, near) = (Arc::clone(&driver), Arc::clone(&near));
            thread::spawn(move || driver.arm(&near, Some(now), Duration::ZERO))
        };
        driver.arm(&far, Some(now + Duration::from_secs(1)), Duration::ZERO);
        arms.join().unwrap();
        drives.join().unwrap();
    });
}

/// A stop leaves the thread to wake for nothing; that must not keep it from the next one.
#[test]
fn thread_that_slept_for_a_stopped_timer_is_woken_for_the_next() {
    loom::model(|| {
        let (driver, now) = (Arc::new(Driver::new()), Instant::now());
        let node = driver.admit(NOT_RUN).expect("starts");
        let drives = drive(&driver, &node, now);

        driver.arm(&node, Some(now + Duration::from_secs(1)), Duration::ZERO);
        driver.disarm(&node);
        driver.arm(&node, Some(now), Duration::ZERO);
        drives.join().unwrap();
    });
}

/// A time to look that is past, and was left standing, would pass for one to come.
#[test]
fn timer_that_fired_fires_again() {
    loom::model(|| {
        let (driver, now) = (Arc::new(Driver::new()), Instant::now());
        let node = driver.admit(NOT_RUN).expect("starts");
        // Of std: it orders nothing that loom looks at.
        let again = Arc::new(AtomicBool::new(false));
        let drives = {
            let (driver, node, again) = (Arc::clone(&driver), Arc::clone(&node), again.clone());
            thread::spawn(move || {
                while node.receiver().is_empty() || !again.load(Ordering::Relaxed) {
                    driver.turn(|| now);
                }
            })
        };

        driver.arm(&node, Some(now), Duration::ZERO);
        while driver.is_armed(&node) {
            thread::yield_now();
        }
        again.store(true, Ordering::Relaxed);
        driver.arm(&node, Some(now), Duration::ZERO);
        drives.join().unwrap();
    });
}

#[test]
fn thread_is_started_once() {
    loom::model(|| {
        let driver = Arc::new(Driver::new());
        let starts = Arc::new(AtomicUsize::new(0));
        let admit = |driver: &Driver, starts: &AtomicUsize| {
            let start = || {
                starts.fetch_add(1, Ordering::Relaxed);
                Ok(())
            };
            driver.admit(start).expect("starts");
        };
        let other = {
            let (driver, starts) = (Arc::clone(&driver), Arc::clone(&starts));
            thread::spawn(move || admit(&driver, &starts))
        };
        admit(&driver, &starts);
        other.join().unwrap();
        assert_eq!(starts.load(Ordering::Relaxed), 1);
    });
}
