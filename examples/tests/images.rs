//! The examples about images as their users run them; what they write is decoded and looked at.

mod common;

use std::fs;
use std::path::Path;

use common::{TempDir, refused, stdout};

/// Runs an example that must do well, and returns what it printed.
fn run(example: &str, arguments: &[&Path]) -> String {
    let output = common::run(example, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    stdout(&output).to_owned()
}

/// Returns the figures in the row of that name.
fn row(printed: &str, name: &str) -> Vec<f64> {
    let rest = printed.lines().find_map(|line| line.strip_prefix(name));
    let rest = rest.unwrap_or_else(|| panic!("no row `{name}` in:\n{printed}"));
    rest.split_whitespace().map(|figure| figure.parse().expect("a figure")).collect()
}

#[test]
fn thumbnails_are_small_pictures_of_the_pictures() {
    let dir = TempDir::new("images-thumbnails").expect("a directory for temporary files");
    let printed = run("thumbnails", &[&dir.0]);

    let [fresh, pooled, warm] = ["fresh", "pooled", "warm"].map(|way| row(&printed, way));
    assert_eq!((fresh[0], pooled[0], warm[0]), (12.0, 12.0, 12.0), "{printed}");
    assert!(warm[3] < fresh[3] * 0.7, "bytes allocated:\n{printed}");

    let mut seen = 0;
    for file in fs::read_dir(dir.0.join("pooled")).expect("thumbnails") {
        let file = file.expect("an entry").path();
        let name = file.file_name().expect("a name");
        let bytes = |way: &str| fs::read(dir.0.join(way).join(name)).expect("a thumbnail");
        assert_eq!(bytes("fresh"), bytes("pooled"), "{name:?}");

        let thumbnail = image::open(&file).expect("a picture").into_rgb8();
        let (width, height) = thumbnail.dimensions();
        assert!(width.max(height) == 128 || (width, height) == (100, 80), "{width}x{height}");
        let is = |x: u32, y: u32, color: [u8; 3]| {
            let pixel = thumbnail.get_pixel(x, y).0;
            let near = pixel.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 24);
            assert!(near, "{name:?} at {x},{y}: {pixel:?}");
        };
        is(width / 2, height / 2, [0, 0, 255]);
        is(0, 0, [0, 0, 0]);
        is(width - 1, 0, [255, 0, 0]);
        is(0, height - 1, [0, 255, 0]);
        seen += 1;
    }
    assert_eq!(seen, 12);
}

#[test]
fn a_directory_of_ones_own_is_read_and_other_files_are_left_out() {
    let dir = TempDir::new("images-own").expect("a directory for temporary files");
    let source = dir.0.join("in");
    fs::create_dir_all(&source).expect("a directory");
    let picture = image::RgbaImage::from_pixel(300, 200, image::Rgba([9, 99, 199, 77]));
    picture.save(source.join("flat.PNG")).expect("saves");
    fs::write(source.join("notes.txt"), "no picture").expect("saves");
    fs::write(source.join("broken.png"), "no picture either").expect("saves");
    let printed = run("thumbnails", &[&dir.0.join("out"), &source]);
    assert!(printed.starts_with("2 files"), "{printed}");
    assert_eq!(row(&printed, "warm")[0].to_bits(), 1_f64.to_bits(), "{printed}");
    let unread: Vec<_> = printed.lines().filter(|line| line.starts_with("not read ")).collect();
    assert!(matches!(unread[..], [line] if line.contains("broken.png")), "{printed}");
    let thumbnail = image::open(dir.0.join("out/pooled/flat.png")).expect("one").into_rgba8();
    assert_eq!(thumbnail.dimensions(), (128, 85));
    assert!(thumbnail.pixels().all(|pixel| pixel.0 == [9, 99, 199, 77]));
}

#[test]
fn bad_arguments_are_refused() {
    assert!(refused("thumbnails", &[] as &[&str]).contains("no directory"));
    assert!(refused("thumbnails", &["a", "b", "c"]).contains("more than two"));
    let dir = TempDir::new("images-refused").expect("a directory for temporary files");
    let missing = dir.0.join("missing");
    assert!(refused("thumbnails", &[&dir.0, &missing]).contains("cannot read"));
}

#[test]
fn frames_come_back_from_their_planes() {
    let printed = run("yuv_pipeline", &[]);
    let away = printed.lines().find_map(|line| line.strip_prefix("furthest sample: "));
    let away = away.and_then(|rest| rest.split(' ').next()).expect("a figure");
    assert!(away.parse::<u8>().expect("a number") <= 6, "{printed}");
    assert!(printed.contains("pictures: 2 created, 18 reused"), "{printed}");
    assert!(printed.contains("frames: 1 created, 9 reused"), "{printed}");
}

#[test]
fn badges_have_straight_colours() {
    let dir = TempDir::new("images-badges").expect("a directory for temporary files");
    let printed = run("premultiplied", &[&dir.0]);
    assert!(printed.contains("canvases: 1 created, 3 reused"), "{printed}");

    for (name, color, near) in [
        ("red", [255, 0, 0, 255], 0),
        ("half_red", [255, 0, 0, 128], 0),
        ("green", [0, 160, 0, 200], 1),
        // Little alpha leaves few steps of colour.
        ("glass", [40, 90, 255, 30], 5),
    ] {
        let badge = image::open(dir.0.join(name).with_extension("png")).expect("a picture");
        let badge = badge.into_rgba8();
        assert_eq!(badge.dimensions(), (128, 128));
        let pixel = badge.get_pixel(64, 64).0;
        assert!(pixel.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= near), "{name}: {pixel:?}");
        assert_eq!(badge.get_pixel(0, 0).0, [0; 4], "{name}");
    }
}
