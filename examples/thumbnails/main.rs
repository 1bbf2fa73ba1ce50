//! Thumbnails of a directory of PNG and JPEG files, by several threads: with fresh images, then
//! with pooled ones.
//!
//! `cargo run --release -p bp-examples --example thumbnails -- TARGET [SOURCE]`
//!
//! Without a source it draws pictures of its own into `TARGET/source` first. The thumbnails of
//! both ways lie in `TARGET/fresh` and `TARGET/pooled`, and are the same.

#[path = "../tour/alloc.rs"]
mod alloc;
mod memory;
mod pictures;
mod scale;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{BufWriter, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, io, thread};

use bp::DecodeError;
use image::codecs::png::PngEncoder;
use image::{
    ColorType, ImageBuffer, ImageDecoder, ImageError, ImageReader, Pixel, PixelWithColorType,
};

use self::memory::{Fresh, Memory, Pooled};

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting::new();

/// Width and height of a thumbnail are at most this.
const EDGE: u32 = 128;
const THREADS: usize = 4;

type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let target = arguments.next().ok_or("usage: thumbnails TARGET [SOURCE]")?;
    let source = match arguments.next() {
        Some(source) => source,
        None => pictures::draw_all(&target.join("source"))?,
    };
    let files = files_in(&source)?;

    println!("{} files, {THREADS} threads", files.len());
    println!("{:<8}{:>8}{:>10}{:>14}{:>16}", "", "made", "ms", "allocations", "bytes");
    measure("fresh", &files, &target, &Fresh)?;
    let pooled = Pooled::new()?;
    measure("pooled", &files, &target, &pooled)?;
    measure("warm", &files, &target, &pooled)?;
    Ok(())
}

fn files_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let extension = path.extension().map(OsStr::to_ascii_lowercase);
        if extension.is_some_and(|e| ["png", "jpg", "jpeg"].map(OsString::from).contains(&e)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Makes all thumbnails and prints what that took.
fn measure(way: &str, files: &[PathBuf], target: &Path, memory: &impl Memory) -> Result<(), Error> {
    let target = target.join(if way == "fresh" { "fresh" } else { "pooled" });
    fs::create_dir_all(&target)?;
    let (before, start) = (ALLOCATOR.figures(), Instant::now());

    let (next, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match thumbnail(file, &target, memory) {
                        Ok(()) => _ = made.fetch_add(1, Ordering::Relaxed),
                        Err(error) => eprintln!("{}: {error}", file.display()),
                    }
                }
            });
        }
    });

    let (took, allocated) = (start.elapsed(), ALLOCATOR.figures() - before);
    println!(
        "{way:<8}{:>8}{:>10.1}{:>14}{:>16}",
        made.into_inner(),
        took.as_secs_f64() * 1e3,
        allocated.allocations,
        allocated.bytes,
    );
    Ok(())
}

/// Reads, decodes, scales and writes one picture. Everything large is from the memory.
fn thumbnail(file: &Path, target: &Path, memory: &impl Memory) -> Result<(), Error> {
    let mut bytes = memory.buffer();
    File::open(file)?.read_to_end(&mut bytes)?;
    let decoder =
        ImageReader::new(Cursor::new(&bytes[..])).with_guessed_format()?.into_decoder()?;
    let small = scale::fitting(decoder.dimensions(), EDGE);

    let name = file.file_name().ok_or("a file without a name")?;
    let target = target.join(name).with_extension("png");
    match decoder.color_type() {
        ColorType::Rgba8 => {
            let picture = memory.decode_rgba(decoder)?;
            let mut thumbnail = memory.rgba(small);
            scale::shrink(&picture, &mut thumbnail);
            write(&thumbnail, &target)?;
        }
        ColorType::Rgb8 => {
            let picture = memory.decode_rgb(decoder)?;
            let mut thumbnail = memory.rgb(small);
            scale::shrink(&picture, &mut thumbnail);
            write(&thumbnail, &target)?;
        }
        other => return Err(format!("no thumbnails of {other:?} pictures").into()),
    }
    Ok(())
}

fn write<P>(image: &ImageBuffer<P, Vec<u8>>, path: &Path) -> Result<(), ImageError>
where
    P: Pixel<Subpixel = u8> + PixelWithColorType,
{
    image.write_with_encoder(PngEncoder::new(BufWriter::new(File::create(path)?)))
}
