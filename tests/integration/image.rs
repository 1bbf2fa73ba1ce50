//! Pools of images: what is handed out, what comes back, decoding and encoding in place.

// Colours of test pictures are meant to wrap around.
#![allow(clippy::cast_possible_truncation)]

use std::error::Error;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bp::{
    DecodeError, ImageRgbaPool, ImageRgbaPremulPool, ImageRgbaPremulRef, ImageRgbaRef, OnReturn,
    PutReason, Rect, RgbaPremulImage, TypedPool,
};
use bp_tests::suite;
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{PngDecoder, PngEncoder};
use image::metadata::{Cicp, CicpColorPrimaries, CicpTransferCharacteristics};
use image::{
    ColorType, ExtendedColorType, GenericImageView, ImageBuffer, ImageDecoder, ImageError,
    ImageResult, Luma, Pixel, Rgb, Rgba, RgbaImage,
};

/// A picture whose pixels all differ.
fn picture(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| Rgba([x, y, x ^ y, !x].map(|v| v as u8)))
}

fn png<P>(image: &ImageBuffer<P, Vec<P::Subpixel>>) -> Vec<u8>
where
    P: image::PixelWithColorType,
    [P::Subpixel]: image::EncodableLayout,
{
    let mut file = Vec::new();
    image.write_with_encoder(PngEncoder::new(&mut file)).expect("memory takes every image");
    file
}

fn decoder(file: &[u8]) -> PngDecoder<Cursor<&[u8]>> {
    PngDecoder::new(Cursor::new(file)).expect("a PNG header")
}

#[test]
fn the_object_is_the_image_that_users_functions_take() {
    fn invert(image: &mut RgbaImage) {
        image.iter_mut().for_each(|sample| *sample = !*sample);
    }

    let pool = ImageRgbaPool::new(2, 5, 3);
    let mut image = pool.get();
    invert(&mut image);
    assert_eq!(image.dimensions(), (5, 3));
    assert_eq!(image.as_raw()[..], [255; 60]);
    let owned: RgbaImage = ImageRgbaRef::detach(image);
    assert_eq!(owned.get_pixel(4, 2).0, [255; 4]);
}

#[test]
fn the_same_memory_comes_back_as_its_user_left_it() {
    let pool = ImageRgbaPool::new(2, 64, 64);
    let mut image = pool.get();
    assert!(image.as_raw().iter().all(|&sample| sample == 0));
    image.fill(7);
    let address = image.as_raw().as_ptr();
    drop(image);

    let image = pool.get();
    assert_eq!(image.as_raw().as_ptr(), address);
    assert!(image.as_raw().iter().all(|&sample| sample == 7));
}

#[test]
fn zeroed_images_show_nothing_of_their_last_user() {
    let pool = ImageRgbaPool::builder(2, 64, 64).on_return(OnReturn::Zero).build().expect("valid");
    let mut image = pool.get();
    image.fill(7);
    let address = image.as_raw().as_ptr();
    drop(image);

    let image = pool.get();
    assert_eq!(image.as_raw().as_ptr(), address);
    assert_eq!(image.dimensions(), (64, 64));
    assert!(image.as_raw().iter().all(|&sample| sample == 0));
}

#[test]
fn premultiplied_images_are_zeroed_too() {
    let zeroed = ImageRgbaPremulPool::builder(2, 8, 8).on_return(OnReturn::Zero).build();
    let zeroed = zeroed.expect("valid");
    zeroed.get().as_raw_mut().fill(9);
    assert_eq!(zeroed.get().as_raw(), [0; 256]);

    let left = ImageRgbaPremulPool::with_rect(2, Rect::new(-4, -4, 4, 4));
    left.get().as_raw_mut().fill(9);
    assert_eq!(left.get().as_raw(), [9; 256]);
    assert_eq!(left.get().dimensions(), (8, 8));
}

#[test]
fn a_colour_space_does_not_reach_the_next_user() {
    let pool = ImageRgbaPool::new(1, 2, 2);
    let mut image = pool.get();
    image.set_rgb_primaries(CicpColorPrimaries::SmpteRp432);
    image.set_transfer_function(CicpTransferCharacteristics::Linear);
    drop(image);

    let image = pool.try_get().expect("kept");
    assert_eq!(image.color_space(), Cicp::SRGB);
    assert_eq!(image.color_space(), RgbaImage::new(1, 1).color_space());
}

#[test]
fn another_image_behind_the_guard_is_fitted_or_dropped() {
    let pool = ImageRgbaPool::new(4, 10, 10);

    // Memory for 10x10, shown as less: kept, and what was not shown is blank.
    let mut image = pool.get();
    let mut samples = vec![7; 400];
    let address = samples.as_ptr();
    samples.truncate(16);
    *image = RgbaImage::from_raw(2, 2, samples).expect("four pixels");
    drop(image);
    let image = pool.try_get().expect("kept");
    assert_eq!((image.dimensions(), image.as_raw().as_ptr()), ((10, 10), address));
    assert_eq!(image.as_raw()[..16], [7; 16]);
    assert_eq!(image.as_raw()[16..], [0; 384]);
    drop(image);

    // The same dimensions over a longer buffer.
    let mut image = pool.get();
    *image = RgbaImage::from_raw(10, 10, vec![7; 450]).expect("more than enough");
    drop(image);
    assert_eq!(pool.try_get().expect("kept").as_raw().len(), 400);

    // Too small and too large.
    for (width, height) in [(9, 10), (10, 13)] {
        let unfit = pool.stats().discarded_unfit;
        let mut image = pool.get();
        *image = RgbaImage::new(width, height);
        drop(image);
        assert_eq!(pool.stats().discarded_unfit, unfit + 1, "{width}x{height}");
    }
    assert!(pool.is_empty());
}

#[test]
fn put_gives_back_what_does_not_fit() {
    let pool = ImageRgbaPool::new(1, 10, 10);
    let refused = pool.put(picture(9, 9)).expect_err("too small");
    assert_eq!((refused.reason, refused.item), (PutReason::Unfit, picture(9, 9)));
    pool.put(picture(10, 10)).expect("room and fit");
    let refused = pool.put(picture(10, 10)).expect_err("full");
    assert_eq!((refused.reason, refused.item), (PutReason::Full, picture(10, 10)));
    assert_eq!(pool.take(), picture(10, 10));
}

#[test]
fn impossible_dimensions_are_refused() {
    for (width, height, field, value) in [
        (0, 5, "width", "0"),
        (5, 0, "height", "0"),
        (0, 0, "width", "0"),
        (u32::MAX, u32::MAX, "size", "4294967295x4294967295"),
        (1 << 31, 1 << 30, "size", "2147483648x1073741824"),
    ] {
        let error = ImageRgbaPool::builder(1, width, height).build().expect_err("impossible");
        assert_eq!((error.field(), error.value()), (field, value));
        let error = ImageRgbaPremulPool::builder(1, width, height).build().expect_err("impossible");
        assert_eq!((error.field(), error.value()), (field, value));
    }
    let error = bp::ImageRgba32FPool::builder(1, 1 << 30, 1 << 29).build().expect_err("2^63 bytes");
    assert_eq!(error.field(), "size");
    assert!(catch_unwind(|| ImageRgbaPool::new(1, 0, 1)).is_err());
    assert!(catch_unwind(|| ImageRgbaPool::with_rect(1, Rect::new(3, 3, 3, 9))).is_err());
}

#[test]
fn figures_tell_the_bytes_of_idle_images() {
    let pool = ImageRgbaPool::builder(4, 10, 10).preload(0.5).build().expect("valid");
    assert_eq!(pool.stats().bytes_idle, 800);
    let deep = bp::ImageLumaA16Pool::builder(4, 10, 10).preload(0.5).build().expect("valid");
    assert_eq!(deep.stats().bytes_idle, 800);
}

/// Gets, fills, returns and gets again an image of each pixel type.
#[test]
fn every_pixel_type_has_its_pool() {
    fn reuse<P>(image: &mut ImageBuffer<P, Vec<P::Subpixel>>, value: P::Subpixel) -> *const u8
    where
        P: Pixel,
    {
        assert_eq!(image.dimensions(), (6, 7));
        assert_eq!(image.as_raw().len(), 6 * 7 * usize::from(P::CHANNEL_COUNT));
        image.fill(value);
        image.as_raw().as_ptr().cast()
    }
    macro_rules! check {
        ($($Pool:ident, $value:expr, $zero:expr;)+) => {$(
            let pool = bp::$Pool::with_rect(2, Rect::new(1, 1, 7, 8));
            let first = reuse(&mut pool.get(), $value);
            let image = pool.get();
            assert!(image.iter().all(|&sample| sample == $value), stringify!($Pool));
            assert_eq!(image.as_raw().as_ptr().cast(), first, stringify!($Pool));

            let builder = bp::$Pool::builder(2, 6, 7).on_return(OnReturn::Zero);
            let pool = builder.build().expect("valid");
            pool.get().fill($value);
            assert!(pool.get().iter().all(|&sample| sample == $zero), stringify!($Pool));
        )+};
    }
    check! {
        ImageRgbaPool, 7, 0;
        ImageRgbPool, 7, 0;
        ImageLumaPool, 7, 0;
        ImageLumaAPool, 7, 0;
        ImageRgba16Pool, 700, 0;
        ImageRgb16Pool, 700, 0;
        ImageLuma16Pool, 700, 0;
        ImageLumaA16Pool, 700, 0;
    }
    // Floats have no exact equality in the eyes of the linter; their bits do.
    let pool = bp::ImageRgba32FPool::new(1, 6, 7);
    pool.get().fill(0.25);
    assert!(pool.get().iter().all(|sample| sample.to_bits() == 0.25_f32.to_bits()));
    let pool = bp::ImageRgb32FPool::builder(1, 6, 7).on_return(OnReturn::Zero).build();
    let pool = pool.expect("valid");
    pool.get().fill(0.25);
    assert!(pool.get().iter().all(|sample| sample.to_bits() == 0));
}

mod premultiplied;

mod decoding;

mod classes;

suite! {
    mod straight for ImageRgbaPool, ImageRgbaRef, RgbaImage {
        build: |capacity| ImageRgbaPool::builder(capacity, 4, 4).on_return(OnReturn::Zero),
        dirty: |image| image.fill(b'x'),
        blank: |image| *image == RgbaImage::new(4, 4),
    }
}

suite! {
    mod premul for ImageRgbaPremulPool, ImageRgbaPremulRef, RgbaPremulImage {
        build: |capacity| ImageRgbaPremulPool::builder(capacity, 4, 4).on_return(OnReturn::Zero),
        dirty: |image| image.as_raw_mut().fill(b'x'),
        blank: |image| *image == RgbaPremulImage::new(4, 4),
    }
}

#[test]
fn guards_are_one_pointer_and_travel() {
    fn travels<T: Send + Sync + 'static>() {}
    travels::<ImageRgbaPool>();
    travels::<ImageRgbaRef>();
    travels::<ImageRgbaPremulRef>();
    travels::<bp::ImageYCbCrRef>();
    assert_eq!(size_of::<Option<ImageRgbaRef>>(), size_of::<usize>());
    assert_eq!(ImageRgbaPool::new(3, 1, 1).as_pool().capacity(), 3);
}
