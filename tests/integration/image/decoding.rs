//! Files decoded into pooled images, also broken ones and those of decoders that lie.

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
    let deep =
        ImageBuffer::from_fn(9, 5, |x, y| Rgb([x * 7000, y * 9000, 65535 - x].map(|v| v as u16)));
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
    assert!(image.pixels().all(|pixel| pixel[0].abs_diff(200) < 4 && pixel[2].abs_diff(50) < 4));
}

#[test]
fn another_colour_is_refused_untouched() {
    let pool = ImageRgbaPool::new(2, 4, 4);
    let error = pool.decode(decoder(&png(&ImageBuffer::<Rgb<u8>, _>::new(4, 4)))).expect_err("RGB");
    assert!(matches!(
        error,
        DecodeError::Color { expected: ExtendedColorType::Rgba8, found: ExtendedColorType::Rgb8 }
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
        assert!(error.source().and_then(|source| source.downcast_ref::<ImageError>()).is_some());
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
    assert_eq!(*pool.decode(decoder(&png(&picture(4, 4)))).expect("still works"), picture(4, 4));
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
    assert_eq!(image.view(2, 2, 3, 3).to_image().get_pixel(0, 0), picture(8, 8).get_pixel(2, 2));
}
