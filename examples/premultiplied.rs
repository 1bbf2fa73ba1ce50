//! Drawing into pooled images: a badge for each name, rasterised by `tiny-skia`, written as PNG.
//!
//! ```text
//! cargo run --release --example premultiplied [directory]
//! ```
//!
//! A rasteriser multiplies colours by alpha, a PNG file wants them straight, and the memory of both
//! looks the same. So they are two types here, with a conversion between them.

use std::path::PathBuf;
use std::{env, fs};

use bp::{ImageRgbaPool, ImageRgbaPremulPool, RgbaPremulImage};
use tiny_skia::{Color, FillRule, Paint, PathBuilder, PixmapMut, Transform};

const SIZE: u32 = 128;
const BADGES: [(&str, [u8; 4]); 4] = [
    ("red", [255, 0, 0, 255]),
    ("half_red", [255, 0, 0, 128]),
    ("green", [0, 160, 0, 200]),
    ("glass", [40, 90, 255, 30]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = env::args_os().nth(1).map_or_else(env::temp_dir, PathBuf::from);
    fs::create_dir_all(&directory)?;

    let canvases = ImageRgbaPremulPool::new(4, SIZE, SIZE);
    let pictures = ImageRgbaPool::new(4, SIZE, SIZE);
    for (name, [red, green, blue, alpha]) in BADGES {
        let mut canvas = canvases.get();
        draw(&mut canvas, Color::from_rgba8(red, green, blue, alpha));

        let mut picture = pictures.get();
        canvas.copy_to_straight(&mut picture);
        picture.save(directory.join(name).with_extension("png"))?;
    }

    println!("{} badges in {}", BADGES.len(), directory.display());
    println!("canvases: {} created, {} reused", canvases.stats().misses, canvases.stats().hits);
    println!("pictures: {} created, {} reused", pictures.stats().misses, pictures.stats().hits);
    Ok(())
}

/// Draws a disc, straight into the pooled memory.
fn draw(canvas: &mut RgbaPremulImage, color: Color) {
    let (width, height) = canvas.dimensions();
    let mut pixmap = PixmapMut::from_bytes(canvas.as_raw_mut(), width, height)
        .expect("four bytes for each pixel");
    // What the last badge left is under this one otherwise.
    pixmap.fill(Color::TRANSPARENT);

    let mut paint = Paint::default();
    paint.set_color(color);
    paint.anti_alias = true;
    let disc = PathBuilder::from_circle(64.0, 64.0, 60.0).expect("a radius above 0");
    pixmap.fill_path(&disc, &paint, FillRule::Winding, Transform::identity(), None);
}
