//! Size classes of the image crate's pixel types and of premultiplied RGBA.

use image::{ImageDecoder, Rgb, Rgba};

use super::super::on_return::OnReturn;
use super::config::{fit, room};
use super::decode::{DecodeError, check_area, check_color, read_into};
use super::pixels::{ImageRgbPool, ImageRgbRef, ImageRgbaPool, ImageRgbaRef};
use super::premul::{ImageRgbaPremulPool, ImageRgbaPremulRef};
use crate::MultiBuilder;

crate::multi_pool! {
    /// Keeps [`RgbaImage`](image::RgbaImage)s of several sizes, for images whose dimensions vary.
    ///
    /// The guard's image has exactly the dimensions asked for, and no byte beyond them: 10x10 out
    /// of a class of 100x100 has 400 bytes. It goes to the class of the smallest area that can
    /// hold it, whatever its proportions. Its pixels are what an earlier user left or 0, in any
    /// order if that image had another width, unless the builder says
    /// [`on_return(OnReturn::Zero)`](MultiBuilder::on_return).
    ///
    /// An image serves a smaller request without being filled again: what one request needs beyond
    /// the one before is zeroed, and no more.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::MultiImageRgbaPool;
    ///
    /// let pool = MultiImageRgbaPool::builder()
    ///     .class(64, (256, 256))
    ///     .class(8, (1920, 1080))
    ///     .build()?;
    /// let wide = pool.get((1000, 50));
    /// assert_eq!(wide.dimensions(), (1000, 50));
    /// assert_eq!(wide.as_raw().len(), 4 * 1000 * 50);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub struct MultiImageRgbaPool(ImageRgbaPool) -> ImageRgbaRef {
        class: |config| config.leave_dimensions(),
        size: room,
        fit: |image, dimensions| fit(image, *dimensions),
    }

    /// Keeps [`RgbImage`](image::RgbImage)s of several sizes, such as JPEG files decode to.
    ///
    /// As [`MultiImageRgbaPool`], without alpha.
    ///
    /// # Examples
    ///
    /// ```
    /// let builder = bp::MultiImageRgbPool::builder();
    /// let pool = builder.class(64, (256, 256)).class(8, (1920, 1080)).build()?;
    /// let photo = pool.get((300, 200));
    /// assert_eq!(photo.as_raw().len(), 3 * 300 * 200);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub struct MultiImageRgbPool(ImageRgbPool) -> ImageRgbRef {
        class: |config| config.leave_dimensions(),
        size: room,
        fit: |image, dimensions| fit(image, *dimensions),
    }

    /// Keeps [`RgbaPremulImage`](crate::RgbaPremulImage)s of several sizes, for rasterisers.
    ///
    /// As [`MultiImageRgbaPool`], with colours that are multiplied by alpha.
    ///
    /// # Examples
    ///
    /// ```
    /// let builder = bp::MultiImageRgbaPremulPool::builder();
    /// let pool = builder.class(64, (256, 256)).class(8, (1920, 1080)).build()?;
    /// let mut glyph = pool.get((12, 20));
    /// glyph.as_raw_mut()[..4].copy_from_slice(&[128, 0, 0, 128]);
    /// assert_eq!(glyph.to_straight().get_pixel(0, 0).0, [255, 0, 0, 128]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub struct MultiImageRgbaPremulPool(ImageRgbaPremulPool) -> ImageRgbaPremulRef {
        class: |config| config.leave_dimensions(),
        size: |image| room(&image.buffer),
        fit: |image, dimensions| fit(&mut image.buffer, *dimensions),
    }
}

macro_rules! on_return {
    ($($Multi:ty)+) => {
        $(impl MultiBuilder<$Multi> {
            /// Sets what becomes of the pixels of an image that is returned.
            ///
            /// By default they stay, and the next user sees them.
            ///
            /// # Examples
            ///
            /// See [`OnReturn`].
            pub fn on_return(self, on_return: OnReturn) -> Self {
                self.each(move |builder| builder.on_return(on_return))
            }
        })+
    };
}

on_return! { MultiImageRgbaPool MultiImageRgbPool MultiImageRgbaPremulPool }

macro_rules! decode {
    ($($Multi:ident($Pixel:ty) -> $Guard:ident;)+) => {
        $(impl $Multi {
            /// Decodes an image into a pooled one of its dimensions.
            ///
            /// Colour and area are compared before anything is decoded or memory asked for: the
            /// largest class is the largest image that a file can make this decode. The pixels
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
                check_color::<$Pixel>(&decoder)?;
                check_area(&decoder, *self.largest())?;
                let mut image = self.get(decoder.dimensions());
                read_into(decoder, &mut image)?;
                Ok(image)
            }
        })+
    };
}

decode! {
    MultiImageRgbaPool(Rgba<u8>) -> ImageRgbaRef;
    MultiImageRgbPool(Rgb<u8>) -> ImageRgbRef;
}
