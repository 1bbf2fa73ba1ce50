//! Pictures for those who bring none: a gradient under a disc, in a few sizes, as PNG and JPEG.

use std::fs;
use std::path::{Path, PathBuf};

use image::{DynamicImage, Rgba, RgbaImage};

const SIZES: [(u32, u32); 6] =
    [(640, 480), (800, 450), (300, 500), (100, 80), (1023, 641), (511, 383)];
const EACH: usize = 2;

/// Draws them into a directory, which it returns.
pub(crate) fn draw_all(directory: &Path) -> Result<PathBuf, crate::Error> {
    fs::create_dir_all(directory)?;
    for (number, (width, height)) in SIZES.into_iter().cycle().take(EACH * SIZES.len()).enumerate()
    {
        let picture = draw(width, height);
        if (number / SIZES.len()).is_multiple_of(2) {
            picture.save(directory.join(format!("{number:02}.png")))?;
        } else {
            let opaque = DynamicImage::ImageRgba8(picture).into_rgb8();
            opaque.save(directory.join(format!("{number:02}.jpg")))?;
        }
    }
    Ok(directory.to_path_buf())
}

/// Red grows to the right, green downwards; in the middle is a blue disc.
fn draw(width: u32, height: u32) -> RgbaImage {
    let radius = width.min(height) / 4;
    RgbaImage::from_fn(width, height, |x, y| {
        let (dx, dy) = (x.abs_diff(width / 2), y.abs_diff(height / 2));
        if dx * dx + dy * dy <= radius * radius {
            Rgba([0, 0, 255, 255])
        } else {
            let ramp = |at: u32, of: u32| u8::try_from(at * 255 / of).unwrap_or(u8::MAX);
            Rgba([ramp(x, width), ramp(y, height), 0, 255])
        }
    })
}
