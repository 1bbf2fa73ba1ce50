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

mod premultiplied {
    use super::*;

    /// One image that holds every colour with every alpha: alpha is the row.
    fn every_pair() -> RgbaImage {
        RgbaImage::from_fn(256, 256, |color, alpha| {
            let (color, alpha) = (color as u8, alpha as u8);
            Rgba([color, 255 - color, color, alpha])
        })
    }

    #[test]
    fn colours_are_the_nearest_to_the_product() {
        let premul = RgbaPremulImage::from_straight(&every_pair());
        for (straight, premul) in every_pair().chunks_exact(4).zip(premul.as_raw().chunks_exact(4))
        {
            let alpha = f64::from(straight[3]);
            for channel in 0..3 {
                let exact = f64::from(straight[channel]) * alpha / 255.0;
                assert!((f64::from(premul[channel]) - exact).abs() <= 0.5, "{straight:?}");
            }
            assert_eq!(premul[3], straight[3]);
        }
    }

    #[test]
    fn to_straight_and_back_is_exact() {
        let mut premul = RgbaPremulImage::new(256, 256);
        for (at, pixel) in premul.as_raw_mut().chunks_exact_mut(4).enumerate() {
            let (alpha, color) = ((at / 256) as u8, (at % 256) as u8);
            // Only what is possible: no colour is above alpha.
            pixel.copy_from_slice(&[color.min(alpha), alpha / 2, 0, alpha]);
        }
        assert_eq!(RgbaPremulImage::from_straight(&premul.to_straight()), premul);
    }

    #[test]
    fn opaque_pixels_stay_and_transparent_ones_lose_their_colour() {
        let image = RgbaImage::from_raw(2, 1, vec![1, 2, 3, 255, 4, 5, 6, 0]).expect("two pixels");
        let premul = RgbaPremulImage::from_straight(&image);
        assert_eq!(premul.as_raw(), [1, 2, 3, 255, 0, 0, 0, 0]);
        assert_eq!(premul.to_straight().as_raw()[..], [1, 2, 3, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn a_colour_above_alpha_becomes_white() {
        let premul = RgbaPremulImage::from_raw(1, 1, vec![200, 100, 50, 100]).expect("one pixel");
        assert_eq!(premul.to_straight().as_raw()[..], [255, 255, 128, 100]);
    }

    #[test]
    fn pixels_must_be_as_many_as_the_dimensions_say() {
        assert!(RgbaPremulImage::from_raw(2, 2, vec![0; 15]).is_none());
        assert!(RgbaPremulImage::from_raw(2, 2, vec![0; 17]).is_none());
        let image = RgbaPremulImage::from_raw(2, 2, vec![3; 16]).expect("four pixels");
        assert_eq!(image.into_raw(), [3; 16]);
        assert_eq!(RgbaPremulImage::default(), RgbaPremulImage::new(0, 0));
    }

    #[test]
    #[should_panic(expected = "different dimensions")]
    fn conversions_need_equal_dimensions() {
        RgbaPremulImage::new(2, 3).copy_to_straight(&mut RgbaImage::new(3, 2));
    }

    /// In Go the two pools accept each other's pixels.
    #[test]
    fn pooled_images_convert_in_place() {
        let (canvases, frames) =
            (ImageRgbaPremulPool::new(1, 256, 256), ImageRgbaPool::new(1, 256, 256));
        let (mut canvas, mut frame) = (canvases.get(), frames.get());
        canvas.copy_from_straight(&every_pair());
        assert_eq!(*canvas, RgbaPremulImage::from_straight(&every_pair()));
        canvas.copy_to_straight(&mut frame);
        assert_eq!(*frame, canvas.to_straight());
    }
}

mod decoding {
    use super::*;

    /// Announces what it is told, and fails or panics when it is read.
    struct Fake {
        dimensions: (u32, u32),
        color: ColorType,
        bytes: u64,
    }

    impl ImageDecoder for Fake {
        fn dimensions(&self) -> (u32, u32) {
            self.dimensions
        }

        fn color_type(&self) -> ColorType {
            self.color
        }

        fn total_bytes(&self) -> u64 {
            self.bytes
        }

        fn read_image(self, _: &mut [u8]) -> ImageResult<()> {
            panic!("a decoder that must not be read")
        }

        fn read_image_boxed(self: Box<Self>, bytes: &mut [u8]) -> ImageResult<()> {
            (*self).read_image(bytes)
        }
    }

    #[test]
    fn an_image_is_decoded_into_pooled_memory() {
        let pool = ImageRgbaPool::new(2, 31, 17);
        let address = pool.get().as_raw().as_ptr();
        let image = pool.decode(decoder(&png(&picture(31, 17)))).expect("a good file");
        assert_eq!(*image, picture(31, 17));
        assert_eq!(image.as_raw().as_ptr(), address);
        assert_eq!(png(&image), png(&picture(31, 17)));
    }

    #[test]
    fn other_pixel_types_are_decoded_as_well() {
        let deep = ImageBuffer::from_fn(9, 5, |x, y| {
            Rgb([x * 7000, y * 9000, 65535 - x].map(|v| v as u16))
        });
        let pool = bp::ImageRgb16Pool::new(1, 9, 5);
        assert_eq!(*pool.decode(decoder(&png(&deep))).expect("a good file"), deep);

        let grey = ImageBuffer::from_fn(9, 5, |x, y| Luma([(x * 16 + y) as u8]));
        let pool = bp::ImageLumaPool::new(1, 9, 5);
        assert_eq!(*pool.decode(decoder(&png(&grey))).expect("a good file"), grey);
    }

    #[test]
    fn a_jpeg_file_is_decoded_as_rgb() {
        let mut file = Vec::new();
        let flat = ImageBuffer::from_pixel(40, 30, Rgb([200_u8, 100, 50]));
        flat.write_with_encoder(JpegEncoder::new_with_quality(&mut file, 95)).expect("encodes");

        let pool = bp::ImageRgbPool::new(1, 40, 30);
        let image = pool.decode(JpegDecoder::new(Cursor::new(&file)).expect("a header"));
        let image = image.expect("a good file");
        assert!(
            image.pixels().all(|pixel| pixel[0].abs_diff(200) < 4 && pixel[2].abs_diff(50) < 4)
        );
    }

    #[test]
    fn another_colour_is_refused_untouched() {
        let pool = ImageRgbaPool::new(2, 4, 4);
        let error =
            pool.decode(decoder(&png(&ImageBuffer::<Rgb<u8>, _>::new(4, 4)))).expect_err("RGB");
        assert!(matches!(
            error,
            DecodeError::Color {
                expected: ExtendedColorType::Rgba8,
                found: ExtendedColorType::Rgb8
            }
        ));
        assert_eq!(error.to_string(), "the image has Rgb8 pixels, but the pool holds Rgba8");
        assert_eq!(pool.stats().misses, 0);
    }

    #[test]
    fn other_dimensions_are_refused_untouched() {
        let pool = ImageRgbaPool::new(2, 4, 4);
        for (width, height) in [(4, 5), (2, 8), (1, 1)] {
            let error = pool.decode(decoder(&png(&picture(width, height)))).expect_err("size");
            let DecodeError::Dimensions { expected: (4, 4), found } = error else {
                panic!("{error:?}")
            };
            assert_eq!(found, (width, height));
        }
        assert_eq!(pool.stats().misses, 0);
    }

    /// Case 31 as well: a length that the other side chose.
    #[test]
    fn a_decoder_that_announces_other_bytes_is_not_read() {
        let pool = ImageRgbaPool::new(2, 4, 4);
        for bytes in [0, 63, 65, u64::MAX] {
            let fake = Fake { dimensions: (4, 4), color: ColorType::Rgba8, bytes };
            let error = pool.decode(fake).expect_err("no such image");
            assert!(matches!(error, DecodeError::Bytes { expected: 64, found } if found == bytes));
        }
        assert_eq!(pool.len(), 1, "the image went back");
    }

    #[test]
    fn a_truncated_file_is_an_error_with_its_source_and_the_image_goes_back() {
        let file = png(&picture(64, 64));
        let pool = ImageRgbaPool::new(2, 64, 64);
        let address = pool.get().as_raw().as_ptr();
        for cut in [60, file.len() / 2, file.len() - 20] {
            let error = pool.decode(decoder(&file[..cut])).expect_err("half a file");
            assert!(matches!(error, DecodeError::Decoder(_)), "{error:?}");
            assert!(
                error.source().and_then(|source| source.downcast_ref::<ImageError>()).is_some()
            );
            assert_eq!(pool.len(), 1);
        }
        let image = pool.decode(decoder(&file)).expect("the whole file");
        assert_eq!(image.as_raw().as_ptr(), address);
        assert_eq!(*image, picture(64, 64));
    }

    /// A file chooses how much of its image a decoder writes: where a JPEG ends within a row,
    /// behind a comment, the rest stays as it was, and that is no error.
    #[test]
    fn a_file_that_ends_too_early_shows_nothing_of_the_image_before() {
        let picture = ImageBuffer::from_fn(48, 48, |x: u32, y: u32| {
            let noise = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b);
            Rgb([noise, noise >> 8, noise >> 16].map(|v| v as u8))
        });
        let mut file = Vec::new();
        picture.write_with_encoder(JpegEncoder::new(&mut file)).expect("encodes");
        file.truncate(1000);
        file.extend([0xff, 0xfe, 0, 2, 0xff, 0xd9]); // a comment, and the end
        let decoder = || JpegDecoder::new(Cursor::new(&file)).expect("a header");

        let one = bp::ImageRgbPool::new(1, 48, 48);
        let many = bp::MultiImageRgbPool::builder().class(1, (48, 48)).build().expect("a class");
        one.get().fill(170);
        many.get((48, 48)).fill(170);
        for image in [one.decode(decoder()), many.decode(decoder())] {
            let image = image.expect("a file as good as many");
            assert!(image.pixels().rev().take(48).all(|pixel| pixel.0 != [170; 3]));
        }
        assert_eq!((one.stats().hits, many.stats().hits), (1, 1));
    }

    #[test]
    fn a_decoder_that_panics_costs_its_image_only() {
        let pool = ImageRgbaPool::new(2, 4, 4);
        let fake = || Fake { dimensions: (4, 4), color: ColorType::Rgba8, bytes: 64 };
        assert!(catch_unwind(AssertUnwindSafe(|| pool.decode(fake()))).is_err());
        assert_eq!((pool.len(), pool.stats().discarded_panic), (0, 1));
        assert_eq!(
            *pool.decode(decoder(&png(&picture(4, 4)))).expect("still works"),
            picture(4, 4)
        );
    }

    #[test]
    fn a_pooled_image_is_encoded_in_place() {
        let pool = ImageRgbaPool::new(2, 8, 8);
        let mut image = pool.get();
        image.copy_from_slice(&picture(8, 8));
        let mut file = Vec::new();
        image.write_with_encoder(PngEncoder::new(&mut file)).expect("encodes");
        assert_eq!(*pool.decode(decoder(&file)).expect("a good file"), picture(8, 8));
        // Views work as on any image.
        assert_eq!(
            image.view(2, 2, 3, 3).to_image().get_pixel(0, 0),
            picture(8, 8).get_pixel(2, 2)
        );
    }
}

mod classes {
    use bp::{MultiImageRgbPool, MultiImageRgbaPool, MultiImageRgbaPremulPool};

    use super::*;

    fn pool() -> MultiImageRgbaPool {
        let builder = MultiImageRgbaPool::builder().class(4, (100, 100)).class(4, (20, 20));
        builder.build().expect("valid")
    }

    #[test]
    fn case_27_a_small_image_from_a_large_class_has_exactly_its_bytes() {
        let pool = MultiImageRgbaPool::builder().class(4, (100, 100)).build().expect("valid");
        let mut large = pool.get((100, 100));
        large.fill(0xaa);
        let address = large.as_raw().as_ptr();
        drop(large);

        let small = pool.get((10, 10));
        assert_eq!(small.as_raw().as_ptr(), address, "the same memory");
        assert_eq!(small.dimensions(), (10, 10));
        assert_eq!(small.as_raw().len(), 400);
        assert_eq!(small.sample_layout().height_stride, 40);
        drop(small);

        // Beyond what the last image showed nothing is left of the one before it.
        let large = pool.get((100, 100));
        assert_eq!(large.as_raw().as_ptr(), address);
        assert!(large.as_raw()[400..].iter().all(|&sample| sample == 0));
    }

    #[test]
    fn premultiplied_images_have_exactly_their_bytes_too() {
        let builder = MultiImageRgbaPremulPool::builder().class(4, (100, 100));
        let pool = builder.on_return(OnReturn::Zero).build().expect("valid");
        pool.get((100, 100)).as_raw_mut().fill(0xaa);
        let small = pool.get((10, 10));
        assert_eq!((small.dimensions(), small.as_raw()), ((10, 10), [0; 400].as_slice()));
        drop(small);
        assert!(pool.get((99, 101)).as_raw().iter().all(|&sample| sample == 0));
        assert_eq!(pool.stats().misses, 1);
    }

    /// Go takes the first class that is wide and high enough, here one of 4 MB.
    #[test]
    fn the_smallest_area_serves_whatever_its_proportions() {
        let builder = MultiImageRgbaPool::builder().class(1, (100, 10_000)).class(1, (200, 200));
        let pool = builder.build().expect("valid");
        assert_eq!(pool.get((50, 50)).as_raw().capacity(), 4 * 200 * 200);
        assert_eq!(pool.get((1000, 3)).as_raw().capacity(), 4 * 200 * 200);
        assert_eq!(pool.get((300, 300)).as_raw().capacity(), 4 * 100 * 10_000);
    }

    #[test]
    fn images_above_all_classes_are_not_kept() {
        let pool = pool();
        let image = pool.get((200, 100));
        assert_eq!((image.dimensions(), image.as_raw().len()), ((200, 100), 80_000));
        drop(image);
        let stats = pool.stats();
        assert_eq!((pool.len(), stats.discarded_full + stats.discarded_unfit), (0, 1));
        assert_eq!(pool.get((0, 0)).as_raw().len(), 0);
        assert_eq!(pool.get((0, 7)).dimensions(), (0, 7));
    }

    #[test]
    fn classes_of_one_area_are_refused() {
        let builder = MultiImageRgbaPool::builder().class(1, (10, 20)).class(1, (20, 10));
        assert_eq!(builder.build().expect_err("the same area").field(), "class");
        assert!(MultiImageRgbaPool::builder().build().is_err());
        assert!(MultiImageRgbaPool::builder().class(1, (0, 5)).build().is_err());
        assert!(MultiImageRgbaPool::builder().class(1, (u32::MAX, u32::MAX)).build().is_err());
    }

    #[test]
    fn a_put_image_is_filed_by_its_memory() {
        let pool = pool();
        let mut samples = Vec::with_capacity(40_000);
        samples.extend_from_slice(&[9; 16]);
        pool.put(RgbaImage::from_raw(2, 2, samples).expect("four pixels")).expect("room and fit");
        let lens: Vec<_> = pool.classes().iter().map(|class| (class.size, class.len)).collect();
        assert_eq!(lens, [((20, 20), 0), ((100, 100), 1)]);
        let image = pool.get((100, 100));
        assert_eq!(image.as_raw().len(), 40_000);
        assert_eq!((image.as_raw()[15], image.as_raw()[16]), (9, 0));
    }

    #[test]
    fn files_of_any_size_are_decoded_up_to_the_largest_class() {
        let pool = pool();
        for (width, height) in [(3, 5), (20, 20), (21, 20), (400, 25), (100, 100)] {
            let image = pool.decode(decoder(&png(&picture(width, height)))).expect("a good file");
            assert_eq!(*image, picture(width, height));
        }
        let misses = pool.stats().misses;
        let error = pool.decode(decoder(&png(&picture(101, 100)))).expect_err("too large");
        let DecodeError::Dimensions { expected: (100, 100), found: (101, 100) } = error else {
            panic!("{error:?}")
        };
        assert_eq!(pool.stats().misses, misses);

        let rgb = MultiImageRgbPool::builder().class(1, (64, 64)).build().expect("valid");
        let flat = ImageBuffer::from_pixel(8, 8, Rgb([1, 2, 3]));
        assert_eq!(*rgb.decode(decoder(&png(&flat))).expect("a good file"), flat);
        assert!(matches!(
            rgb.decode(decoder(&png(&picture(8, 8)))),
            Err(DecodeError::Color { .. })
        ));
    }
}

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
