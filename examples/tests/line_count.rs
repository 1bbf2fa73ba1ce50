//! `line_count` as its users run it.

use std::{fs, io};

use common::{TempDir, refused, run, stdout};

mod common;

#[test]
fn lines_of_all_files_are_counted_through_one_buffer() -> io::Result<()> {
    let dir = TempDir::new("lines")?;
    fs::create_dir_all(dir.0.join("deep/er"))?;
    for file in 0..300 {
        fs::write(dir.0.join("deep").join(file.to_string()), "one\ntwo\n\nfour, without an end")?;
    }
    fs::write(dir.0.join("deep/er/long"), "x\n".repeat(100_000))?;
    fs::write(dir.0.join("empty"), "")?;

    let output = run("line_count", &[&dir.0]);
    assert!(output.status.success(), "{output:?}");
    let out = stdout(&output);
    assert!(out.contains("lines    101200 in 302 files\n"), "{out}");
    assert!(out.contains("longest  100000 in "), "{out}");
    assert!(out.contains("er/long\n") || cfg!(windows), "{out}");
    assert!(out.contains("buffers  1 made, used 302 times\n"), "{out}");
    Ok(())
}

#[test]
fn without_an_argument_it_counts_this_workspace() {
    let output = run("line_count", &[""; 0]);
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).contains("buffers  1 made, "), "{output:?}");
}

#[test]
fn a_bad_argument_gets_one_line_and_exit_code_2() -> io::Result<()> {
    let dir = TempDir::new("lines-bad")?;
    refused("line_count", &[dir.0.join("missing")]);
    refused("line_count", &[&dir.0, &dir.0]);
    Ok(())
}
