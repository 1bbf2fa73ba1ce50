//! A frame on its way to an encoder and back: RGBA to pooled YCbCr planes, and to RGBA again.
//!
//! ```text
//! cargo run --release --example yuv_pipeline
//! ```
//!
//! The `yuv` crate converts between slices, and the planes of a pooled image are slices: nothing
//! is copied, and after the first frame nothing is allocated.

use bp::{ImageRgbaPool, ImageYCbCrPool, Subsampling, YCbCrImage};
use image::RgbaImage;
use yuv::{
    BufferStoreMut, YuvConversionMode, YuvError, YuvPlanarImage, YuvPlanarImageMut, YuvRange,
    YuvStandardMatrix,
};

const FRAMES: u32 = 10;
const WIDTH: u32 = 1279;
const HEIGHT: u32 = 719;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pictures = ImageRgbaPool::new(4, WIDTH, HEIGHT);
    // Rows of planes begin at multiples of 64 bytes.
    let frames = ImageYCbCrPool::builder(4, WIDTH, HEIGHT, Subsampling::S420)
        .strides(stride(WIDTH), stride(WIDTH.div_ceil(2)))
        .build()?;

    let mut furthest = 0;
    for number in 0..FRAMES {
        let mut picture = pictures.get();
        draw(&mut picture, number);

        let mut frame = frames.get();
        to_planes(&picture, &mut frame)?;
        // An encoder would take the planes here, and a decoder hand out others.
        let mut seen = pictures.get();
        from_planes(&frame, &mut seen)?;

        let apart = picture.iter().zip(seen.iter()).map(|(a, b)| a.abs_diff(*b)).max();
        furthest = furthest.max(apart.unwrap_or(0));
    }

    println!("{FRAMES} frames of {WIDTH}x{HEIGHT} in 4:2:0 and back");
    println!("furthest sample: {furthest} of 255 away");
    println!("pictures: {} created, {} reused", pictures.stats().misses, pictures.stats().hits);
    println!("frames: {} created, {} reused", frames.stats().misses, frames.stats().hits);
    Ok(())
}

fn stride(width: u32) -> usize {
    (width as usize).next_multiple_of(64)
}

/// A slow gradient that moves; 4:2:0 keeps what changes slowly.
fn draw(picture: &mut RgbaImage, number: u32) {
    let ramp = |at: u32, of: u32| u8::try_from(at % of * 255 / of).unwrap_or(u8::MAX);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        *pixel = image::Rgba([ramp(x / 2, WIDTH), ramp(y, HEIGHT), ramp(number, FRAMES), 255]);
    }
}

/// Alpha is left out: video has none.
fn to_planes(picture: &RgbaImage, frame: &mut YCbCrImage) -> Result<(), YuvError> {
    let (width, height) = frame.dimensions();
    let (y_stride, c_stride) = strides(frame);
    let (y, cb, cr) = frame.planes_mut();
    let mut planes = YuvPlanarImageMut {
        y_plane: BufferStoreMut::Borrowed(y),
        y_stride,
        u_plane: BufferStoreMut::Borrowed(cb),
        u_stride: c_stride,
        v_plane: BufferStoreMut::Borrowed(cr),
        v_stride: c_stride,
        width,
        height,
    };
    let mode = YuvConversionMode::Balanced;
    let matrix = YuvStandardMatrix::Bt601;
    yuv::rgba_to_yuv420(&mut planes, picture, 4 * width, YuvRange::Full, matrix, mode)
}

fn from_planes(frame: &YCbCrImage, picture: &mut RgbaImage) -> Result<(), YuvError> {
    let (width, height) = frame.dimensions();
    let (y_stride, c_stride) = strides(frame);
    let planes = YuvPlanarImage {
        y_plane: frame.y(),
        y_stride,
        u_plane: frame.cb(),
        u_stride: c_stride,
        v_plane: frame.cr(),
        v_stride: c_stride,
        width,
        height,
    };
    let matrix = YuvStandardMatrix::Bt601;
    yuv::yuv420_to_rgba(&planes, picture, 4 * width, YuvRange::Full, matrix)
}

/// As the `yuv` crate wants them.
fn strides(frame: &YCbCrImage) -> (u32, u32) {
    let stride = |stride| u32::try_from(stride).expect("no wider than a picture and its padding");
    (stride(frame.y_stride()), stride(frame.c_stride()))
}
