//! `ImageRgbaPremulPool`: images for rasterisers, whose colours are multiplied by alpha.

use super::config::{ImageConfig, measure, rect_and_wiping};
use super::premul_image::RgbaPremulImage;

crate::pool! {
    /// Keeps [`RgbaPremulImage`]s of one size: RGBA with the colours multiplied by alpha, as
    /// rasterisers draw it and as Go's `image.RGBA` is.
    ///
    /// All images have the dimensions that the pool was made with. A new one is transparent; one
    /// that is reused shows what its last user drew, unless the builder says
    /// [`on_return(OnReturn::Zero)`](crate::Builder::on_return).
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

rect_and_wiping!(ImageRgbaPremulPool);
