//! The proxy as its users run it.

use std::process::{Command, Output};

use common::{command, stdout};

mod common;

fn row<'a>(output: &'a Output, name: &str) -> &'a str {
    let text = stdout(output);
    let row = text.lines().find_map(|line| line.strip_prefix(name));
    row.unwrap_or_else(|| panic!("no row `{name}` in:\n{text}")).trim()
}

#[test]
fn idle_connections_hold_no_buffer_and_busy_ones_lose_no_byte() {
    let output = command("proxy").arg("200").output().expect("the proxy starts");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(row(&output, "idle connections"), "200");
    assert_eq!(row(&output, "buffers held by them"), "0");
    assert_eq!(row(&output, "bytes checked"), (100 * 256 * 1024).to_string());
}

#[test]
fn a_bad_argument_is_an_error() {
    let output = command("proxy").arg("many").output().expect("the proxy starts");
    assert!(!output.status.success());
    assert_eq!(output.stderr, b"proxy: `many` is not a number\n");
}

/// With few files to open there are fewer connections, not an error.
#[cfg(target_os = "linux")]
#[test]
fn the_number_of_open_files_is_respected() {
    let proxy = command("proxy");
    let script = format!("ulimit -n 264; exec {} 2000", proxy.get_program().display());
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(row(&output, "idle connections"), "50");
    assert_eq!(row(&output, "bytes checked"), (50 * 256 * 1024).to_string());
}
