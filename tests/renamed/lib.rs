//! Uses `bp` by a name that it does not know itself by.

use my_bp::BuildError;

/// What lines share.
#[derive(Debug)]
pub struct LineConfig {
    width: usize,
}

my_bp::pool! {
    /// Lines of text.
    pub struct LinePool(String) -> LineRef: str {
        config: LineConfig,
        new: |width: usize| LineConfig { width },
        check: |config| match config.width {
            0 => Err(BuildError::new("width", 0, "at least 1")),
            _ => Ok(()),
        },
        create: |config| String::with_capacity(config.width),
        reset: |line, _config| line.clear(),
        keep: |line, config| line.capacity() <= 4 * config.width,
        measure: |line| (line.len(), line.capacity()),
        limit: |config| 2 * config.width,
        get: |line, start: &str| line.push_str(start),
    }

    /// Lines for everyone.
    pub static LINES: LinePool = LinePool::new(4, 80);

    /// Numbers, by their own steps.
    pub struct NumberPool(Number) -> NumberRef;

    /// Text, with a key.
    pub struct TextPool(String) -> TextRef {
        config: usize,
        create: |size| String::with_capacity(*size),
        reset: |text, _size| text.clear(),
    }
}

my_bp::multi_pool! {
    /// Text by size.
    pub struct MultiTextPool(TextPool) -> TextRef {
        size: |text| text.capacity(),
        fit: |text, size| text.reserve(*size),
    }
}

/// A type of one's own.
#[derive(Debug)]
pub struct Number(pub u64);

impl my_bp::Poolable for Number {
    type Config = ();

    fn create((): &()) -> Self {
        Number(1)
    }

    fn reset(&mut self, (): &()) {
        self.0 = 0;
    }
}

#[test]
fn pools_work_under_another_name() {
    assert_eq!(&*LINES.get("a"), "a");
    assert_eq!(&*LINES.get("b"), "b");
    assert_eq!(LinePool::builder(4, 0).build().expect_err("no width").field(), "width");

    let numbers = NumberPool::new(2);
    assert_eq!(numbers.get().0, 1);
    assert_eq!(numbers.get().0, 0);
    let text = MultiTextPool::builder().class(1, 8).build().expect("one class");
    assert!(text.get(5).capacity() >= 8);

    let pools: [&dyn my_bp::AnyPool; 2] = [&*LINES, &numbers];
    assert_eq!(pools.map(|pool| pool.stats().hits), [1, 1]);
}
