//! The tour as its users run it: on a directory, and on one that is not there.

use std::{fs, io};

use common::{TempDir, refused, run, stdout};

mod common;

const TEXT: &[u8] = b"one two two\n\nthe longest line of all, with three three three\nend";
const BINARY: &[u8] = b"\x7fELF\0not text\nat all\n";

/// Returns what stands in the row of that name.
fn row<'a>(output: &'a str, name: &str) -> Vec<&'a str> {
    let rest = output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix("  "));
    rest.unwrap_or_else(|| panic!("no row `{name}` in:\n{output}")).split_whitespace().collect()
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn both_ways_find_what_is_there() -> io::Result<()> {
    let dir = TempDir::new("known")?;
    fs::create_dir_all(dir.0.join("deep/.hidden"))?;
    // Reads in more than one chunk, and a text buffer has to grow for it.
    let large = b"0123456\n".repeat(50_000);
    let files = [
        ("text", TEXT),
        ("empty", b""),
        ("deep/binary", BINARY),
        ("deep/.hidden/same", TEXT),
        ("large", &large),
    ];
    for (name, content) in files {
        fs::write(dir.0.join(name), content)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&dir.0, dir.0.join("deep/link"))?;

    let output = run("tour", &[&dir.0]);
    assert!(output.status.success(), "{output:?}");
    let out = stdout(&output);

    let bytes: usize = files.iter().map(|(_, content)| content.len()).sum();
    assert_eq!(bytes, 400_149);
    assert_eq!(row(out, "files"), ["5"; 2]);
    assert_eq!(row(out, "not read"), ["0"; 2]);
    assert_eq!(row(out, "bytes"), ["400,149"; 2]);
    assert_eq!(row(out, "lines"), ["50,008"; 2]);
    assert_eq!(row(out, "words"), ["50,026"; 2]);
    let checksum = files.iter().fold(0_u64, |sum, (_, text)| sum.wrapping_add(fnv1a(text)));
    let checksum = format!("{checksum:016x}");
    assert_eq!(row(out, "checksum"), [checksum.as_str(); 2]);
    assert_eq!(row(out, "longest line").join(" "), "47 bytes, deep/.hidden/same");
    assert_eq!(row(out, "most words").join(" "), "10 different, deep/.hidden/same");
    assert!(out.contains("checksums agree"), "{out}");
    Ok(())
}

#[test]
fn pools_serve_every_file_with_fewer_allocations() -> io::Result<()> {
    let dir = TempDir::new("many")?;
    for index in 0..200 {
        fs::write(dir.0.join(index.to_string()), TEXT)?;
    }

    let output = run("tour", &[&dir.0]);
    assert!(output.status.success(), "{output:?}");
    let out = stdout(&output);

    let figures = |name| -> Vec<u64> {
        let cells = row(out, name).into_iter().map(|cell| cell.replace(',', "").parse());
        cells.collect::<Result<_, _>>().expect("cells of numbers")
    };
    // A chunk, a text and a report for each file.
    let (hits, misses) = (figures("hits"), figures("misses"));
    assert_eq!(hits[0] + misses[0], 3 * 200);
    assert_eq!([hits[1], misses[1]], [0, 0]);
    let allocations = figures("allocations");
    assert!(allocations[0] < allocations[1] / 2, "{out}");
    let bytes = figures("bytes allocated");
    assert!(bytes[0] < bytes[1], "{out}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_counted_and_named() -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    let dir = TempDir::new("unreadable")?;
    let secret = dir.0.join("secret");
    fs::write(&secret, TEXT)?;
    fs::write(dir.0.join("open"), TEXT)?;
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000))?;
    let mut tour = common::command("tour");
    let place = TempDir::new("unprivileged")?;
    if fs::File::open(&secret).is_ok() {
        // Nothing is unreadable for root, so it is run as nobody, from where nobody may read it.
        let copy = place.0.join("tour");
        fs::copy(tour.get_program(), &copy)?;
        tour = Command::new(copy);
        tour.uid(65_534);
    }

    let output = tour.arg(&dir.0).output()?;
    assert!(output.status.success(), "{output:?}");
    let out = stdout(&output);
    assert_eq!(row(out, "files"), ["1"; 2]);
    assert_eq!(row(out, "not read"), ["1"; 2]);
    assert!(out.contains("secret: "), "{out}");
    Ok(())
}

#[test]
fn a_bad_argument_gets_one_line_and_exit_code_2() -> io::Result<()> {
    let dir = TempDir::new("bad")?;
    let (missing, file) = (dir.0.join("missing"), dir.0.join("file"));
    fs::write(&file, TEXT)?;

    refused("tour", &[missing]);
    refused("tour", &[file]);
    refused("tour", &[&dir.0, &dir.0]);
    Ok(())
}
