//! Size classes of images.

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
    assert!(matches!(rgb.decode(decoder(&png(&picture(8, 8)))), Err(DecodeError::Color { .. })));
}
