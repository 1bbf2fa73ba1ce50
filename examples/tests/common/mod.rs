//! Running the examples as their users do.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs, io, process};

/// A directory of this process's own, gone when the test ends.
pub(crate) struct TempDir(pub(crate) PathBuf);

impl TempDir {
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        let path = env::temp_dir().join(format!("bp-examples-{}-{name}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(TempDir(path))
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A directory that stays behind fails no test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns a command that runs an example which Cargo built together with this test.
pub(crate) fn command(example: &str) -> Command {
    let test = env::current_exe().expect("a test knows its own path");
    let profile = test.ancestors().nth(2).expect("a test lies in `deps` of its profile");
    let path = profile.join("examples").join(example).with_extension(env::consts::EXE_EXTENSION);
    assert!(path.exists(), "no {example}; `cargo build --examples` builds it");
    Command::new(path)
}

/// Runs an example to its end.
pub(crate) fn run(example: &str, arguments: &[impl AsRef<OsStr>]) -> Output {
    command(example).args(arguments).output().expect("the example starts")
}

/// Says that a test, or a part of one, is not run; not by a macro, whose text would appear only if
/// the test failed.
pub(crate) fn not_run(why: &str) {
    writeln!(io::stderr(), "NOT RUN: {why}").expect("there is a stderr");
}

pub(crate) fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).expect("examples print text")
}

/// Runs an example with arguments that it must refuse: with one line, and exit code 2.
pub(crate) fn refused(example: &str, arguments: &[impl AsRef<OsStr>]) -> String {
    let output = run(example, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stdout(&output), "");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with(&format!("{example}: ")), "{stderr}");
    stderr
}
