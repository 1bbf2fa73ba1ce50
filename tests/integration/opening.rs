//! The `open` step of `pool!`, which acquires what a pool works with, and constructors that fail.

use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex};

use bp::{BuildError, Builder, Recipe};

type Log = Arc<Mutex<Vec<String>>>;

#[derive(Debug)]
struct Config {
    log: Log,
    fails: bool,
    lanes: Option<usize>,
}

impl Config {
    fn new(log: &Log, fails: bool) -> Self {
        Config { log: Arc::clone(log), fails, lanes: None }
    }

    fn note(&self, step: &str) {
        self.log.lock().unwrap().push(step.to_string());
    }
}

/// An error of one's own.
#[derive(Debug)]
struct NoLanes(BuildError);

impl From<BuildError> for NoLanes {
    fn from(error: BuildError) -> Self {
        NoLanes(error)
    }
}

fn check(config: &Config) -> Result<(), BuildError> {
    config.note("check");
    match config.lanes {
        Some(lanes) => Err(BuildError::new("lanes", lanes, "not open yet")),
        None => Ok(()),
    }
}

fn open(config: &mut Config, capacity: usize) -> Result<(), BuildError> {
    config.note(&format!("open {capacity}"));
    if config.fails {
        let refused = io::Error::from(io::ErrorKind::PermissionDenied);
        return Err(BuildError::new("lanes", capacity, "free").with_source(refused));
    }
    config.lanes = Some(capacity);
    Ok(())
}

fn create(config: &Config) -> usize {
    config.note("create");
    config.lanes.expect("open comes first")
}

bp::pool! {
    /// Refuses to be made without a panic.
    struct LanePool(usize) -> LaneRef {
        config: Config,
        new: |log: &Log, fails: bool| -> io::Result<Self> { Config::new(log, fails) },
        check: check,
        open: open,
        create: create,
    }

    /// The same with an error of its own, and `open` without `check`.
    struct OwnErrorPool(usize) -> OwnErrorRef {
        config: Config,
        new: |fails: bool| -> Result<Self, NoLanes> { Config::new(&Log::default(), fails) },
        open: |config, capacity| open(config, capacity + 1),
        create: create,
    }

    /// No arguments.
    struct BarePool(usize) -> BareRef {
        config: Config,
        new: || -> Result<Self, BuildError> { Config::new(&Log::default(), true) },
        open: open,
        create: create,
    }

    /// `new` panics where it does not say otherwise.
    struct PanickingPool(usize) -> PanickingRef {
        config: Config,
        open: open,
        create: create,
    }
}

#[test]
fn open_runs_once_between_check_and_the_first_create() {
    let log = Log::default();
    let pool = LanePool::builder(8, &log, false).preload(0.25).build().unwrap();
    assert_eq!(*log.lock().unwrap(), ["check", "open 8", "create", "create"]);
    assert_eq!(pool.config().lanes, Some(8));

    let more: Vec<_> = (0..3).map(|_| pool.clone().get()).collect();
    assert_eq!(more.iter().map(|lane| **lane).collect::<Vec<_>>(), [8, 8, 8]);
    assert_eq!(log.lock().unwrap().iter().filter(|step| step.starts_with("open")).count(), 1);
}

#[test]
fn failing_open_creates_nothing() {
    let log = Log::default();
    let error = LanePool::builder(8, &log, true).preload(1.0).build().unwrap_err();
    assert_eq!((error.field(), error.value()), ("lanes", "8"));
    assert_eq!(*log.lock().unwrap(), ["check", "open 8"]);
    assert_eq!(Arc::strong_count(&log), 1, "the config is gone");
}

#[test]
fn new_returns_what_it_says() {
    let log = Log::default();
    let pool: io::Result<LanePool> = LanePool::new(4, &log, false);
    assert_eq!(*pool.unwrap().get(), 4);

    let error: io::Error = LanePool::new(4, &log, true).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(error.to_string(), "lanes is 4, but must be free");

    assert_eq!(*OwnErrorPool::new(4, false).unwrap().get(), 5);
    let NoLanes(error) = OwnErrorPool::new(4, true).unwrap_err();
    assert_eq!(error.field(), "lanes");
    assert_eq!(BarePool::new(5).unwrap_err(), error);
}

#[test]
#[should_panic = "lanes is 4, but must be free"]
fn new_panics_without_a_return_type() {
    let _ = PanickingPool::new(4, Config::new(&Log::default(), true));
}

#[test]
fn error_without_a_source_is_invalid_input() {
    let error = BuildError::new("width", 0, "at least 1");
    assert!(error.source().is_none());
    let error = io::Error::from(error);
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    assert!(error.get_ref().unwrap().is::<BuildError>());
}

#[test]
fn errors_differ_by_the_kind_of_their_source() {
    let plain = BuildError::new("width", 0, "at least 1");
    let of = |kind| plain.clone().with_source(io::Error::from(kind));
    assert_eq!(of(io::ErrorKind::NotFound), of(io::ErrorKind::NotFound));
    assert_ne!(of(io::ErrorKind::NotFound), of(io::ErrorKind::OutOfMemory));
    assert_ne!(of(io::ErrorKind::NotFound), plain);
    assert_eq!(
        format!("{:?}", of(io::ErrorKind::NotFound)),
        "BuildError(width is 0, but must be at least 1: entity not found)"
    );
}

/// `pool!` writes what one can write by hand.
#[test]
fn recipe_by_hand_opens_too() {
    struct Hand;

    impl Recipe for Hand {
        type Item = usize;
        type Config = usize;

        fn create(config: &usize) -> usize {
            *config
        }

        fn reset(_: &mut usize, _: &usize) {}

        fn open(config: &mut usize, capacity: usize) -> Result<(), BuildError> {
            *config += capacity;
            Ok(())
        }
    }

    let pool = Builder::<bp::Pool<Hand>>::new(3, 4).build().unwrap();
    assert_eq!(*pool.get(), 7);
}
