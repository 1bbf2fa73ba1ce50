//! Pools of the image crate's buffers, one for each of its pixel types.

use image::{ImageBuffer, ImageDecoder, Luma, LumaA, Rgb, Rgba};

use super::config::{ImageConfig, measure, rect_and_wiping};
use super::decode::{DecodeError, check_color, check_dimensions, read_into};

/// Declares pools of `ImageBuffer<Pixel<Sample>, Vec<Sample>>`, each with its example in braces.
macro_rules! pixel_pools {
    ($(
        $(#[$doc:meta])+
        $Pool:ident($Pixel:ident<$Sample:ident>) -> $Guard:ident { $(#[$example:meta])+ }
    )+) => {$(
        crate::pool! {
            $(#[$doc])+
            ///
            /// All images have the dimensions that the pool was made with. All samples of a new
            /// one are 0; one that is reused shows what its last user drew, unless the builder
            /// says [`on_return(OnReturn::Zero)`](crate::Builder::on_return). Its colour space is sRGB
            /// again, as that of a new one is.
            ///
            /// Another image may be moved in behind the guard, or [`put`](Self::put): it stays if
            /// its memory fits, up to 1.25 times what the pool's images need, and is given their
            /// dimensions then.
            ///
            /// # Panics
            ///
            /// `new` and `with_rect` panic if width or height is 0, or the image has more than
            /// `isize::MAX` bytes.
            ///
            /// # Examples
            ///
            /// ```
            $(#[$example])+
            /// ```
            pub struct $Pool(ImageBuffer<$Pixel<$Sample>, Vec<$Sample>>) -> $Guard {
                config: ImageConfig,
                new: |width: u32, height: u32| {
                    ImageConfig::new::<$Pixel<$Sample>>(width, height)
                },
                check: ImageConfig::check,
                create: |config| config.create(),
                reset: |image, config| config.restore(image),
                keep: |image, config| config.is_fit(image),
                dispose: |image, config| config.wipe(image),
                measure: |image| measure(image),
            }
        }

        impl $Pool {
            /// Decodes an image of the pool's dimensions into a pooled one.
            ///
            /// Colour, dimensions and bytes are compared before anything is decoded. The pixels
            /// are stored as they come: no conversion, no rotation. What a broken file leaves out
            /// is 0, not what an earlier user left.
            ///
            /// # Errors
            ///
            /// A [`DecodeError`] that says what does not match, or why the decoder failed; the
            /// pooled image went back then.
            ///
            /// # Examples
            ///
            /// See [`DecodeError`].
            pub fn decode(&self, decoder: impl ImageDecoder) -> Result<$Guard, DecodeError> {
                check_color::<$Pixel<$Sample>>(&decoder)?;
                check_dimensions(&decoder, self.config().dimensions())?;
                let mut image = self.get();
                read_into(decoder, &mut image)?;
                Ok(image)
            }
        }

        rect_and_wiping!($Pool);
    )+};
}

pixel_pools! {
    /// Keeps [`RgbaImage`](image::RgbaImage)s of one size: red, green, blue and straight alpha,
    /// 8 bits each.
    ///
    /// Straight alpha is what the image crate, PNG and WebP files and GPU uploads mean by RGBA,
    /// and what Go calls `NRGBA`. Most rasterisers want their colours multiplied by alpha; see
    /// [`ImageRgbaPremulPool`](crate::ImageRgbaPremulPool).
    ImageRgbaPool(Rgba<u8>) -> ImageRgbaRef {
        /// use bp::ImageRgbaPool;
        /// use image::imageops;
        ///
        /// let frames = ImageRgbaPool::new(8, 1920, 1080);
        ///
        /// let mut frame = frames.get(); // derefs to `RgbaImage`
        /// frame.fill(0);
        /// frame.put_pixel(3, 4, image::Rgba([255, 0, 0, 255]));
        /// imageops::flip_vertical_in_place(&mut *frame);
        /// assert_eq!(frame.get_pixel(3, 1075).0, [255, 0, 0, 255]);
    }

    /// Keeps [`RgbImage`](image::RgbImage)s of one size: red, green and blue, 8 bits each; what a
    /// JPEG file decodes to.
    ImageRgbPool(Rgb<u8>) -> ImageRgbRef {
        /// let pool = bp::ImageRgbPool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Rgb([255, 0, 0]));
        /// assert_eq!(image.as_raw().len(), 3 * 64 * 48);
    }

    /// Keeps [`GrayImage`](image::GrayImage)s of one size: 8 bits of grey.
    ImageLumaPool(Luma<u8>) -> ImageLumaRef {
        /// let pool = bp::ImageLumaPool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Luma([128]));
        /// assert_eq!(image.as_raw()[64 * 4 + 3], 128);
    }

    /// Keeps [`GrayAlphaImage`](image::GrayAlphaImage)s of one size: 8 bits each of grey and
    /// straight alpha.
    ImageLumaAPool(LumaA<u8>) -> ImageLumaARef {
        /// let pool = bp::ImageLumaAPool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::LumaA([128, 255]));
        /// assert_eq!(image.as_raw().len(), 2 * 64 * 48);
    }

    /// Keeps images of one size with red, green, blue and straight alpha, 16 bits each.
    ImageRgba16Pool(Rgba<u16>) -> ImageRgba16Ref {
        /// let pool = bp::ImageRgba16Pool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Rgba([u16::MAX, 0, 0, u16::MAX]));
        /// assert_eq!(size_of_val(&image.as_raw()[..]), 8 * 64 * 48);
    }

    /// Keeps images of one size with red, green and blue, 16 bits each.
    ImageRgb16Pool(Rgb<u16>) -> ImageRgb16Ref {
        /// let pool = bp::ImageRgb16Pool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Rgb([u16::MAX, 0, 0]));
        /// assert_eq!(size_of_val(&image.as_raw()[..]), 6 * 64 * 48);
    }

    /// Keeps images of one size with 16 bits of grey.
    ImageLuma16Pool(Luma<u16>) -> ImageLuma16Ref {
        /// let pool = bp::ImageLuma16Pool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Luma([u16::MAX]));
        /// assert_eq!(image.as_raw()[64 * 4 + 3], u16::MAX);
    }

    /// Keeps images of one size with 16 bits each of grey and straight alpha.
    ImageLumaA16Pool(LumaA<u16>) -> ImageLumaA16Ref {
        /// let pool = bp::ImageLumaA16Pool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::LumaA([u16::MAX, u16::MAX]));
        /// assert_eq!(size_of_val(&image.as_raw()[..]), 4 * 64 * 48);
    }

    /// Keeps [`Rgba32FImage`](image::Rgba32FImage)s of one size: red, green, blue and straight
    /// alpha as `f32`.
    ImageRgba32FPool(Rgba<f32>) -> ImageRgba32FRef {
        /// let pool = bp::ImageRgba32FPool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Rgba([1.5, 0.0, 0.0, 1.0]));
        /// assert_eq!(image.get_pixel(3, 4).0[0], 1.5); // not cut off at 1
    }

    /// Keeps [`Rgb32FImage`](image::Rgb32FImage)s of one size: red, green and blue as `f32`.
    ImageRgb32FPool(Rgb<f32>) -> ImageRgb32FRef {
        /// let pool = bp::ImageRgb32FPool::new(8, 64, 48);
        /// let mut image = pool.get();
        /// image.put_pixel(3, 4, image::Rgb([1.5, 0.0, 0.0]));
        /// assert_eq!(image.get_pixel(3, 4).0[0], 1.5); // not cut off at 1
    }
}
