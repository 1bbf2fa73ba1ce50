//! Premultiplied colours: conversions both ways, and what they round to.

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
    for (straight, premul) in every_pair().chunks_exact(4).zip(premul.as_raw().chunks_exact(4)) {
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
