//! `ImageYCbCrPool`: images for video and JPEG, as planes of luma and colour.

use super::super::on_return::OnReturn;
use super::rect::Rect;
use super::subsampling::Subsampling;
use super::ycbcr_image::YCbCrImage;
use super::ycbcr_layout::YCbCrLayout;
use crate::{BuildError, Builder};

crate::pool! {
    /// Keeps [`YCbCrImage`]s of one size and ratio: planes of luma and colour, for video frames
    /// and JPEG data.
    ///
    /// All samples of a new image are 0; one that is reused shows what its last user left, unless
    /// the builder says [`on_return(OnReturn::Zero)`](Builder::on_return).
    ///
    /// Another image may be moved in behind the guard, or [`put`](Self::put): it stays if its
    /// memory fits, up to 1.25 times what the pool's images need, and is given their layout then.
    ///
    /// # Panics
    ///
    /// `new` and `with_rect` panic if width or height is 0, or the planes have more than
    /// `isize::MAX` bytes together.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageYCbCrPool, Subsampling};
    ///
    /// let frames = ImageYCbCrPool::new(8, 1920, 1080, Subsampling::S420);
    /// let mut frame = frames.get();
    /// assert_eq!((frame.y().len(), frame.cb().len()), (1920 * 1080, 960 * 540));
    ///
    /// let (y, cb, cr) = frame.planes_mut();
    /// y.fill(16);
    /// cb.fill(128);
    /// cr.fill(128);
    /// ```
    pub struct ImageYCbCrPool(YCbCrImage) -> ImageYCbCrRef {
        config: YCbCrConfig,
        new: |width: u32, height: u32, subsampling: Subsampling| {
            YCbCrConfig::new(Rect::with_size(width, height), subsampling)
        },
        check: YCbCrConfig::check,
        create: |config| YCbCrImage::with_layout(config.layout),
        reset: |image, config| config.restore(image),
        keep: |image, config| config.is_fit(image),
        dispose: |image, config| config.on_return.treat(&mut image.data),
        measure: |image| (image.data.len(), image.data.capacity()),
    }
}

/// What the images of an [`ImageYCbCrPool`] share.
///
/// # Examples
///
/// ```
/// use bp::{ImageYCbCrPool, Subsampling};
///
/// let pool = ImageYCbCrPool::new(8, 100, 50, Subsampling::S420);
/// assert_eq!(pool.config().strides(), (100, 50));
/// assert_eq!(pool.config().rect().dimensions(), (100, 50));
/// assert_eq!(pool.config().subsampling(), Subsampling::S420);
/// ```
#[derive(Clone, Debug)]
pub struct YCbCrConfig {
    layout: YCbCrLayout,
    on_return: OnReturn,
    /// Whether an image that comes back gets this layout; not where each get sets it.
    restores: bool,
}

impl YCbCrConfig {
    pub(super) fn new(rect: Rect, subsampling: Subsampling) -> Self {
        let layout = YCbCrLayout::tight(rect, subsampling);
        YCbCrConfig { layout, on_return: OnReturn::Leave, restores: true }
    }

    /// Returns which pixels every image covers.
    ///
    /// # Examples
    ///
    /// See [`YCbCrConfig`](Self#examples).
    pub fn rect(&self) -> Rect {
        self.layout.rect
    }

    /// Returns how many pixels share a colour sample.
    ///
    /// # Examples
    ///
    /// See [`YCbCrConfig`](Self#examples).
    pub fn subsampling(&self) -> Subsampling {
        self.layout.subsampling
    }

    /// Returns the bytes from one row to the next, of the Y plane and of the colour planes.
    ///
    /// # Examples
    ///
    /// See [`YCbCrConfig`](Self#examples).
    pub fn strides(&self) -> (usize, usize) {
        (self.layout.y_stride, self.layout.c_stride)
    }

    /// Lets images come back as they are laid out, for a pool whose every get does it.
    pub(super) fn leave_layout(&mut self) {
        self.restores = false;
    }

    pub(super) fn set_on_return(&mut self, on_return: OnReturn) {
        self.on_return = on_return;
    }

    fn check(&self) -> Result<(), BuildError> {
        self.layout.check()
    }

    /// Whether the planes fit into the memory of this image, and fill most of it.
    #[inline]
    fn is_fit(&self, image: &YCbCrImage) -> bool {
        let len = self.layout.len();
        (len..=len + len / 4).contains(&image.data.capacity())
    }

    /// Gives an image that comes back the pool's layout.
    #[inline]
    fn restore(&self, image: &mut YCbCrImage) {
        self.on_return.treat(&mut image.data);
        if self.restores {
            image.lay_out(self.layout);
        }
    }
}

impl ImageYCbCrPool {
    /// Makes an empty pool of images that cover `rect`.
    ///
    /// # Panics
    ///
    /// As `new` does.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageYCbCrPool, Rect, Subsampling};
    ///
    /// // Begins at an odd pixel: two colour samples each way, for two pixels.
    /// let pool = ImageYCbCrPool::with_rect(8, Rect::new(1, 1, 3, 3), Subsampling::S420);
    /// assert_eq!(pool.get().cb().len(), 4);
    /// ```
    #[track_caller]
    pub fn with_rect(capacity: usize, rect: Rect, subsampling: Subsampling) -> Self {
        Self::builder_with_rect(capacity, rect, subsampling).build_or_panic()
    }

    /// Starts a pool of images that cover `rect`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageYCbCrPool, Rect, Subsampling};
    ///
    /// let rect = Rect::new(2, 2, 10, 6);
    /// let pool = ImageYCbCrPool::builder_with_rect(8, rect, Subsampling::S420).preload(0.5).build()?;
    /// assert_eq!((pool.len(), pool.get().rect()), (4, rect));
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn builder_with_rect(
        capacity: usize,
        rect: Rect,
        subsampling: Subsampling,
    ) -> Builder<Self> {
        Builder::new(capacity, YCbCrConfig::new(rect, subsampling))
    }
}

impl Builder<ImageYCbCrPool> {
    /// Sets the bytes from one row to the next, of the Y plane and of the colour planes, for code
    /// that wants rows to begin at aligned addresses.
    ///
    /// By default rows have no gaps. The planes grow with their strides, so that every row is
    /// complete, also the last. A stride less than its plane's width is refused when the pool is
    /// built.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageYCbCrPool, Subsampling};
    ///
    /// let pool = ImageYCbCrPool::builder(8, 100, 50, Subsampling::S420).strides(128, 64).build()?;
    /// let frame = pool.get();
    /// assert_eq!((frame.y().len(), frame.cb().len()), (128 * 50, 64 * 25));
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn strides(self, y_stride: usize, c_stride: usize) -> Self {
        self.configure(|YCbCrConfig { layout, .. }| {
            *layout =
                YCbCrLayout::with_strides(layout.rect, layout.subsampling, y_stride, c_stride);
        })
    }

    /// Sets what becomes of the samples of an image that is returned.
    ///
    /// By default they stay, and the next user sees them.
    ///
    /// # Examples
    ///
    /// See [`OnReturn`].
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.configure(|config| config.set_on_return(on_return))
    }
}
