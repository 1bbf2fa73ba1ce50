//! `copy_tree` as its users run it.

use std::{fs, io};

use common::{TempDir, refused, run, stdout};

mod common;

#[test]
fn every_file_is_there_afterwards_and_the_same() -> io::Result<()> {
    let dir = TempDir::new("tree")?;
    let (from, to) = (dir.0.join("from"), dir.0.join("to"));
    fs::create_dir_all(from.join("deep/empty"))?;
    // One takes several buffers, and does not end with one.
    let large: Vec<u8> = (0..700_001_u32).flat_map(u32::to_le_bytes).collect();
    let files = [("empty", &b""[..]), ("small", b"small"), ("deep/large", &large)];
    for (name, content) in files {
        fs::write(from.join(name), content)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(&from, from.join("deep/link"))?;

    let output = run("copy_tree", &[&from, &to]);
    assert!(output.status.success(), "{output:?}");
    for (name, content) in files {
        assert!(fs::read(to.join(name))? == content, "{name}");
    }
    assert!(to.join("deep/empty").is_dir());
    assert!(fs::symlink_metadata(to.join("deep/link")).is_err());

    let out = stdout(&output);
    assert!(out.contains("copied   3 files, 2800009 bytes, in "), "{out}");
    #[cfg(unix)]
    assert!(out.contains("left out 1 links and special files\n"), "{out}");
    assert!(out.contains("buffers  1 made, used 3 times\n"), "{out}");
    assert!(output.stderr.is_empty(), "a progress line is for terminals");
    Ok(())
}

#[cfg(unix)]
#[test]
fn permissions_are_copied() -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let dir = TempDir::new("tree-mode")?;
    let (from, to) = (dir.0.join("from"), dir.0.join("to"));
    fs::create_dir(&from)?;
    fs::write(from.join("script"), "#!/bin/sh\n")?;
    fs::set_permissions(from.join("script"), fs::Permissions::from_mode(0o540))?;
    assert!(run("copy_tree", &[&from, &to]).status.success());
    assert_eq!(fs::metadata(to.join("script"))?.permissions().mode() & 0o777, 0o540);
    Ok(())
}

#[test]
fn a_bad_argument_gets_one_line_and_exit_code_2() -> io::Result<()> {
    let dir = TempDir::new("tree-bad")?;
    let (from, to) = (dir.0.join("from"), dir.0.join("to"));
    fs::create_dir(&from)?;
    fs::write(dir.0.join("file"), "")?;

    refused("copy_tree", &[""; 0]);
    refused("copy_tree", &[&from]);
    refused("copy_tree", &[&dir.0.join("missing"), &to]);
    refused("copy_tree", &[&dir.0.join("file"), &to]);
    refused("copy_tree", &[&from, &dir.0.join("file")]);
    refused("copy_tree", &[&from, &dir.0.join("no/such/place")]);
    // A copy into itself would never end.
    let within = refused("copy_tree", &[&from, &from.join("within")]);
    assert!(within.contains("lies within"), "{within}");
    assert!(!to.exists() && !from.join("within").exists());
    Ok(())
}
