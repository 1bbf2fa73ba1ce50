//! `MmapBytePool` beside malloc and a mapping per buffer: get, touch every page, give back.
//!
//! One thread, medians over rounds in which everybody runs once. Each buffer is written to at one
//! byte per page, which is what makes the kernel provide it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bp::{BytePool, MmapBytePool};
use memmap2::MmapMut;

const PAGE: usize = 4096;
const ROUNDS: usize = 21;
const RUN: Duration = Duration::from_millis(5);

fn touch(bytes: &mut [u8]) {
    for at in (0..bytes.len()).step_by(PAGE) {
        bytes[at] = 1;
    }
    black_box(bytes);
}

/// Returns the nanoseconds that `work` takes, on average over a run.
fn time(work: &mut dyn FnMut()) -> f64 {
    work();
    let start = Instant::now();
    let mut times = 0_u32;
    while start.elapsed() < RUN {
        for _ in 0..16 {
            work();
        }
        times += 16;
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
}

fn main() {
    println!("ns per get + one byte per page + drop, median of {ROUNDS}\n");
    println!(
        "| size | malloc | calloc | mmap | `BytePool` | `MmapBytePool` | new block, trimmed |"
    );
    println!("|---|---|---|---|---|---|---|");
    for size in [4 << 10, 64 << 10, 1 << 20] {
        let bytes = BytePool::new(8, size);
        let mapped = MmapBytePool::new(8, size).expect("a mapping");
        // Keeps nothing idle, so each drop hands its pages back and each get faults them in.
        let trimmed = MmapBytePool::new(8, size).expect("a mapping");
        let mut contestants: [Box<dyn FnMut()>; 6] = [
            Box::new(|| {
                let mut fresh = Vec::<u8>::with_capacity(size);
                for spare in fresh.spare_capacity_mut().iter_mut().step_by(PAGE) {
                    spare.write(1);
                }
                black_box(&mut fresh);
            }),
            Box::new(|| touch(&mut vec![0; size])),
            Box::new(|| touch(&mut MmapMut::map_anon(size).expect("a mapping"))),
            Box::new(|| touch(&mut bytes.get())),
            Box::new(|| touch(&mut mapped.get())),
            Box::new(|| touch(&mut trimmed.take())),
        ];
        let mut rounds = vec![Vec::new(); contestants.len()];
        for _ in 0..ROUNDS {
            for (contestant, times) in contestants.iter_mut().zip(&mut rounds) {
                times.push(time(contestant));
            }
        }
        print!("| {} KiB |", size >> 10);
        for times in &mut rounds {
            times.sort_by(f64::total_cmp);
            print!(" {:.1} |", times[ROUNDS / 2]);
        }
        println!();
    }
}
