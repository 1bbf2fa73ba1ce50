//! Thumbnails of a directory of PNG and JPEG files, by several threads: with fresh images, then
//! with pooled ones.
//!
//! ```text
//! cargo run --release --example thumbnails target [source]
//! ```
//!
//! Without a source it draws pictures of its own into `target/source` first. The thumbnails of
//! both ways lie in `target/fresh` and `target/pooled`, and are the same.

// The tour counts in the same way.
#[path = "../tour/alloc.rs"]
mod alloc;
mod memory;
mod pictures;
mod scale;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{BufWriter, Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
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

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("thumbnails: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Error> {
    let mut args = env::args_os().skip(1).map(PathBuf::from);
    let target = args.next().ok_or("no directory to put thumbnails into")?;
    let given = args.next();
    if args.next().is_some() {
        return Err("more than two arguments; give a target, and a source or none".into());
    }
    let source = match given {
        Some(source) => source,
        None => pictures::draw_all(&target.join("source"))?,
    };
    let files = files_in(&source)
        .map_err(|error| format!("cannot read directory `{}`: {error}", source.display()))?;

    println!("{} files, {THREADS} threads", files.len());
    println!("{:<8}{:>8}{:>10}{:>14}{:>16}", "", "made", "ms", "allocations", "bytes");
    let unread = measure("fresh", &files, &target, &Fresh)?;
    let pooled = Pooled::new()?;
    measure("pooled", &files, &target, &pooled)?;
    measure("warm", &files, &target, &pooled)?;
    for error in unread {
        println!("not read {error}");
    }
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

/// Makes all thumbnails and prints what that took; returns why some were not made.
fn measure(
    way: &str,
    files: &[PathBuf],
    target: &Path,
    memory: &impl Memory,
) -> io::Result<Vec<String>> {
    let target = target.join(if way == "fresh" { "fresh" } else { "pooled" });
    fs::create_dir_all(&target)?;
    let (before, start) = (ALLOCATOR.figures(), Instant::now());

    let (next, unread) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = thumbnail(file, &target, memory) {
                        let error = format!("{}: {error}", file.display());
                        unread.lock().expect("nobody panics here").push(error);
                    }
                }
            });
        }
    });

    let (took, allocated) = (start.elapsed(), ALLOCATOR.figures() - before);
    let unread = unread.into_inner().expect("nobody panicked");
    println!(
        "{way:<8}{:>8}{:>10.1}{:>14}{:>16}",
        files.len() - unread.len(),
        took.as_secs_f64() * 1e3,
        allocated.allocations,
        allocated.bytes,
    );
    Ok(unread)
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
