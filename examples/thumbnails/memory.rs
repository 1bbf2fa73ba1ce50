//! Where buffers and images come from: fresh from the allocator, or from pools.

use std::ops::{Deref, DerefMut};

use bp::{BufferPool, BuildError, MultiImageRgbPool, MultiImageRgbaPool};
use image::{ImageDecoder, RgbImage, RgbaImage};

use crate::DecodeError;

type Size = (u32, u32);

pub(crate) trait Memory: Sync {
    fn buffer(&self) -> impl DerefMut<Target = Vec<u8>>;
    fn rgb(&self, size: Size) -> impl DerefMut<Target = RgbImage>;
    fn rgba(&self, size: Size) -> impl DerefMut<Target = RgbaImage>;
    fn decode_rgb(
        &self,
        decoder: impl ImageDecoder,
    ) -> Result<impl DerefMut<Target = RgbImage>, DecodeError>;
    fn decode_rgba(
        &self,
        decoder: impl ImageDecoder,
    ) -> Result<impl DerefMut<Target = RgbaImage>, DecodeError>;
}

pub(crate) struct Fresh;

/// Derefs to what it owns, as a guard does.
struct Owned<T>(T);

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl Memory for Fresh {
    fn buffer(&self) -> impl DerefMut<Target = Vec<u8>> {
        Owned(Vec::new())
    }

    fn rgb(&self, (width, height): Size) -> impl DerefMut<Target = RgbImage> {
        Owned(RgbImage::new(width, height))
    }

    fn rgba(&self, (width, height): Size) -> impl DerefMut<Target = RgbaImage> {
        Owned(RgbaImage::new(width, height))
    }

    fn decode_rgb(
        &self,
        decoder: impl ImageDecoder,
    ) -> Result<impl DerefMut<Target = RgbImage>, DecodeError> {
        let mut image = self.rgb(decoder.dimensions());
        decoder.read_image(&mut image)?;
        Ok(image)
    }

    fn decode_rgba(
        &self,
        decoder: impl ImageDecoder,
    ) -> Result<impl DerefMut<Target = RgbaImage>, DecodeError> {
        let mut image = self.rgba(decoder.dimensions());
        decoder.read_image(&mut image)?;
        Ok(image)
    }
}

pub(crate) struct Pooled {
    buffers: BufferPool,
    rgb: MultiImageRgbPool,
    rgba: MultiImageRgbaPool,
}

impl Pooled {
    pub(crate) fn new() -> Result<Self, BuildError> {
        Ok(Pooled {
            // Files are of any size; a buffer stays while it is used in full.
            buffers: BufferPool::builder(8, 64 * 1024).retain_by_use().build()?,
            // The largest is the largest picture that a file can make this decode.
            rgb: MultiImageRgbPool::builder()
                .class(8, (128, 128))
                .class(8, (1280, 720))
                .class(8, (4096, 4096))
                .build()?,
            rgba: MultiImageRgbaPool::builder()
                .class(8, (128, 128))
                .class(8, (1280, 720))
                .class(8, (4096, 4096))
                .build()?,
        })
    }
}

impl Memory for Pooled {
    fn buffer(&self) -> impl DerefMut<Target = Vec<u8>> {
        self.buffers.get()
    }

    fn rgb(&self, size: Size) -> impl DerefMut<Target = RgbImage> {
        self.rgb.get(size)
    }

    fn rgba(&self, size: Size) -> impl DerefMut<Target = RgbaImage> {
        self.rgba.get(size)
    }

    fn decode_rgb(
        &self,
        decoder: impl ImageDecoder,
    ) -> Result<impl DerefMut<Target = RgbImage>, DecodeError> {
        self.rgb.decode(decoder)
    }

    fn decode_rgba(
        &self,
        decoder: impl ImageDecoder,
    ) -> Result<impl DerefMut<Target = RgbaImage>, DecodeError> {
        self.rgba.decode(decoder)
    }
}
