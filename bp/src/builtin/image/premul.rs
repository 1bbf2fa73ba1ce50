//! `ImageRgbaPremulPool`: images for rasterisers, whose colours are multiplied by alpha.

use super::super::on_return::OnReturn;
use super::config::{ImageConfig, measure};
use super::premul_image::RgbaPremulImage;
use super::rect::Rect;
use crate::Builder;

crate::pool! {
    /// Keeps [`RgbaPremulImage`]s of one size: RGBA with the colours multiplied by alpha, as
    /// rasterisers draw it and as Go's `image.RGBA` is.
    ///
    /// All images have the dimensions that the pool was made with. A new one is transparent; one
    /// that is reused shows what its last user drew, unless the builder says
    /// [`on_return(OnReturn::Zero)`](Builder::on_return).
    ///
    /// Another image may be moved in behind the guard, or [`put`](Self::put): it stays if its
    /// memory fits, up to 1.25 times what the pool's images need, and is given their dimensions
    /// then.
    ///
    /// # Panics
    ///
    /// `new` and `with_rect` panic if width or height is 0, or the image has more than
    /// `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageRgbaPool, ImageRgbaPremulPool};
    ///
    /// let canvases = ImageRgbaPremulPool::new(4, 64, 64);
    /// let frames = ImageRgbaPool::new(4, 64, 64);
    ///
    /// let mut canvas = canvases.get();
    /// canvas.as_raw_mut()[..4].copy_from_slice(&[128, 0, 0, 128]); // or a rasteriser does
    ///
    /// let mut frame = frames.get();
    /// canvas.copy_to_straight(&mut frame);
    /// assert_eq!(frame.get_pixel(0, 0).0, [255, 0, 0, 128]);
    /// ```
    pub struct ImageRgbaPremulPool(RgbaPremulImage) -> ImageRgbaPremulRef {
        config: ImageConfig,
        new: |width: u32, height: u32| ImageConfig::new::<image::Rgba<u8>>(width, height),
        check: ImageConfig::check,
        create: |config| RgbaPremulImage { buffer: config.create() },
        reset: |image, config| config.restore(&mut image.buffer),
        keep: |image, config| config.is_fit(&image.buffer),
        dispose: |image, config| config.wipe(&mut image.buffer),
        measure: |image| measure(&image.buffer),
    }
}

impl ImageRgbaPremulPool {
    /// Makes an empty pool of images as large as `rect`.
    ///
    /// Where the rectangle lies does not matter: these images begin at (0, 0).
    ///
    /// # Panics
    ///
    /// As `new` does.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// let pool = bp::ImageRgbaPremulPool::with_rect(4, Rect::new(10, 10, 18, 14));
    /// assert_eq!(pool.get().dimensions(), (8, 4));
    /// ```
    #[track_caller]
    pub fn with_rect(capacity: usize, rect: Rect) -> Self {
        Self::new(capacity, rect.width(), rect.height())
    }
}

impl Builder<ImageRgbaPremulPool> {
    /// Sets what becomes of the pixels of an image that is returned.
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
