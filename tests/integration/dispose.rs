//! The `dispose` step: an object that the pool lets go of is shown to it, once, and then dropped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use bp_tests::watch::panic_of;

/// What became of letters, in order.
type Log = Arc<Mutex<Vec<String>>>;

/// An object that tells of its end.
struct Letter {
    text: &'static str,
    log: Log,
}

impl Letter {
    fn note(&self, what: &str) {
        self.log.lock().unwrap().push(format!("{what} {}", self.text));
    }
}

impl Drop for Letter {
    fn drop(&mut self) {
        self.note("drop");
    }
}

bp::pool! {
    /// Letters that are shredded before they are dropped. Some texts make a step panic.
    struct LetterPool(Letter) -> LetterRef {
        config: Log,
        create: |log| Letter { text: "blank", log: Arc::clone(log) },
        reset: |letter, _| assert_ne!(letter.text, "no reset"),
        keep: |letter, _| {
            assert_ne!(letter.text, "no keep");
            letter.text != "unfit"
        },
        dispose: |letter, _| {
            letter.note("shred");
            assert_ne!(letter.text, "no shredding");
        },
        measure: |letter| {
            assert_ne!(letter.text, "no measure");
            (0, if letter.text == "large" { 1000 } else { 0 })
        },
    }
}

/// Makes a pool for one letter, and what tells of its end.
fn letters() -> (LetterPool, Log) {
    let log = Log::default();
    (LetterPool::new(1, Arc::clone(&log)), log)
}

/// Makes a letter that was never in a pool.
fn letter(text: &'static str, log: &Log) -> Letter {
    Letter { text, log: Arc::clone(log) }
}

/// Gets the pool's letter with this text in it.
fn written(pool: &LetterPool, text: &'static str) -> LetterRef {
    let mut guard = pool.get();
    guard.text = text;
    guard
}

#[track_caller]
fn assert_log(log: &Log, expected: &[&str]) {
    assert_eq!(std::mem::take(&mut *log.lock().unwrap()), expected);
}

#[test]
fn whatever_way_an_object_goes_it_is_disposed_of_first() {
    let (pool, log) = letters();

    LetterRef::discard(written(&pool, "discarded"));
    assert_log(&log, &["shred discarded", "drop discarded"]);

    drop(written(&pool, "unfit"));
    assert_log(&log, &["shred unfit", "drop unfit"]);

    let (one, two) = (written(&pool, "one"), written(&pool, "two"));
    drop(one);
    drop(two);
    assert_log(&log, &["shred two", "drop two"]);

    assert_eq!((pool.trim(), pool.trim()), (0, 1));
    assert_log(&log, &["shred one", "drop one"]);

    drop(written(&pool, "cleared"));
    pool.clear();
    assert_log(&log, &["shred cleared", "drop cleared"]);

    let panics = AssertUnwindSafe(|| {
        let _guard = written(&pool, "in use");
        panic!("while in use");
    });
    catch_unwind(panics).unwrap_err();
    assert_log(&log, &["shred in use", "drop in use"]);

    let late = written(&pool, "late");
    drop(written(&pool, "closed"));
    pool.close();
    assert_log(&log, &["shred closed", "drop closed"]);
    drop(late);
    assert_log(&log, &["shred late", "drop late"]);

    let (pool, log) = letters();
    drop(written(&pool, "left"));
    drop(pool);
    assert_log(&log, &["shred left", "drop left"]);
}

#[test]
fn a_step_that_panics_costs_the_object_but_not_its_disposal() {
    for (text, shred, dropped) in [
        ("no keep", "shred no keep", "drop no keep"),
        ("no measure", "shred no measure", "drop no measure"),
        ("no reset", "shred no reset", "drop no reset"),
    ] {
        let (pool, log) = letters();
        panic_of(|| drop(written(&pool, text)));
        assert_log(&log, &[shred, dropped]);
        panic_of(|| LetterRef::release(written(&pool, text)));
        assert_log(&log, &[shred, dropped]);
        panic_of(|| pool.put(letter(text, &log)));
        assert_log(&log, &[shred, dropped]);
        assert_eq!(pool.len(), 0);
    }
}

#[test]
fn what_its_user_has_again_is_not_disposed_of() {
    let (pool, log) = letters();

    drop(LetterRef::detach(written(&pool, "detached")));
    assert_log(&log, &["drop detached"]);

    drop(pool.take());
    assert_log(&log, &["drop blank"]);

    drop(pool.put(letter("unfit", &log)).unwrap_err());
    assert_log(&log, &["drop unfit"]);
    drop(LetterRef::release(written(&pool, "unfit")).unwrap_err());
    assert_log(&log, &["drop unfit"]);

    pool.put(letter("first", &log)).unwrap();
    drop(pool.put(letter("second", &log)).unwrap_err());
    assert_log(&log, &["drop second"]);

    pool.close();
    assert_log(&log, &["shred first", "drop first"]);
    drop(pool.put(letter("late", &log)).unwrap_err());
    assert_log(&log, &["drop late"]);
}

#[test]
fn a_disposal_that_panics_does_not_keep_the_object() {
    let (pool, log) = letters();
    panic_of(|| LetterRef::discard(written(&pool, "no shredding")));
    assert_log(&log, &["shred no shredding", "drop no shredding"]);
    assert_eq!(pool.stats().discarded_by_user, 1);
    drop(pool.get());
    assert_eq!(pool.len(), 1);
}

#[test]
fn one_made_to_learn_its_size_is_disposed_of_too() {
    let log = Log::default();
    let pool = LetterPool::builder(1, Arc::clone(&log)).retain_by_use().build().unwrap();
    // Nothing was created yet that this could be held against.
    pool.put(letter("large", &log)).unwrap();
    (0..5).for_each(|_| drop(pool.get()));
    assert_log(&log, &["shred blank", "drop blank", "shred large", "drop large"]);
}
