//! Functions in place of closures.

use super::*;

fn check(config: &LineConfig) -> Result<(), BuildError> {
    if config.tabs { Err(BuildError::new("tabs", true, "false")) } else { Ok(()) }
}

fn keep(line: &Line, config: &LineConfig) -> bool {
    line.number < config.width as u64
}

impl Line {
    fn of(config: &LineConfig) -> Self {
        Line { number: config.width as u64 - 1, ..Line::default() }
    }

    fn clean(&mut self, _: &LineConfig) {
        self.cleaned += 1;
    }

    fn bytes(&self) -> (usize, usize) {
        (self.text.len(), self.text.capacity())
    }
}

impl LineConfig {
    fn most(&self) -> usize {
        self.width
    }
}

bp::pool! {
    struct PathPool(Line) -> PathRef {
        config: super::LineConfig,
        check: check,
        create: Line::of,
        reset: Line::clean,
        keep: self::keep,
        measure: Line::bytes,
        limit: LineConfig::most,
    }
    struct DefaultPool(Vec<Line>) -> DefaultRef {
        create: |_| Default::default(),
        reset: |lines: &mut Vec<Line>, _: &()| lines.clear(),
        measure: |lines: &Vec<_>| (lines.len(), lines.capacity()),
    }
}

#[test]
fn functions_are_steps_as_closures_are() {
    let with = |tabs| PathPool::builder(2, LineConfig { width: 5, tabs }).build();
    assert_eq!(with(true).expect_err("tabs").field(), "tabs");
    let pool = with(false).expect("no tabs");
    assert_eq!(pool.get().number, 4);
    assert_eq!(pool.get().cleaned, 1);
    pool.get().text.reserve_exact(6);
    pool.get().number = 5;
    assert_eq!(pool.stats().discarded_unfit, 2);
}

#[test]
fn closures_may_have_types() {
    let pool = DefaultPool::new(2);
    pool.get().push(Line::default());
    assert!(pool.get().is_empty());
    assert!(pool.stats().bytes_idle > 0);
}
