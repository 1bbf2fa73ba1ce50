//! Scaling down, from one image into another that exists.

use image::{ImageBuffer, Pixel};

/// Returns the largest size of the same proportions that is at most `edge` wide and high.
pub(crate) fn fitting((width, height): (u32, u32), edge: u32) -> (u32, u32) {
    let longer = width.max(height).max(1);
    let scaled = |of: u32| {
        let scaled = u64::from(of) * u64::from(edge) / u64::from(longer);
        u32::try_from(scaled).map_or(edge, |scaled| scaled.clamp(1, edge))
    };
    if longer <= edge { (width, height) } else { (scaled(width), scaled(height)) }
}

/// Gives each pixel of `to` the average of the pixels of `from` that it stands for.
pub(crate) fn shrink<P>(from: &ImageBuffer<P, Vec<u8>>, to: &mut ImageBuffer<P, Vec<u8>>)
where
    P: Pixel<Subpixel = u8>,
{
    let ((from_width, from_height), (width, height)) = (from.dimensions(), to.dimensions());
    for (x, y, pixel) in to.enumerate_pixels_mut() {
        let (columns, rows) = (span(x, width, from_width), span(y, height, from_height));
        let mut sums = [0_u64; 4];
        for row in rows.clone() {
            for column in columns.clone() {
                for (sum, sample) in sums.iter_mut().zip(from.get_pixel(column, row).channels()) {
                    *sum += u64::from(*sample);
                }
            }
        }
        let pixels = (columns.len() * rows.len()) as u64;
        for (sample, sum) in pixel.channels_mut().iter_mut().zip(sums) {
            *sample = u8::try_from((sum + pixels / 2) / pixels).unwrap_or(u8::MAX);
        }
    }
}

/// The pixels along one axis that the one at `at` of `of` stands for, where there are `from`.
fn span(at: u32, of: u32, from: u32) -> std::ops::Range<u32> {
    let edge = |at: u32| u32::try_from(u64::from(at) * u64::from(from) / u64::from(of));
    let (start, end) = (edge(at).unwrap_or(from), edge(at + 1).unwrap_or(from));
    start.min(from - 1)..end.max(start + 1).min(from)
}
