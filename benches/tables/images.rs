//! `image.RGBA` of the Go library: get an image of 640 × 360 or 1920 × 1080 and look at a pixel.
//! And then the same filled, since what the kernel provides costs nothing before it is touched.

use std::cell::RefCell;
use std::hint::black_box;

use bp::ImageRgbaPool;
use bp_benches::per_thread::PerThread;
use bp_benches::table::Table;
use image::RgbaImage;

const WORKERS: usize = 10;

thread_local! {
    static IDLE: RefCell<Vec<RgbaImage>> = const { RefCell::new(Vec::new()) };
}

fn rows(
    table: &mut Table,
    what: &'static str,
    (width, height): (u32, u32),
    uses: fn(&mut RgbaImage),
) {
    let pool = ImageRgbaPool::new(WORKERS, width, height);
    table.row("bp guard", what, || uses(&mut pool.get()));

    let pool = ImageRgbaPool::new(WORKERS, width, height);
    table.row("bp take/put", what, || {
        let mut image = pool.take();
        uses(&mut image);
        drop(pool.put(image));
    });

    table.row("default", what, || uses(&mut RgbaImage::new(width, height)));

    let idle = PerThread::new(&IDLE, || RgbaImage::new(width, height));
    table.row("thread-local", what, || idle.with(uses));
}

fn main() {
    let title = "Get an image, look at a pixel or fill it, give it back";
    let mut table = Table::new("images", title).workers(WORKERS).slow(200);
    let look = |image: &mut RgbaImage| _ = black_box(image.get_pixel(10, 10));
    let fill = |image: &mut RgbaImage| {
        image.fill(black_box(1));
        black_box(image);
    };
    rows(&mut table, "360", (640, 360), look);
    rows(&mut table, "1080", (1920, 1080), look);
    rows(&mut table, "360, filled", (640, 360), fill);
    rows(&mut table, "1080, filled", (1920, 1080), fill);
    table.nothing();
    table.finish();
}
