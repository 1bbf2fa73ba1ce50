//! `Builder`: what a pool can be told beside its capacity and config.

use std::fmt::{self, Debug};

use crate::{BuildError, Pool, Recipe};

/// A pool made by `pool!` or the derive, or a [`Pool`] itself: what a [`Builder`] can build, and
/// what code for any pool can ask for.
///
/// # Examples
///
/// ```
/// use bp::{Recipe, TypedPool};
///
/// fn hit_rate<P: TypedPool>(pool: &P) -> f64 {
///     let stats = pool.as_pool().stats();
///     stats.hits as f64 / (stats.hits + stats.misses).max(1) as f64
/// }
///
/// let pool = bp::BufferPool::new(8, 64);
/// drop(pool.get());
/// drop(pool.get());
/// assert_eq!(hit_rate(&pool), 0.5);
/// ```
pub trait TypedPool: Sized {
    /// The steps of this pool.
    type Recipe: Recipe;

    /// Gives a pool its type.
    fn from_pool(pool: Pool<Self::Recipe>) -> Self;

    /// Returns the pool without its type.
    fn as_pool(&self) -> &Pool<Self::Recipe>;
}

impl<R: Recipe> TypedPool for Pool<R> {
    type Recipe = R;

    fn from_pool(pool: Pool<R>) -> Self {
        pool
    }

    fn as_pool(&self) -> &Pool<R> {
        self
    }
}

/// Builds a pool of type `P`, step by step; from [`Pool::builder`] or that of a typed pool.
///
/// Built-in pools have more setters, listed below. A pool of one's own has
/// [`configure`](Self::configure) for the same.
///
/// # Examples
///
/// ```
/// use bp::BufferPool;
///
/// let pool = BufferPool::builder(64, 1024).preload(0.5).max_size_factor(4.0).build()?;
/// assert_eq!(pool.len(), 32);
/// # Ok::<(), bp::BuildError>(())
/// ```
#[must_use = "a builder does nothing until it builds"]
pub struct Builder<P: TypedPool> {
    capacity: usize,
    config: <P::Recipe as Recipe>::Config,
    preload: f64,
    by_use: bool,
    error: Option<BuildError>,
}

impl<P: TypedPool> Builder<P> {
    /// Starts a pool that keeps up to `capacity` idle objects.
    ///
    /// # Examples
    ///
    /// ```
    /// # use bp::{Builder, Poolable, Pool};
    /// # #[derive(Poolable)]
    /// # struct Request { body: Vec<u8> }
    /// let builder = Builder::<Pool<Request>>::new(64, ());
    /// assert_eq!(builder.build()?.capacity(), 64);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn new(capacity: usize, config: <P::Recipe as Recipe>::Config) -> Self {
        Builder { capacity, config, preload: 0.0, by_use: false, error: None }
    }

    /// Creates objects when the pool is built: this part of the capacity, rounded down.
    ///
    /// By default 0. Go's `Preload(true)` is 0.25.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::builder(100, 1024).preload(0.29).build()?;
    /// assert_eq!((pool.len(), pool.stats().preloaded), (29, 29));
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn preload(mut self, rate: f64) -> Self {
        self.preload = rate;
        self
    }

    /// Changes the config, as the setters of built-in pools do.
    ///
    /// # Examples
    ///
    /// ```
    /// #[derive(Default)]
    /// pub struct Limits {
    ///     keep_below: usize,
    /// }
    ///
    /// bp::pool! {
    ///     /// Reusable text.
    ///     pub struct TextPool(String) -> TextRef {
    ///         config: Limits,
    ///         new: || Limits { keep_below: 1024 },
    ///         create: |_| String::new(),
    ///         reset: |text, _| text.clear(),
    ///         keep: |text, limits| text.capacity() < limits.keep_below,
    ///     }
    /// }
    ///
    /// let pool = TextPool::builder(16).configure(|limits| limits.keep_below = 64).build()?;
    /// assert_eq!(pool.config().keep_below, 64);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn configure(mut self, change: impl FnOnce(&mut <P::Recipe as Recipe>::Config)) -> Self {
        change(&mut self.config);
        self
    }

    /// Keeps objects by how they are used, in place of a fixed limit on what they may hold.
    ///
    /// A fixed limit fails where every use is large: each object is dropped on return, and none
    /// reused. With this, an object goes when five uses in a row filled less than a quarter of
    /// what it holds; one that is used in full stays, however large it is. An object that holds
    /// no more than a new one always stays.
    ///
    /// A limit in the recipe's `keep` still holds: that of byte blocks and images on their capacity.
    ///
    /// Off by default. Needs a recipe with a `measure` step.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::builder(8, 1024).retain_by_use().build()?;
    /// for _ in 0..100 {
    ///     pool.get().extend_from_slice(&[0; 100_000]);
    /// }
    /// assert_eq!(pool.stats().hits, 99);
    ///
    /// for _ in 0..100 {
    ///     pool.get().push(0);
    /// }
    /// assert_eq!(pool.stats().bytes_idle, 1024);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn retain_by_use(mut self) -> Self {
        self.by_use = true;
        self
    }

    /// Refuses to build; for setters that cannot wait for `check`. The first error counts.
    pub(crate) fn refuse(mut self, error: BuildError) -> Self {
        self.error.get_or_insert(error);
        self
    }

    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// A [`BuildError`] that names the field and its value: a preload rate that is not within
    /// 0 to 1, retention by use without a `measure` step, what the recipe's `check` and the
    /// setters of built-in pools refuse, and what its `open` could not acquire.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = bp::BufferPool::builder(16, 1024).preload(1.5).build().unwrap_err();
    /// assert_eq!(error.to_string(), "preload is 1.5, but must be from 0 to 1");
    /// ```
    pub fn build(self) -> Result<P, BuildError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if !(0.0..=1.0).contains(&self.preload) {
            return Err(BuildError::new("preload", self.preload, "from 0 to 1"));
        }
        if self.by_use && !P::Recipe::MEASURED {
            let rule = "off where the recipe has no `measure` step";
            return Err(BuildError::new("retain_by_use", "on", rule));
        }
        let preload = part_of(self.capacity, self.preload);
        Pool::build(self.capacity, self.config, self.by_use, preload).map(P::from_pool)
    }

    /// Builds the pool for constructors that document their panic.
    #[doc(hidden)]
    #[track_caller]
    pub fn build_or_panic(self) -> P {
        match self.build() {
            Ok(pool) => pool,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns `rate * capacity`, rounded down.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn part_of(capacity: usize, rate: f64) -> usize {
    let part = capacity as f64 * rate;
    // 0.29 of 100 comes out a hair below the 29 that it means.
    let whole = part.round();
    let meant = if (part - whole).abs() <= whole * f64::EPSILON { whole } else { part };
    // Exact for every capacity that fits in memory; the cast rounds down and saturates.
    meant as usize
}

impl<P: TypedPool> Debug for Builder<P>
where
    <P::Recipe as Recipe>::Config: Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("capacity", &self.capacity)
            .field("config", &self.config)
            .field("preload", &self.preload)
            .field("retain_by_use", &self.by_use)
            .finish_non_exhaustive()
    }
}
