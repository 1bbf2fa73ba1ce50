//! `MultiImageYCbCrPool`: size classes of YCbCr images, by the bytes of their planes.
//!
//! How many bytes a request needs follows from its ratio and from where it begins, so the key of
//! a class is both. All requests of one pool have the same ratio: the pool adds it, and users
//! name a size or a rectangle.

use std::fmt::{self, Debug};

use super::super::on_return::OnReturn;
use super::rect::Rect;
use super::subsampling::Subsampling;
use super::ycbcr::{ImageYCbCrPool, ImageYCbCrRef, YCbCrConfig};
use super::ycbcr_image::YCbCrImage;
use super::ycbcr_layout::YCbCrLayout;
use crate::{
    AnyPool, BuildError, Builder, KeyedPool, Multi, MultiBuilder, MultiPool, Pool, PoolStats,
    PutError, SizeClass, TypedPool,
};

/// Keeps [`YCbCrImage`]s of several sizes and one ratio, for frames whose dimensions vary.
///
/// The guard's image has exactly the dimensions asked for, and its planes no byte beyond them. A
/// request names its size, or the [`Rect`] that it covers, and goes to the class of the fewest
/// bytes that can hold its planes: (1,1)-(3,3) needs 12 bytes in 4:2:0, (0,0)-(2,2) but 6.
/// The samples are what an earlier user left or 0, in any order, unless the builder says
/// [`on_return(OnReturn::Zero)`](MultiImageYCbCrBuilder::on_return).
///
/// # Examples
///
/// ```
/// use bp::{MultiImageYCbCrPool, Rect, Subsampling};
///
/// let pool = MultiImageYCbCrPool::builder(Subsampling::S420)
///     .class(64, (640, 360))
///     .class(8, (1920, 1080))
///     .build()?;
///
/// let frame = pool.get((320, 180));
/// assert_eq!((frame.y().len(), frame.cb().len()), (320 * 180, 160 * 90));
/// let part = pool.get(Rect::new(1, 1, 3, 3));
/// assert_eq!(part.as_raw().len(), 12);
/// # Ok::<(), bp::BuildError>(())
/// ```
pub struct MultiImageYCbCrPool {
    classes: Multi<Classes>,
    subsampling: Subsampling,
}

/// The pool of one class: an [`ImageYCbCrPool`] that is made of a rectangle.
struct Class(Pool<ImageYCbCrPool>);

impl TypedPool for Class {
    type Recipe = ImageYCbCrPool;

    fn from_pool(pool: Pool<ImageYCbCrPool>) -> Self {
        Class(pool)
    }

    #[inline]
    fn as_pool(&self) -> &Pool<ImageYCbCrPool> {
        &self.0
    }
}

impl KeyedPool for Class {
    type Key = (Rect, Subsampling);

    fn builder_for(capacity: usize, (rect, subsampling): Self::Key) -> Builder<Self> {
        Builder::new(capacity, YCbCrConfig::new(rect, subsampling))
    }
}

/// The steps, in bytes.
struct Classes(Multi<Self>);

impl MultiPool for Classes {
    type Pool = Class;
    type Guard = ImageYCbCrRef;
    type Item = YCbCrImage;
    type Key = (Rect, Subsampling);

    fn class(config: &mut YCbCrConfig) {
        config.leave_layout();
    }

    #[inline]
    fn need(&(rect, subsampling): &(Rect, Subsampling)) -> Option<usize> {
        Some(YCbCrLayout::tight(rect, subsampling).len())
    }

    #[inline]
    fn size(image: &YCbCrImage) -> usize {
        image.data.capacity()
    }

    #[inline]
    fn fit(image: &mut YCbCrImage, &(rect, subsampling): &(Rect, Subsampling)) {
        image.lay_out(YCbCrLayout::tight(rect, subsampling));
    }

    fn from_multi(multi: Multi<Self>) -> Self {
        Classes(multi)
    }

    fn as_multi(&self) -> &Multi<Self> {
        &self.0
    }
}

impl MultiImageYCbCrPool {
    /// Starts a multi pool without classes; add some, in any order.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// assert_eq!(pool.capacity(), 16);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn builder(subsampling: Subsampling) -> MultiImageYCbCrBuilder {
        MultiImageYCbCrBuilder { classes: Multi::builder(), subsampling }
    }

    /// Returns an image that covers a size, such as `(640, 480)`, or a rectangle: an idle one, or
    /// a new one.
    ///
    /// Asks the smallest class that can hold the planes; where nothing is idle there, the next
    /// one, if it is no more than four times as large; and creates only then. A request that is
    /// larger than all classes gets an image of its own, which is dropped on return.
    ///
    /// # Panics
    ///
    /// Where a request above all classes has more than `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// See [`MultiImageYCbCrPool`](Self#examples).
    #[inline]
    pub fn get(&self, rect: impl Into<Rect>) -> ImageYCbCrRef {
        self.classes.get(&self.key(rect))
    }

    /// Returns an idle image that covers a size or a rectangle, or `None` if nothing is idle in
    /// its class and in the one that would lend.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// assert!(pool.try_get((320, 180)).is_none());
    /// drop(pool.get((640, 360)));
    /// assert_eq!(pool.try_get((320, 180)).unwrap().dimensions(), (320, 180));
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    #[inline]
    pub fn try_get(&self, rect: impl Into<Rect>) -> Option<ImageYCbCrRef> {
        self.classes.try_get(&self.key(rect))
    }

    /// Moves an image out that covers a size or a rectangle.
    ///
    /// Nothing brings it back, unless [`put`](Self::put) is asked to.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get).
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// let frame: bp::YCbCrImage = pool.take((320, 180));
    /// assert_eq!(frame.dimensions(), (320, 180));
    /// assert!(pool.put(frame).is_ok());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    #[must_use = "an object that was taken and is not used could have stayed idle"]
    pub fn take(&self, rect: impl Into<Rect>) -> YCbCrImage {
        self.classes.take(&self.key(rect))
    }

    /// Stores an image from anywhere, of any ratio, in the largest class that its memory can
    /// serve.
    ///
    /// # Errors
    ///
    /// The image and the reason: its memory is too small for the smallest class or not fit for
    /// its own, or its class is full, or the pool closed.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling, YCbCrImage};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// assert!(pool.put(YCbCrImage::new(640, 360, Subsampling::S420)).is_ok());
    /// assert!(pool.put(YCbCrImage::new(8, 8, Subsampling::S420)).is_err()); // serves no class
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn put(&self, image: YCbCrImage) -> Result<(), PutError<YCbCrImage>> {
        self.classes.put(image)
    }

    #[inline]
    fn key(&self, rect: impl Into<Rect>) -> (Rect, Subsampling) {
        (rect.into(), self.subsampling)
    }

    /// Returns how many pixels share a colour sample in all images of this pool.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// assert_eq!(pool.subsampling(), Subsampling::S420);
    /// assert_eq!(pool.get((8, 8)).subsampling(), pool.subsampling());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn subsampling(&self) -> Subsampling {
        self.subsampling
    }

    /// Returns what the images of the largest class cover. A larger request is not served from the
    /// pool; where others choose the sizes, this is what to hold them against.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// assert_eq!(*pool.largest(), (640, 360).into());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn largest(&self) -> &Rect {
        &self.classes.largest().0
    }

    /// Returns how many images are idle, in all classes; never above the capacity.
    ///
    /// # Examples
    ///
    /// See [`Multi::len`].
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Returns whether nothing is idle.
    ///
    /// # Examples
    ///
    /// See [`Multi::is_empty`].
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns the most images that are kept idle, in all classes.
    ///
    /// # Examples
    ///
    /// See [`Multi::capacity`].
    pub fn capacity(&self) -> usize {
        self.classes.capacity()
    }

    /// Returns the figures of all classes, added up, and of what was larger than all of them.
    ///
    /// # Examples
    ///
    /// See [`Multi::stats`].
    pub fn stats(&self) -> PoolStats {
        self.classes.stats()
    }

    /// Returns rectangle, capacity, length and figures of each class, the smallest first.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiImageYCbCrPool, Subsampling};
    ///
    /// let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
    /// let pool = builder.class(8, (64, 36)).class(8, (640, 360)).build()?;
    /// let sizes: Vec<_> = pool.classes().iter().map(|class| class.size.dimensions()).collect();
    /// assert_eq!(sizes, [(64, 36), (640, 360)]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn classes(&self) -> Vec<SizeClass<Rect>> {
        let tell = |class: SizeClass<(Rect, Subsampling)>| SizeClass {
            size: class.size.0,
            capacity: class.capacity,
            len: class.len,
            stats: class.stats,
        };
        self.classes.classes().into_iter().map(tell).collect()
    }

    /// Drops what has been idle since before the last trim, in every class, and returns how many
    /// images that were.
    ///
    /// # Examples
    ///
    /// See [`Multi::trim`].
    pub fn trim(&self) -> usize {
        self.classes.trim()
    }

    /// Drops everything that is idle now, and returns how many images that were.
    ///
    /// # Examples
    ///
    /// See [`Multi::clear`].
    pub fn clear(&self) -> usize {
        self.classes.clear()
    }

    /// Closes all classes for all handles: drops what is idle, and from now on what is returned.
    /// A get still works, by creating.
    ///
    /// # Examples
    ///
    /// See [`Multi::close`].
    pub fn close(&self) {
        self.classes.close();
    }
}

impl AnyPool for MultiImageYCbCrPool {
    fn len(&self) -> usize {
        self.classes.len()
    }

    fn capacity(&self) -> usize {
        self.classes.capacity()
    }

    fn stats(&self) -> PoolStats {
        self.classes.stats()
    }

    fn trim(&self) -> usize {
        self.classes.trim()
    }

    fn clear(&self) -> usize {
        self.classes.clear()
    }
}

impl Clone for MultiImageYCbCrPool {
    /// Makes another handle to the same pools.
    fn clone(&self) -> Self {
        MultiImageYCbCrPool { classes: self.classes.clone(), subsampling: self.subsampling }
    }
}

impl Debug for MultiImageYCbCrPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MultiImageYCbCrPool")
            .field("subsampling", &self.subsampling)
            .field("len", &self.len())
            .field("capacity", &self.capacity())
            .finish_non_exhaustive()
    }
}

/// Builds a [`MultiImageYCbCrPool`], class by class.
///
/// # Examples
///
/// ```
/// use bp::{MultiImageYCbCrPool, OnReturn, Subsampling};
///
/// let pool = MultiImageYCbCrPool::builder(Subsampling::S422)
///     .class(8, (64, 36))
///     .class(4, (640, 360)) // in any order
///     .preload(0.5)
///     .on_return(OnReturn::Zero)
///     .build()?;
/// assert_eq!(pool.len(), 4 + 2);
/// # Ok::<(), bp::BuildError>(())
/// ```
#[must_use = "a builder does nothing until it builds"]
pub struct MultiImageYCbCrBuilder {
    classes: MultiBuilder<Classes>,
    subsampling: Subsampling,
}

impl MultiImageYCbCrBuilder {
    /// Adds a class: up to `capacity` idle images for requests whose planes need no more bytes
    /// than those of `rect`, a size or a rectangle.
    ///
    /// # Examples
    ///
    /// See [`MultiImageYCbCrBuilder`](Self#examples).
    pub fn class(mut self, capacity: usize, rect: impl Into<Rect>) -> Self {
        self.classes = self.classes.class(capacity, (rect.into(), self.subsampling));
        self
    }

    /// Creates images in every class when the pool is built: this part of its capacity, rounded
    /// down; see [`Builder::preload`].
    ///
    /// # Examples
    ///
    /// See [`MultiImageYCbCrBuilder`](Self#examples).
    pub fn preload(mut self, rate: f64) -> Self {
        self.classes = self.classes.preload(rate);
        self
    }

    /// Sets what becomes of the samples of an image that is returned.
    ///
    /// By default they stay, and the next user sees them.
    ///
    /// # Examples
    ///
    /// See [`MultiImageYCbCrBuilder`](Self#examples).
    pub fn on_return(mut self, on_return: OnReturn) -> Self {
        self.classes = self.classes.configure(move |config| config.set_on_return(on_return));
        self
    }

    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// A [`BuildError`] that names the field and its value: no class, one without pixels or as
    /// large as another one, or of more than `isize::MAX` bytes, or a preload rate that is not
    /// within 0 to 1.
    ///
    /// # Examples
    ///
    /// See [`MultiImageYCbCrBuilder`](Self#examples).
    pub fn build(self) -> Result<MultiImageYCbCrPool, BuildError> {
        let Classes(classes) = self.classes.build()?;
        Ok(MultiImageYCbCrPool { classes, subsampling: self.subsampling })
    }
}

impl Debug for MultiImageYCbCrBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MultiImageYCbCrBuilder")
            .field("classes", &self.classes)
            .finish_non_exhaustive()
    }
}
