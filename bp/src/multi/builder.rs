//! `MultiBuilder`: the classes of a multi pool, and what is said about all of them.

use std::fmt::{self, Debug};
use std::sync::Arc;

use super::oversize::Oversize;
use super::sizes::Sizes;
use super::{Class, Multi, MultiPool, RecipeOf, Shared};
use crate::{BuildError, Builder, KeyedPool, Recipe};

/// The most classes that one call of `classes_geometric` makes. Each is a pool; a factor that
/// needs more was hardly meant.
const MOST_CLASSES: usize = 1024;

type Change<P> = Box<dyn Fn(Builder<P>) -> Builder<P> + Send + Sync>;

/// What every class is told, in the order of the calls.
pub(super) struct Setup<M: MultiPool>(Vec<Change<M::Pool>>);

impl<M: MultiPool> Setup<M> {
    /// Starts the pool of one class.
    pub(super) fn builder(&self, capacity: usize, key: M::Key) -> Builder<M::Pool> {
        let builder = M::Pool::builder_for(capacity, key).configure(M::class);
        self.0.iter().fold(builder, |builder, change| change(builder))
    }
}

/// Builds a multi pool, class by class.
///
/// The multi pools that come with the library have more setters, listed below. For a pool of one's
/// own [`each`](Self::each) and [`configure`](Self::configure) do the same.
///
/// # Examples
///
/// ```
/// use bp::MultiBytePool;
///
/// let pool = MultiBytePool::builder()
///     .class(64, 4096)
///     .class(1024, 256) // in any order
///     .preload(0.25)
///     .build()?;
/// assert_eq!(pool.get(300).len(), 300);
/// # Ok::<(), bp::BuildError>(())
/// ```
#[must_use = "a builder does nothing until it builds"]
pub struct MultiBuilder<M: MultiPool> {
    /// Capacity and key of each.
    classes: Vec<(usize, M::Key)>,
    setup: Setup<M>,
    error: Option<BuildError>,
}

impl<M: MultiPool> MultiBuilder<M> {
    pub(super) fn new() -> Self {
        MultiBuilder { classes: Vec::new(), setup: Setup(Vec::new()), error: None }
    }

    /// Adds a class: up to `capacity` idle objects for requests of up to `size`.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBufferPool::builder().class(8, 4096).class(64, 256).build()?;
    /// assert_eq!(*pool.largest(), 4096);
    /// assert_eq!(pool.capacity(), 72);
    /// assert!(pool.get(300).capacity() >= 4096); // the smallest class that can hold it
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn class(mut self, capacity: usize, size: M::Key) -> Self {
        self.classes.push((capacity, size));
        self
    }

    /// Adds classes of `capacity` idle objects each: `min`, each next one `factor` times as large
    /// and larger by 1 at least, and `max` as the last one.
    ///
    /// `build` refuses a `min` of 0 or above `max`, a `factor` that is not finite or not above 1,
    /// and one so small that it makes more than 1024 classes.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().classes_geometric(16, 512, 8000, 2.0).build()?;
    /// let sizes: Vec<_> = pool.classes().iter().map(|class| class.size).collect();
    /// assert_eq!(sizes, [512, 1024, 2048, 4096, 8000]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn classes_geometric(mut self, capacity: usize, min: usize, max: usize, factor: f64) -> Self
    where
        M: MultiPool<Key = usize>,
    {
        match geometric(min, max, factor) {
            Ok(sizes) => self.classes.extend(sizes.into_iter().map(|size| (capacity, size))),
            Err(error) => _ = self.error.get_or_insert(error),
        }
        self
    }

    /// Tells the builder of every class something, as one would tell that of a single pool.
    ///
    /// Called for each class when the pool is built, and then for each request above all classes,
    /// whose pool it makes: on any thread, for as long as the multi pool lives.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBufferPool::builder()
    ///     .class(16, 1024)
    ///     .class(16, 4096)
    ///     .each(|builder| builder.preload(0.5).max_size_factor(2.0))
    ///     .build()?;
    /// assert_eq!(pool.len(), 16);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn each(
        mut self,
        change: impl Fn(Builder<M::Pool>) -> Builder<M::Pool> + Send + Sync + 'static,
    ) -> Self {
        self.setup.0.push(Box::new(change));
        self
    }

    /// Changes the config of every class; see [`Builder::configure`]. Called as often as the closure
    /// of [`each`](Self::each).
    ///
    /// # Examples
    ///
    /// ```
    /// pub struct Limits {
    ///     size: usize,
    /// }
    ///
    /// bp::pool! {
    ///     /// Reusable text.
    ///     pub struct TextPool(String) -> TextRef {
    ///         config: Limits,
    ///         new: |size: usize| Limits { size },
    ///         create: |limits| String::with_capacity(limits.size),
    ///         reset: |text, _| text.clear(),
    ///     }
    /// }
    /// bp::multi_pool! {
    ///     /// Text by size.
    ///     pub struct MultiTextPool(TextPool) -> TextRef {
    ///         size: |text| text.capacity(),
    ///         fit: |text, size| text.reserve(*size),
    ///     }
    /// }
    ///
    /// let pool = MultiTextPool::builder()
    ///     .class(8, 100)
    ///     .class(8, 1000)
    ///     .configure(|limits| limits.size += 20)
    ///     .preload(0.5)
    ///     .build()?;
    /// assert!(pool.get(100).capacity() >= 120);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn configure(
        self,
        change: impl Fn(&mut <RecipeOf<M> as Recipe>::Config) + Send + Sync + 'static,
    ) -> Self {
        self.each(move |builder| builder.configure(&change))
    }

    /// Creates objects in every class when the pool is built: this part of its capacity, rounded
    /// down; see [`Builder::preload`].
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBytePool::builder().class(8, 64).class(4, 1024).preload(0.5).build()?;
    /// assert_eq!(pool.len(), 4 + 2);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn preload(self, rate: f64) -> Self {
        self.each(move |builder| builder.preload(rate))
    }

    /// Keeps the objects of every class by how they are used; see [`Builder::retain_by_use`].
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBufferPool::builder().class(8, 64).retain_by_use().build()?;
    /// pool.get(64).resize(10_000, 0);
    /// assert_eq!(pool.len(), 1); // all of it was used, so it stays
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn retain_by_use(self) -> Self {
        self.each(Builder::retain_by_use)
    }

    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// A [`BuildError`] that names the field and its value: no class, a class of size 0 or of the
    /// size of another one, what [`classes_geometric`](Self::classes_geometric) refuses, and
    /// what the builder of any class does.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = bp::MultiBytePool::builder().class(8, 64).class(4, 64).build().unwrap_err();
    /// assert_eq!(error.field(), "class");
    /// assert!(bp::MultiBytePool::builder().build().is_err()); // no class
    /// ```
    pub fn build(self) -> Result<M, BuildError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let refuse =
            |key: &M::Key, rule| Err(BuildError::new("class", format_args!("{key:?}"), rule));
        let mut ordered = Vec::with_capacity(self.classes.len());
        for (capacity, key) in self.classes {
            match M::need(&key) {
                None => return refuse(&key, "of a size that a usize can tell"),
                Some(0) => return refuse(&key, "larger than 0"),
                Some(size) => ordered.push((size, capacity, key)),
            }
        }
        ordered.sort_by_key(|&(size, ..)| size);
        if let Some(pair) = ordered.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return refuse(&pair[1].2, "of another size than every other class");
        }
        if ordered.is_empty() {
            return Err(BuildError::new("classes", 0, "at least 1"));
        }
        let sizes = Sizes::new(ordered.iter().map(|&(size, ..)| size).collect());
        let build = |(_, capacity, key): (usize, usize, M::Key)| {
            let pool = self.setup.builder(capacity, key.clone()).build()?;
            Ok(Class { pool, key })
        };
        let classes = ordered.into_iter().map(build).collect::<Result<_, _>>()?;
        let shared = Shared { sizes, classes, oversize: Oversize::new(), setup: self.setup };
        Ok(M::from_multi(Multi { shared: Arc::new(shared) }))
    }
}

fn geometric(min: usize, max: usize, factor: f64) -> Result<Vec<usize>, BuildError> {
    if min == 0 {
        return Err(BuildError::new("min", min, "at least 1"));
    }
    if min > max {
        return Err(BuildError::new("min", min, "no larger than `max`"));
    }
    if !(factor.is_finite() && factor > 1.0) {
        return Err(BuildError::new("factor", factor, "finite and above 1"));
    }
    let mut sizes = Vec::new();
    let mut size = min;
    while size < max {
        if sizes.len() + 1 == MOST_CLASSES {
            return Err(BuildError::new("factor", factor, "large enough for 1024 classes to do"));
        }
        sizes.push(size);
        size = scaled(size, factor).max(size + 1);
    }
    sizes.push(max);
    Ok(sizes)
}

/// Saturates; exact to 53 bits, and rounded down.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn scaled(size: usize, factor: f64) -> usize {
    (size as f64 * factor) as usize
}

impl<M: MultiPool> Debug for MultiBuilder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MultiBuilder").field("classes", &self.classes).finish_non_exhaustive()
    }
}
