//! Each step beside `create`, by itself.

use super::*;

bp::pool! {
    struct CreatePool(Line) -> CreateRef { create: |_| Line::default() }
    struct ConfigPool(Line) -> ConfigRef {
        config: LineConfig,
        create: |config| Line { number: config.width as u64, ..Line::default() },
    }
    struct NewPool(Line) -> NewRef {
        config: LineConfig,
        new: |width: usize, tabs: bool| LineConfig { width, tabs },
        create: |_| Line::default(),
    }
    struct NewWithoutArgumentsPool(Line) -> NewWithoutArgumentsRef {
        config: LineConfig,
        new: || LineConfig { width: 7, tabs: true },
        create: |_| Line::default(),
    }
    struct CheckPool(Line) -> CheckRef {
        config: usize,
        check: |&width| match width {
            0 => Err(BuildError::new("width", width, "at least 1")),
            _ => Ok(()),
        },
        create: |_| Line::default(),
    }
    struct ResetPool(Line) -> ResetRef {
        create: |_| Line::default(),
        reset: |line, ()| line.cleaned += 1,
    }
    struct KeepPool(Line) -> KeepRef {
        create: |_| Line::default(),
        keep: |Line { number, .. }, _| *number < 10,
    }
    struct MeasurePool(Line) -> MeasureRef {
        create: |_| Line::default(),
        measure: |line| (line.text.len(), line.text.capacity()),
    }
    struct LimitPool(Line) -> LimitRef {
        config: usize,
        create: |_| Line::default(),
        measure: |line| (line.text.len(), line.text.capacity()),
        limit: |config| *config,
    }
    struct GetPool(Line) -> GetRef {
        create: |_| Line::default(),
        get: |line| line.number += 1,
    }
    struct GetWithArgumentsPool(Line) -> GetWithArgumentsRef {
        create: |_| Line::default(),
        get: |line, number: u64, text: &str| {
            line.number = number;
            line.text.push_str(text);
        },
    }
    struct TargetPool(String) -> TargetRef: str { create: |_| String::from("text") }
}

#[test]
fn create() {
    let pool = CreatePool::new(1);
    pool.get().number = 7;
    assert_eq!(pool.get().number, 7, "without a reset it stays as it is");
}

#[test]
fn config() {
    let pool = ConfigPool::new(1, LineConfig { width: 80, tabs: false });
    assert_eq!(pool.get().number, 80);
    assert_eq!(pool.config(), &LineConfig { width: 80, tabs: false });
}

#[test]
fn new() {
    assert_eq!(NewPool::new(1, 80, true).config(), &LineConfig { width: 80, tabs: true });
    let built = NewPool::builder(1, 81, false).build().expect("nothing to refuse");
    assert_eq!(built.config(), &LineConfig { width: 81, tabs: false });
    drop(built.get());
}

#[test]
fn new_without_arguments() {
    let pool = NewWithoutArgumentsPool::new(1);
    assert_eq!(pool.config(), &LineConfig { width: 7, tabs: true });
    drop(pool.get());
}

#[test]
fn check() {
    let error = CheckPool::builder(1, 0).build().expect_err("no width");
    assert_eq!(error.to_string(), "width is 0, but must be at least 1");
    assert_eq!(panic_of(|| CheckPool::new(1, 0)), "width is 0, but must be at least 1");
    // What is checked is what was configured in the end.
    let built = CheckPool::builder(1, 0).configure(|width| *width = 1).build();
    drop(built.expect("a width").get());
}

#[test]
fn reset() {
    let pool = ResetPool::new(1);
    assert_eq!(pool.get().cleaned, 0);
    assert_eq!(pool.get().cleaned, 1);
}

#[test]
fn keep() {
    let pool = KeepPool::new(1);
    pool.get().number = 9;
    assert_eq!((pool.len(), pool.get().number), (1, 9));
    pool.get().number = 10;
    assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
}

#[test]
fn measure() {
    let pool = MeasurePool::new(1);
    pool.get().text = String::with_capacity(100);
    assert_eq!(pool.stats().bytes_idle, 100);
    assert!(MeasurePool::builder(1).retain_by_use().build().is_ok());
}

#[test]
fn limit() {
    let pool = LimitPool::new(1, 100);
    pool.get().text = String::with_capacity(100);
    assert_eq!(pool.len(), 1);
    pool.get().text = String::with_capacity(101);
    assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
    let large = Line { text: String::with_capacity(101), ..Line::default() };
    assert_eq!(pool.put(large).expect_err("too large").reason, PutReason::Unfit);

    let pool = LimitPool::builder(1, 100).retain_by_use().build().expect("measures");
    pool.get().text = String::with_capacity(101);
    assert_eq!(pool.len(), 1, "retention by use takes its place");
}

#[test]
fn get() {
    let pool = GetPool::new(1);
    assert_eq!(pool.get().number, 1);
    assert_eq!(pool.try_get().expect("idle").number, 2);
    assert_eq!(pool.take().number, 3);
    assert_eq!(pool.get_with(|| Line { number: 10, ..Line::default() }).number, 11);
    let taken = pool.try_get_with(|| -> Result<_, ()> { unreachable!("one is idle") });
    assert_eq!(taken.expect("a hit").number, 12);
}

#[test]
fn get_with_arguments() {
    let pool = GetWithArgumentsPool::new(1);
    let shows = |line: &Line| (line.number, line.text.clone());
    assert!(pool.try_get(1, "a").is_none());
    assert_eq!(shows(&pool.get(1, "a")), (1, "a".into()), "on a miss");
    assert_eq!(shows(&pool.get(2, "b")), (2, "ab".into()), "on a hit");
    assert_eq!(shows(&pool.try_get(3, "c").expect("idle")), (3, "abc".into()));
    assert_eq!(shows(&pool.take(4, "d")), (4, "abcd".into()));
    let line = || Line { text: "new ".into(), ..Line::default() };
    assert_eq!(shows(&pool.get_with(5, "e", line)), (5, "new e".into()));
    pool.clear();
    let line = pool.try_get_with(6, "f", || Err("refused"));
    assert_eq!(line.map(drop).expect_err("refused"), "refused");
    let line = pool.try_get_with(7, "g", || Ok::<_, ()>(Line::default()));
    assert_eq!(shows(&line.expect("created")), (7, "g".into()));
}

#[test]
fn target() {
    let pool = TargetPool::new(1);
    let mut text = pool.get();
    text.make_ascii_uppercase();
    let shown: &str = &text;
    assert_eq!(shown, "TEXT");
    assert_eq!(format!("{text:?}"), "\"TEXT\"");
    // The object is the whole of it, the guard shows less.
    let whole: String = TargetRef::detach(text);
    pool.put(whole).expect("room");
}
