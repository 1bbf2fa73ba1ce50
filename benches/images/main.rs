//! Pooled images beside fresh ones: get one, use it, drop it.
//!
//! One thread, medians over rounds in which everybody runs once. An image is used in three ways:
//! not at all, which is what the pool itself costs; at one byte per page, which is what makes the
//! kernel provide it; and filled, as a decoder or a rasteriser does.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bp::{ImageRgbaPool, ImageYCbCrPool, MultiImageRgbaPool, Subsampling, YCbCrImage};
use image::RgbaImage;

const PAGE: usize = 4096;
const ROUNDS: usize = 21;
const RUN: Duration = Duration::from_millis(10);

/// What is done with the bytes of an image.
type Use = fn(&mut [u8]);

const USES: [(&str, Use); 3] = [
    ("nothing", |bytes| _ = black_box(bytes)),
    ("a byte per page", |bytes| {
        for at in (0..bytes.len()).step_by(PAGE) {
            bytes[at] = 1;
        }
        black_box(bytes);
    }),
    ("filled", |bytes| {
        bytes.fill(black_box(1));
        black_box(bytes);
    }),
];

/// Returns the nanoseconds that `work` takes, on average over a run.
fn time(work: &mut dyn FnMut()) -> f64 {
    work();
    let start = Instant::now();
    let mut times = 0_u32;
    while start.elapsed() < RUN {
        for _ in 0..4 {
            work();
        }
        times += 4;
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
}

fn main() {
    println!("ns per get + use + drop, median of {ROUNDS}\n");
    println!(
        "| size | used | `RgbaImage::new` | `ImageRgbaPool` | ratio | `MultiImageRgbaPool` \
         | `YCbCrImage::new` | `ImageYCbCrPool` | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, (width, height)) in [("360p", (640, 360)), ("1080p", (1920, 1080))] {
        let frames = ImageRgbaPool::new(8, width, height);
        let sizes = MultiImageRgbaPool::builder().class(8, (width, height + 1)).build();
        let sizes = sizes.expect("one class");
        let planes = ImageYCbCrPool::new(8, width, height, Subsampling::S420);
        for (how, use_bytes) in USES {
            let mut contestants: [Box<dyn FnMut()>; 5] = [
                Box::new(|| use_bytes(&mut RgbaImage::new(width, height))),
                Box::new(|| use_bytes(&mut frames.get())),
                Box::new(|| use_bytes(&mut sizes.get((width, height)))),
                Box::new(|| {
                    use_bytes(YCbCrImage::new(width, height, Subsampling::S420).as_raw_mut());
                }),
                Box::new(|| use_bytes(planes.get().as_raw_mut())),
            ];
            let mut rounds = [const { Vec::new() }; 5];
            for _ in 0..ROUNDS {
                for (contestant, times) in contestants.iter_mut().zip(&mut rounds) {
                    times.push(time(contestant));
                }
            }
            let [fresh, pooled, classed, fresh_planes, pooled_planes] = rounds.map(|mut times| {
                times.sort_by(f64::total_cmp);
                times[ROUNDS / 2]
            });
            println!(
                "| {name} | {how} | {fresh:.0} | {pooled:.1} | {:.4} | {classed:.1} \
                 | {fresh_planes:.0} | {pooled_planes:.1} | {:.4} |",
                pooled / fresh,
                pooled_planes / fresh_planes,
            );
        }
    }
}
