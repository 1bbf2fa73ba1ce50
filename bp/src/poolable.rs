//! The lifecycle of pooled objects: what a pool must know to make one, clean one and judge one.
//!
//! [`Poolable`] is the trait of a type of one's own. [`Recipe`] is what the store works with; it
//! names the item apart from the type that implements it, so that a foreign type can be pooled
//! too. Every `Poolable` is a recipe for itself, and so is every pool that `pool!` makes.

use crate::BuildError;

/// A type that knows its own lifecycle in a pool: create, keep, reset.
///
/// Usually derived; see the [derive](derive@crate::Poolable). Written by hand where the steps
/// are more than one expression per field.
///
/// # Examples
///
/// ```
/// use bp::{Pool, Poolable};
///
/// struct Frame {
///     pixels: Vec<u8>,
/// }
///
/// impl Poolable for Frame {
///     type Config = usize;
///
///     fn create(len: &usize) -> Self {
///         Frame { pixels: vec![0; *len] }
///     }
///
///     fn reset(&mut self, _len: &usize) {
///         self.pixels.fill(0);
///     }
///
///     fn keep(&self, len: &usize) -> bool {
///         self.pixels.len() == *len
///     }
/// }
///
/// let pool = Pool::<Frame>::new(4, 1024);
/// pool.get().pixels[0] = 7;
/// assert_eq!(pool.get().pixels[0], 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know its lifecycle in a pool",
    label = "not `Poolable`",
    note = "for a type of your own write `#[derive(bp::Poolable)]` above it",
    note = "for a foreign type write its steps: `bp::pool! {{ pub struct MyPool({Self}) -> MyRef {{ create: |_| .. }} }}`"
)]
pub trait Poolable: Sized {
    /// What all objects of one pool share: sizes, shapes, limits. `()` where there is nothing.
    type Config;

    /// Makes a new object, ready for use.
    fn create(config: &Self::Config) -> Self;

    /// Cleans an object that comes back, keeping its memory.
    fn reset(&mut self, config: &Self::Config);

    /// Says whether an object that comes back may stay; asked before [`reset`](Self::reset).
    ///
    /// By default every object stays. One that does not is dropped and counted as
    /// [`discarded_unfit`](crate::PoolStats::discarded_unfit).
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Pool, Poolable};
    ///
    /// struct Body(Vec<u8>);
    ///
    /// impl Poolable for Body {
    ///     type Config = usize;
    ///
    ///     fn create(_most: &usize) -> Self {
    ///         Body(Vec::new())
    ///     }
    ///
    ///     fn reset(&mut self, _most: &usize) {
    ///         self.0.clear();
    ///     }
    ///
    ///     fn keep(&self, most: &usize) -> bool {
    ///         self.0.capacity() <= *most
    ///     }
    /// }
    ///
    /// let pool = Pool::<Body>::new(8, 1024);
    /// pool.get().0.reserve(2000);
    /// assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
    /// ```
    fn keep(&self, config: &Self::Config) -> bool {
        let _ = config;
        true
    }
}

/// The steps of one pool, together: what it holds, and how that is made, judged and cleaned.
///
/// Not implemented by hand as a rule: every [`Poolable`] is a recipe for itself, and
/// [`pool!`](crate::pool!) writes one for any type.
///
/// The pool calls every step without holding a lock, so a step may use the same pool. A step may
/// panic: a `create` that does changes nothing, a `keep`, `measure` or `reset` that does costs
/// the one object it was called with.
///
/// # Examples
///
/// ```
/// use bp::{Pool, Recipe};
///
/// /// Lines of text, as long as they hold no more than a number of bytes.
/// enum Lines {}
///
/// impl Recipe for Lines {
///     type Item = String;
///     type Config = usize;
///     const MEASURED: bool = true;
///
///     fn create(_most: &usize) -> String {
///         String::new()
///     }
///
///     fn reset(line: &mut String, _most: &usize) {
///         line.clear();
///     }
///
///     fn measure(line: &String) -> (usize, usize) {
///         (line.len(), line.capacity())
///     }
///
///     fn limit(most: &usize) -> usize {
///         *most
///     }
/// }
///
/// let pool = Pool::<Lines>::new(8, 1024);
/// pool.get().push_str("short, and kept");
/// pool.get().reserve(2000); // the same line, too large now
/// assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "no pool knows how to make, keep and reset `{Self}`",
    label = "neither `Poolable` nor a pool made by `pool!`",
    note = "for a type of your own write `#[derive(bp::Poolable)]` above it",
    note = "for a foreign type write its steps: `bp::pool! {{ pub struct MyPool({Self}) -> MyRef {{ create: |_| .. }} }}`"
)]
pub trait Recipe {
    /// What the pool holds.
    type Item;

    /// What all items of one pool share.
    type Config;

    /// Whether [`measure`](Self::measure) tells something; byte figures and retention by use
    /// need it.
    const MEASURED: bool = false;

    /// Makes a new item, ready for use.
    fn create(config: &Self::Config) -> Self::Item;

    /// Cleans an item that comes back, keeping its memory.
    fn reset(item: &mut Self::Item, config: &Self::Config);

    /// Says whether an item that comes back may stay; asked before `reset`.
    ///
    /// # Examples
    ///
    /// See [`Poolable::keep`].
    fn keep(item: &Self::Item, config: &Self::Config) -> bool {
        let _ = (item, config);
        true
    }

    /// Looks at an item for the last time, before the pool drops it: as unfit, for want of room,
    /// in a thread that panics, by `discard`, `trim`, `clear` or closing. Not where an item leaves by
    /// `take`, `detach` or a refused `put` or `release`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// static CLOSED: AtomicUsize = AtomicUsize::new(0);
    ///
    /// bp::pool! {
    ///     /// Numbers of things that are to be closed, not only forgotten.
    ///     pub struct HandlePool(u32) -> HandleRef {
    ///         create: |_| 7,
    ///         dispose: |_handle, _| _ = CLOSED.fetch_add(1, Ordering::Relaxed),
    ///     }
    /// }
    ///
    /// let pool = HandlePool::new(8);
    /// HandleRef::discard(pool.get());
    /// drop(pool.get());
    /// assert_eq!(pool.clear(), 1);
    /// assert_eq!(CLOSED.load(Ordering::Relaxed), 2);
    ///
    /// let _mine: u32 = pool.take(); // left the pool, so it is not looked at
    /// assert_eq!(CLOSED.load(Ordering::Relaxed), 2);
    /// ```
    fn dispose(item: &mut Self::Item, config: &Self::Config) {
        let _ = (item, config);
    }

    /// Refuses a config that no pool can work with; asked once, when a pool is built.
    ///
    /// # Errors
    ///
    /// A [`BuildError`] that names the field and its value.
    ///
    /// # Examples
    ///
    /// See [`pool!`](crate::pool!#the-steps).
    fn check(config: &Self::Config) -> Result<(), BuildError> {
        let _ = config;
        Ok(())
    }

    /// Acquires what all items of one pool work with, such as a mapping or a thread; run once,
    /// when a pool is built, after [`check`](Self::check) and before anything is created.
    ///
    /// What it acquires belongs in the config, which lives as long as the pool and its guards. A
    /// multi pool has a pool for each class, and for each request that is larger than all of them
    /// one of capacity 0.
    ///
    /// # Errors
    ///
    /// A [`BuildError`] that names what could not be had;
    /// [`with_source`](BuildError::with_source) says why.
    ///
    /// # Examples
    ///
    /// See [`pool!`](crate::pool!#the-steps).
    fn open(config: &mut Self::Config, capacity: usize) -> Result<(), BuildError> {
        let _ = (config, capacity);
        Ok(())
    }

    /// Returns how many bytes the last user of an item used, and how many it holds.
    ///
    /// Asked before `reset`, where both count; and for the second alone after `reset`, of an item
    /// that was preloaded, and of a new one where the pool
    /// [retains by use](crate::Builder::retain_by_use).
    fn measure(item: &Self::Item) -> (usize, usize) {
        let _ = item;
        (0, 0)
    }

    /// Returns the most bytes an item may hold, as [`measure`](Self::measure) tells them, and
    /// still be kept. Retention by use takes the place of this limit.
    fn limit(config: &Self::Config) -> usize {
        let _ = config;
        usize::MAX
    }
}

#[diagnostic::do_not_recommend]
impl<T: Poolable> Recipe for T {
    type Item = T;
    type Config = T::Config;

    #[inline]
    fn create(config: &T::Config) -> T {
        T::create(config)
    }

    #[inline]
    fn reset(item: &mut T, config: &T::Config) {
        item.reset(config);
    }

    #[inline]
    fn keep(item: &T, config: &T::Config) -> bool {
        item.keep(config)
    }
}
