//! What builders refuse, and what they cost.

use std::sync::Arc;

use bp::{BufferPool, BuildError, BytePool, Pool, Poolable, Recipe};
use bp_tests::allocations::allocated_by;
use bp_tests::probe::{ProbePool, Step, Steps, probes};
use bp_tests::watch::panic_of;

/// An object that does not measure itself.
struct Plain;

impl Poolable for Plain {
    type Config = ();

    fn create((): &()) -> Self {
        Plain
    }

    fn reset(&mut self, (): &()) {}
}

/// Asserts that the error names the field and the value.
#[track_caller]
fn refuses<T>(built: Result<T, BuildError>, field: &str, value: &str) {
    let Err(error) = built else { panic!("took {field} {value}") };
    assert_eq!((error.field(), error.value()), (field, value));
    let message = error.to_string();
    assert_eq!(message, format!("{field} is {value}, but must be {}", error.rule()));
    assert_eq!(format!("{error:?}"), format!("BuildError({message})"));
}

#[test]
fn a_preload_rate_is_from_0_to_1() {
    let with = |rate| Pool::<Plain>::builder(12, ()).preload(rate).build();
    refuses(with(2.0), "preload", "2");
    refuses(with(-1.0), "preload", "-1");
    refuses(with(f64::NAN), "preload", "NaN");
    refuses(with(f64::INFINITY), "preload", "inf");
    refuses(with(1.0 + f64::EPSILON), "preload", "1.0000000000000002");
    for (rate, idle) in [(0.0, 0), (-0.0, 0), (0.25, 3), (0.99, 11), (1.0, 12)] {
        assert_eq!(with(rate).expect("a rate").len(), idle);
    }
}

#[test]
fn a_preload_rate_of_percents_is_exact() {
    // As binary fractions, several of the hundred come out a hair below the number they mean.
    for percent in 0..=100_u8 {
        let rate = f64::from(percent) / 100.0;
        let pool = Pool::<Plain>::builder(100, ()).preload(rate).build().expect("a rate");
        assert_eq!(pool.len(), usize::from(percent));
    }
    let third = Pool::<Plain>::builder(100, ()).preload(1.0 / 3.0).build().expect("a rate");
    assert_eq!(third.len(), 33);
    let almost = Pool::<Plain>::builder(1000, ()).preload(0.9999).build().expect("a rate");
    assert_eq!(almost.len(), 999);
}

#[test]
fn a_refused_pool_creates_nothing() {
    let steps = Steps::new();
    let built = ProbePool::builder(4, Arc::clone(&steps)).preload(1.5).build();
    refuses(built.map(drop), "preload", "1.5");
    assert_eq!((steps.count(Step::Create), Arc::strong_count(&steps)), (0, 1));
}

#[test]
fn retention_by_use_needs_a_measure() {
    let built = Pool::<Plain>::builder(4, ()).retain_by_use().build();
    refuses(built, "retain_by_use", "on");
    assert!(BufferPool::builder(4, 16).retain_by_use().build().is_ok());
}

#[test]
fn a_size_is_at_least_1_and_can_be_allocated() {
    let above = isize::MAX.unsigned_abs() + 1;
    refuses(BytePool::builder(4, 0).build(), "size", "0");
    refuses(BufferPool::builder(4, 0).build(), "size", "0");
    for size in [above, usize::MAX] {
        refuses(BytePool::builder(4, size).build(), "size", &size.to_string());
        refuses(BufferPool::builder(4, size).build(), "size", &size.to_string());
    }
    // Nothing of that size exists yet.
    let largest = BufferPool::builder(4, above - 1).build().expect("not yet too large");
    assert_eq!(largest.config().size(), above - 1);
    assert!(largest.config().max_size() >= above - 1, "no overflow on the way");
}

#[test]
fn a_size_factor_is_finite_and_at_least_1() {
    for (factor, shown) in [
        (0.0, "0"),
        (-1.0, "-1"),
        (1.0 - f64::EPSILON, "0.9999999999999998"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        let field = "max_size_factor";
        refuses(BytePool::builder(4, 16).max_size_factor(factor).build(), field, shown);
        refuses(BufferPool::builder(4, 16).max_size_factor(factor).build(), field, shown);
    }
    let one = BufferPool::builder(4, 16).max_size_factor(1.0).build().expect("a factor");
    assert_eq!(one.config().max_size(), 16);
    let most = BytePool::builder(4, 16).max_size_factor(f64::MAX).build().expect("a factor");
    assert_eq!(most.config().max_size(), usize::MAX);
}

#[test]
fn the_first_mistake_is_the_one_told() {
    let build = || BufferPool::builder(4, 16).max_size_factor(0.5);
    refuses(build().max_size_factor(f64::NAN).build(), "max_size_factor", "0.5");
    refuses(build().max_size_factor(2.0).build(), "max_size_factor", "0.5");
}

#[test]
fn new_panics_with_the_message_of_the_error() {
    assert_eq!(panic_of(|| BytePool::new(4, 0)), "size is 0, but must be at least 1");
    assert_eq!(panic_of(|| BufferPool::new(4, 0)), "size is 0, but must be at least 1");
}

#[test]
fn new_panics_where_it_was_called() {
    use std::panic::{catch_unwind, set_hook, take_hook};
    use std::sync::Mutex;

    let others = Arc::new(take_hook());
    let files = Arc::new(Mutex::new(Vec::new()));
    let (before, seen) = (Arc::clone(&others), Arc::clone(&files));
    let here = std::thread::current().id();
    set_hook(Box::new(move |info| {
        if std::thread::current().id() == here {
            let file = info.location().map(|at| at.file().to_owned());
            seen.lock().expect("no panic here").push(file);
        }
        before(info);
    }));
    let typed = catch_unwind(|| BytePool::new(4, 0));
    let plain = catch_unwind(|| Pool::<Refused>::new(4, ()));
    set_hook(Box::new(move |info| others(info)));
    assert!(typed.is_err() && plain.is_err());
    let here = Some(file!().to_owned());
    assert_eq!(*files.lock().expect("no panic here"), [here.clone(), here]);
}

#[test]
fn configure_changes_the_config() {
    let pool = Pool::<Tagged>::builder(4, 1)
        .configure(|tag| *tag += 1)
        .configure(|tag| *tag *= 10)
        .preload(0.5)
        .build()
        .expect("nothing to refuse");
    assert_eq!((*pool.config(), pool.get().0), (20, 20));
}

#[test]
fn debug_of_a_builder_shows_what_is_set() {
    let shown = format!("{:?}", Pool::<Tagged>::builder(4, 7).preload(0.5));
    assert_eq!(shown, "Builder { capacity: 4, config: 7, preload: 0.5, retain_by_use: false, .. }");
}

/// A pool that cannot be built.
struct Refused;

impl Recipe for Refused {
    type Item = u8;
    type Config = ();

    fn create((): &()) -> u8 {
        0
    }

    fn reset(_: &mut u8, (): &()) {}

    fn check((): &()) -> Result<(), BuildError> {
        Err(BuildError::new("object", "refused", "one that is not"))
    }
}

/// An object that shows the config it was made with.
struct Tagged(u32);

impl Poolable for Tagged {
    type Config = u32;

    fn create(tag: &u32) -> Self {
        Tagged(*tag)
    }

    fn reset(&mut self, _: &u32) {}
}

#[test]
fn a_pool_costs_no_memory_for_objects_that_do_not_exist() {
    // The shards of the largest machine, and pointers to the rings behind them.
    let few = 32 * 1024;
    for capacity in [0, 1, 1000, 1_000_000, usize::MAX / 2, usize::MAX - 1, usize::MAX] {
        let allocated = allocated_by(|| Pool::<Plain>::new(capacity, ()));
        assert!(allocated.bytes < few, "{capacity}: {allocated:?}");

        let pool = BufferPool::new(capacity, 64);
        assert_eq!(pool.capacity(), capacity);
        let returned = allocated_by(|| drop((0..100).map(|_| pool.get()).collect::<Vec<_>>()));
        assert!(returned.bytes < 100 * 1024, "{capacity}: {returned:?}");
        assert_eq!(pool.len(), capacity.min(100));
    }
}

#[test]
fn a_large_pool_fills_and_drains_to_the_last_object() {
    let (pool, steps) = probes(10_000);
    drop((0..10_001).map(|_| pool.get()).collect::<Vec<_>>());
    assert_eq!((pool.len(), steps.alive()), (10_000, 10_000));
    let guards: Vec<_> = std::iter::from_fn(|| pool.try_get()).collect();
    assert_eq!((guards.len(), pool.len()), (10_000, 0));
}
