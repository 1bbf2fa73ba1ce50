//! Pools of YCbCr images: planes as Go has them, for every rectangle and ratio.

// The formulas of Go are over signed numbers, and these planes are small.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]

use std::panic::catch_unwind;

use bp::{
    AnyPool, ImageYCbCrPool, ImageYCbCrRef, MultiImageYCbCrPool, OnReturn, Rect, Subsampling,
    YCbCrImage,
};
use bp_tests::suite;

const RATIOS: [Subsampling; 6] = [
    Subsampling::S444,
    Subsampling::S422,
    Subsampling::S420,
    Subsampling::S440,
    Subsampling::S411,
    Subsampling::S410,
];

/// Colour planes as Go's `image/ycbcr.go` sizes them: one formula per ratio, `/` toward zero.
fn go_chroma(ratio: Subsampling, rect: Rect) -> (i64, i64) {
    let (min_x, min_y) = (i64::from(rect.min().0), i64::from(rect.min().1));
    let (max_x, max_y) = rect.max();
    let (w, h) = (max_x - min_x, max_y - min_y);
    match ratio {
        Subsampling::S422 => ((max_x + 1) / 2 - min_x / 2, h),
        Subsampling::S420 => ((max_x + 1) / 2 - min_x / 2, (max_y + 1) / 2 - min_y / 2),
        Subsampling::S440 => (w, (max_y + 1) / 2 - min_y / 2),
        Subsampling::S411 => ((max_x + 3) / 4 - min_x / 4, h),
        Subsampling::S410 => ((max_x + 3) / 4 - min_x / 4, (max_y + 1) / 2 - min_y / 2),
        _ => (w, h),
    }
}

/// Rectangles with corners in `-50..50` that have pixels, the same in every run.
fn rects(n: usize) -> impl Iterator<Item = Rect> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut coordinate = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        i32::try_from((state >> 33) % 100).expect("below 100") - 50
    };
    std::iter::repeat_with(move || {
        Rect::new(coordinate(), coordinate(), coordinate(), coordinate())
    })
    .filter(|rect| !rect.is_empty())
    .take(n)
}

#[test]
fn planes_are_those_of_go_for_any_rectangle_and_ratio() {
    for rect in rects(2000) {
        for ratio in RATIOS {
            let pool = ImageYCbCrPool::with_rect(1, rect, ratio);
            let image = pool.get();
            let (cw, ch) = go_chroma(ratio, rect);
            let (w, h) = (i64::from(rect.width()), i64::from(rect.height()));
            let what = format!("{rect:?} {ratio}");
            let len = |plane: &[u8]| i64::try_from(plane.len()).expect("small");
            assert_eq!(
                (len(image.y()), len(image.cb()), len(image.cr())),
                (w * h, cw * ch, cw * ch),
                "{what}"
            );
            assert_eq!(len(image.as_raw()), w * h + 2 * cw * ch, "{what}");
            assert_eq!((image.y_stride() as i64, image.c_stride() as i64), (w, cw), "{what}");
            assert_eq!((image.rect(), image.subsampling()), (rect, ratio));
            assert_eq!(image.dimensions(), rect.dimensions());
        }
    }
}

#[test]
fn planes_have_the_lengths_that_were_worked_out_by_hand() {
    for (rect, ratio, y, c) in [
        (Rect::new(0, 0, 5, 3), Subsampling::S420, 15, 6),
        (Rect::new(1, 1, 3, 3), Subsampling::S420, 4, 4),
        (Rect::new(0, 0, 2, 2), Subsampling::S420, 4, 1),
        (Rect::new(-3, -1, 2, 2), Subsampling::S410, 15, 1),
        (Rect::new(3, 0, 9, 2), Subsampling::S411, 12, 6),
        (Rect::new(0, 0, 7, 5), Subsampling::S444, 35, 35),
        (Rect::new(0, 0, 7, 5), Subsampling::S422, 35, 20),
        (Rect::new(0, 0, 7, 5), Subsampling::S440, 35, 21),
    ] {
        let image = YCbCrImage::with_rect(rect, ratio);
        assert_eq!((image.y().len(), image.cb().len()), (y, c), "{rect:?} {ratio}");
    }
}

#[test]
fn case_26_odd_sizes_round_colour_up() {
    for (size, y, c) in [(1, 1, 1), (3, 9, 4), (19, 361, 100)] {
        let pool = ImageYCbCrPool::new(1, size, size, Subsampling::S420);
        let image = pool.get();
        assert_eq!((image.y().len(), image.cb().len(), image.cr().len()), (y, c, c));
        assert_eq!(image.chroma_dimensions().0, image.c_stride());
    }
}

#[test]
fn every_pixel_has_its_sample() {
    for rect in rects(200) {
        for ratio in RATIOS {
            let image = YCbCrImage::with_rect(rect, ratio);
            let ((min_x, min_y), (max_x, max_y)) = (rect.min(), rect.max());
            let (cw, ch) = image.chroma_dimensions();
            let mut luma = vec![0; image.y().len()];
            let mut colors = vec![0; image.cb().len()];
            for (x, y) in pixels(rect) {
                luma[image.y_offset(x, y).expect("a pixel of the image")] += 1;
                match image.c_offset(x, y) {
                    Some(offset) => colors[offset] += 1,
                    None => assert_eq!(cw * ch, 0, "{rect:?} {ratio}"),
                }
            }
            assert!(luma.iter().all(|&pixels| pixels == 1), "{rect:?}");
            assert!(colors.iter().all(|&pixels| pixels > 0), "{rect:?} {ratio}");
            assert_eq!(image.y_offset(min_x - 1, min_y), None);
            assert_eq!(image.c_offset(min_x, i32::try_from(max_y).expect("small")), None);
            assert_eq!(image.c_offset(i32::try_from(max_x).expect("small"), min_y), None);
        }
    }
}

/// Go's own formula of an offset, where the rectangle does not end at or below zero, where it
/// leaves the plane.
#[test]
fn colour_offsets_are_those_of_go() {
    for rect in rects(500).filter(|rect| rect.max().0 > 0 && rect.max().1 > 0) {
        for ratio in RATIOS {
            let image = YCbCrImage::with_rect(rect, ratio);
            let (sx, sy) = ratio.factors();
            let (sx, sy) = (sx as i32, sy as i32);
            let (min_x, min_y) = rect.min();
            for (x, y) in pixels(rect) {
                let go = (y / sy - min_y / sy) * image.c_stride() as i32 + (x / sx - min_x / sx);
                assert_eq!(
                    image.c_offset(x, y),
                    usize::try_from(go).ok(),
                    "{rect:?} {ratio} {x},{y}"
                );
            }
        }
    }
}

fn pixels(rect: Rect) -> impl Iterator<Item = (i32, i32)> {
    let ((min_x, min_y), (max_x, max_y)) = (rect.min(), rect.max());
    let (max_x, max_y) =
        (i32::try_from(max_x).expect("small"), i32::try_from(max_y).expect("small"));
    (min_y..max_y).flat_map(move |y| (min_x..max_x).map(move |x| (x, y)))
}

#[test]
fn planes_do_not_overlap() {
    let pool = ImageYCbCrPool::new(1, 5, 3, Subsampling::S420);
    let mut image = pool.get();
    let (y, cb, cr) = image.planes_mut();
    y.fill(1);
    cb.fill(2);
    cr.fill(3);
    assert_eq!(image.as_raw(), [[1; 15].as_slice(), &[2; 6], &[3; 6]].concat());
    image.y_mut()[14] = 4;
    image.cb_mut()[0] = 5;
    image.cr_mut()[5] = 6;
    assert_eq!((image.y()[14], image.cb()[0], image.cr()[5]), (4, 5, 6));
    assert_eq!(image.planes(), (image.y(), image.cb(), image.cr()));
}

/// In Go a wider stride leaves the planes as they are, and pixels are read past their ends.
#[test]
fn strides_size_the_planes() {
    let builder = ImageYCbCrPool::builder(2, 5, 3, Subsampling::S420).strides(32, 16);
    let pool = builder.build().expect("wide enough");
    assert_eq!(pool.config().strides(), (32, 16));
    for _ in 0..2 {
        let mut image = pool.get();
        assert_eq!((image.y_stride(), image.c_stride()), (32, 16));
        assert_eq!((image.y().len(), image.cb().len(), image.cr().len()), (96, 32, 32));
        assert_eq!((image.y_offset(4, 2), image.c_offset(4, 2)), (Some(68), Some(18)));
        image.y_mut()[68] = 1;
    }
    assert_eq!(pool.stats().hits, 1);
}

#[test]
fn strides_less_than_a_row_are_refused() {
    let builder = || ImageYCbCrPool::builder(2, 5, 3, Subsampling::S420);
    assert_eq!(builder().strides(4, 3).build().expect_err("narrow").field(), "y_stride");
    assert_eq!(builder().strides(5, 2).build().expect_err("narrow").field(), "c_stride");
    assert_eq!(builder().strides(usize::MAX, 3).build().expect_err("too wide").field(), "size");
    assert_eq!(builder().strides(5, usize::MAX / 2).build().expect_err("too wide").field(), "size");
    assert!(builder().strides(5, 3).build().is_ok());
}

#[test]
fn impossible_sizes_are_refused() {
    for (width, height, field) in [
        (0, 3, "width"),
        (3, 0, "height"),
        (u32::MAX, u32::MAX, "size"),
        (u32::MAX, 1 << 31, "size"),
    ] {
        for ratio in RATIOS {
            let error = ImageYCbCrPool::builder(1, width, height, ratio).build();
            assert_eq!(error.expect_err("impossible").field(), field);
        }
    }
    let far = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
    let error = ImageYCbCrPool::builder_with_rect(1, far, Subsampling::S410).build();
    assert_eq!(error.expect_err("impossible").field(), "size");
    assert!(catch_unwind(|| ImageYCbCrPool::new(1, 0, 3, Subsampling::S420)).is_err());
    assert!(catch_unwind(|| YCbCrImage::with_rect(far, Subsampling::S444)).is_err());
}

#[test]
fn the_same_memory_comes_back_as_its_user_left_it() {
    let pool = ImageYCbCrPool::new(2, 64, 64, Subsampling::S422);
    let mut image = pool.get();
    assert!(image.as_raw().iter().all(|&sample| sample == 0));
    image.cr_mut().fill(7);
    let address = image.as_raw().as_ptr();
    drop(image);
    let image = pool.get();
    assert_eq!(image.as_raw().as_ptr(), address);
    assert!(image.cr().iter().all(|&sample| sample == 7));
}

#[test]
fn zeroed_planes_show_nothing_of_their_last_user() {
    let builder = ImageYCbCrPool::builder(2, 9, 9, Subsampling::S420).strides(16, 8);
    let pool = builder.on_return(OnReturn::Zero).build().expect("valid");
    let mut image = pool.get();
    image.as_raw_mut().fill(7);
    let address = image.as_raw().as_ptr();
    drop(image);
    let image = pool.get();
    assert_eq!(image.as_raw().as_ptr(), address);
    assert!(image.as_raw().iter().all(|&sample| sample == 0));
}

#[test]
fn another_image_behind_the_guard_is_laid_out_anew_or_dropped() {
    let pool = ImageYCbCrPool::new(2, 8, 8, Subsampling::S420);
    let layout = |image: &YCbCrImage| (image.rect(), image.subsampling(), image.as_raw().len());
    let expected = layout(&pool.get());

    // 96 bytes as well, and 104.
    for other in [
        YCbCrImage::new(12, 4, Subsampling::S422),
        YCbCrImage::with_rect(Rect::new(1, 0, 9, 8), Subsampling::S420),
    ] {
        let mut image = pool.get();
        *image = other;
        let address = image.as_raw().as_ptr();
        drop(image);
        let image = pool.get();
        assert_eq!((layout(&image), image.as_raw().as_ptr()), (expected, address));
    }

    for other in
        [YCbCrImage::new(8, 8, Subsampling::S444), YCbCrImage::new(7, 8, Subsampling::S420)]
    {
        let unfit = pool.stats().discarded_unfit;
        let mut image = pool.get();
        *image = other;
        drop(image);
        assert_eq!(pool.stats().discarded_unfit, unfit + 1);
    }
}

#[test]
fn rectangles_are_the_same_from_any_two_corners() {
    let rect = Rect::new(-3, 5, 4, -1);
    assert_eq!(rect, Rect::new(4, -1, -3, 5));
    assert_eq!((rect.min(), rect.max(), rect.dimensions()), ((-3, -1), (4, 5), (7, 6)));
    assert!(rect.contains(-3, -1) && rect.contains(3, 4));
    assert!(!rect.contains(4, 4) && !rect.contains(3, 5) && !rect.contains(-4, 0));
    assert!(Rect::new(2, 2, 2, 9).is_empty() && !rect.is_empty());
    let whole = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
    assert_eq!(whole.dimensions(), (u32::MAX, u32::MAX));
    assert_eq!(whole.max(), (i64::from(i32::MAX), i64::from(i32::MAX)));
}

suite! {
    mod planes for ImageYCbCrPool, ImageYCbCrRef, YCbCrImage {
        build: |capacity| {
            ImageYCbCrPool::builder(capacity, 5, 3, Subsampling::S420).on_return(OnReturn::Zero)
        },
        dirty: |image| image.as_raw_mut().fill(b'x'),
        blank: |image| *image == YCbCrImage::new(5, 3, Subsampling::S420),
    }
}

mod classes {
    use super::*;

    /// In Go this request goes to the class of 6 bytes, and panics.
    #[test]
    fn an_odd_origin_gets_all_the_bytes_that_it_needs() {
        let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
        let pool = builder.class(2, (2, 2)).class(2, (4, 4)).build().expect("valid");
        let image = pool.get(Rect::new(1, 1, 3, 3));
        assert_eq!((image.y().len(), image.cb().len(), image.cr().len()), (4, 4, 4));
        assert_eq!(image.as_raw().len(), 12);
        assert_eq!(image.rect(), Rect::new(1, 1, 3, 3));
        drop(image);
        let lens: Vec<_> = pool.classes().iter().map(|class| (class.size, class.len)).collect();
        assert_eq!(lens, [(Rect::new(0, 0, 2, 2), 0), (Rect::new(0, 0, 4, 4), 1)]);
    }

    #[test]
    fn planes_are_exact_for_any_request() {
        for ratio in RATIOS {
            let builder =
                MultiImageYCbCrPool::builder(ratio).class(1, (101, 101)).class(1, (20, 30));
            let pool = builder.class(1, (7, 7)).build().expect("valid");
            for rect in rects(500) {
                let mut image = pool.get(rect);
                let (cw, ch) = go_chroma(ratio, rect);
                let expected = (rect.width() as usize * rect.height() as usize, cw * ch, cw * ch);
                let (y, cb, cr) = image.planes();
                assert_eq!(
                    (y.len(), cb.len() as i64, cr.len() as i64),
                    expected,
                    "{rect:?} {ratio}"
                );
                assert_eq!(image.as_raw().len(), y.len() + cb.len() + cr.len());
                image.as_raw_mut().fill(0xaa);
            }
            assert!(pool.stats().misses <= 3, "{ratio}");
        }
    }

    #[test]
    fn a_small_image_shows_nothing_beyond_its_own_length() {
        let builder = MultiImageYCbCrPool::builder(Subsampling::S420).class(1, (100, 100));
        let pool = builder.build().expect("valid");
        let mut image = pool.get((100, 100));
        image.as_raw_mut().fill(0xaa);
        let address = image.as_raw().as_ptr();
        drop(image);
        let image = pool.get((10, 10));
        assert_eq!((image.as_raw().len(), image.as_raw().as_ptr()), (150, address));
        drop(image);
        let image = pool.get((100, 100));
        assert!(image.as_raw()[150..].iter().all(|&sample| sample == 0));
    }

    #[test]
    fn zeroed_images_are_blank_in_every_size() {
        let builder = MultiImageYCbCrPool::builder(Subsampling::S422).class(2, (64, 64));
        let pool = builder.on_return(OnReturn::Zero).preload(0.5).build().expect("valid");
        assert_eq!((pool.len(), pool.capacity(), pool.subsampling()), (1, 2, Subsampling::S422));
        for (width, height) in [(64, 64), (3, 3), (64, 60), (1, 1), (64, 64)] {
            let mut image = pool.get((width, height));
            assert!(image.as_raw().iter().all(|&sample| sample == 0), "{width}x{height}");
            image.as_raw_mut().fill(0xaa);
        }
        assert_eq!(pool.stats().misses, 0);
    }

    #[test]
    fn what_is_larger_than_all_classes_is_not_kept() {
        let builder = MultiImageYCbCrPool::builder(Subsampling::S444).class(2, (4, 4));
        let pool = builder.build().expect("valid");
        assert!(pool.try_get((4, 4)).is_none());
        assert_eq!(pool.get((5, 4)).y().len(), 20);
        assert!(pool.is_empty());
        assert_eq!(pool.get((0, 0)).as_raw().len(), 0);
        assert_eq!(AnyPool::len(&pool), 1);
    }

    #[test]
    fn a_put_image_is_filed_by_its_memory() {
        let builder = MultiImageYCbCrPool::builder(Subsampling::S420);
        let pool = builder.class(2, (4, 4)).class(2, (8, 8)).build().expect("valid");
        // 27 bytes: enough for 4x4, which has 24.
        pool.put(YCbCrImage::new(3, 3, Subsampling::S444)).expect("room and fit");
        assert_eq!(pool.classes()[0].len, 1);
        let image = pool.take((4, 4));
        assert_eq!((image.subsampling(), image.as_raw().len()), (Subsampling::S420, 24));
        let refused = pool.put(YCbCrImage::new(1, 1, Subsampling::S444)).expect_err("3 bytes");
        assert_eq!(refused.item.dimensions(), (1, 1));
    }

    #[test]
    fn classes_that_make_no_pool_are_refused() {
        let builder = || MultiImageYCbCrPool::builder(Subsampling::S420);
        assert_eq!(builder().build().expect_err("no class").field(), "classes");
        assert!(builder().class(1, (0, 4)).build().is_err());
        assert!(builder().class(1, (4, 4)).class(1, Rect::new(2, 2, 6, 6)).build().is_err());
        assert!(builder().class(1, (u32::MAX, u32::MAX)).build().is_err());
    }
}
