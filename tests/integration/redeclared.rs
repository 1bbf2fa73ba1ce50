//! A built-in pool made once more, outside the crate, with what every user has.
//!
//! Were a built-in privileged, something here could not be written.

use std::io::{self, Write};

use bp::{BufferPool, BufferRef, BuildError, Builder};
use bp_tests::suite;

bp::pool! {
    /// [`BufferPool`], line by line.
    struct OwnPool(Vec<u8>) -> OwnRef {
        config: OwnConfig,
        new: |size: usize| OwnConfig::new(size),
        check: OwnConfig::check,
        create: |config| Vec::with_capacity(config.size),
        reset: |buffer, config| config.empty(buffer),
        keep: |buffer, config| config.is_fit(buffer),
        measure: |buffer| (buffer.len(), buffer.capacity()),
        limit: |config| config.max,
    }
}

/// What the buffers of an [`OwnPool`] share.
#[derive(Clone, Debug)]
struct OwnConfig {
    size: usize,
    max: usize,
    max_is_set: bool,
    auto_grow: bool,
    wrong_factor: Option<f64>,
}

impl OwnConfig {
    fn new(size: usize) -> Self {
        OwnConfig {
            size,
            max: size.saturating_add(size / 4),
            max_is_set: false,
            auto_grow: false,
            wrong_factor: None,
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.size == 0 {
            return Err(BuildError::new("size", self.size, "at least 1"));
        }
        match self.wrong_factor {
            Some(factor) => {
                Err(BuildError::new("max_size_factor", factor, "finite and at least 1"))
            }
            None => Ok(()),
        }
    }

    fn is_fit(&self, buffer: &Vec<u8>) -> bool {
        let capacity = buffer.capacity();
        (capacity >= self.size || self.auto_grow) && !(self.max_is_set && capacity > self.max)
    }

    fn empty(&self, buffer: &mut Vec<u8>) {
        buffer.clear();
        if buffer.capacity() < self.size {
            buffer.reserve_exact(self.size);
        }
    }
}

/// Setters with the look of the built-in's. Inherent ones are for the crate of the `Builder` only.
trait OwnSetters: Sized {
    fn max_size_factor(self, factor: u32) -> Self;
    fn auto_grow(self, on: bool) -> Self;
}

impl OwnSetters for Builder<OwnPool> {
    fn max_size_factor(self, factor: u32) -> Self {
        self.configure(|config| {
            if factor == 0 {
                config.wrong_factor = Some(0.0);
            }
            config.max = config.size * factor as usize;
            config.max_is_set = true;
        })
    }

    fn auto_grow(self, on: bool) -> Self {
        self.configure(|config| config.auto_grow = on)
    }
}

impl Write for OwnRef {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

suite! {
    mod own for OwnPool, OwnRef, Vec<u8> {
        build: |capacity| OwnPool::builder(capacity, 64),
        dirty: |buffer| buffer.push(b'x'),
        blank: |buffer| buffer.is_empty() && buffer.capacity() >= 64,
    }
}

/// The same acts on both pools leave the same figures, bytes among them.
macro_rules! figures_of {
    ($pool:expr, $Ref:ident) => {{
        let pool = $pool;
        for size in [1, 64, 80, 81, 128, 129, 1000] {
            let mut buffer = pool.get();
            buffer.write_all(&vec![b'x'; size]).expect("memory");
            drop(buffer);
            let mut buffer = pool.get();
            buffer.shrink_to(0);
            let _ = $Ref::release(buffer);
            let _ = pool.put(Vec::with_capacity(size));
        }
        pool.stats()
    }};
}

#[test]
fn the_copy_keeps_what_the_built_in_keeps() {
    let build = BufferPool::builder(3, 64);
    let own_build = OwnPool::builder(3, 64);
    let stats = figures_of!(build.build().expect("right"), BufferRef);
    assert_eq!(figures_of!(own_build.build().expect("right"), OwnRef), stats);
    assert!(stats.discarded_unfit > 0 && stats.returned > 0 && stats.put > 0, "{stats:?}");
}

#[test]
fn the_copy_has_the_setters_of_the_built_in() {
    let build = || BufferPool::builder(3, 64).auto_grow(true).max_size_factor(2.0);
    let own_build = || OwnPool::builder(3, 64).auto_grow(true).max_size_factor(2);
    let stats = figures_of!(build().build().expect("right"), BufferRef);
    assert_eq!(figures_of!(own_build().build().expect("right"), OwnRef), stats);

    let stats = figures_of!(build().retain_by_use().build().expect("right"), BufferRef);
    assert_eq!(figures_of!(own_build().retain_by_use().build().expect("right"), OwnRef), stats);
}

#[test]
fn the_copy_refuses_what_the_built_in_refuses() {
    let refused = BufferPool::builder(3, 0).build().expect_err("no size");
    assert_eq!(OwnPool::builder(3, 0).build().expect_err("no size"), refused);
    let refused = BufferPool::builder(3, 64).max_size_factor(0.0).build().expect_err("a factor");
    let own = OwnPool::builder(3, 64).max_size_factor(0).build().expect_err("a factor");
    assert_eq!(own, refused);
}
