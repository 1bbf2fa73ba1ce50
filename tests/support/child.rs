//! Tests that need a process of their own: one that may run short of memory, or has no other test.

use std::process::Command;

/// Runs the body in a process of its own: the test of this name alone, in a child.
///
/// # Panics
///
/// Panics if the test fails there, or there is none of this name.
pub fn in_child(test: &str, body: impl FnOnce()) {
    const CHILD: &str = "BP_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return body();
    }
    let output = Command::new(std::env::current_exe().expect("a test knows its own path"))
        .args([test, "--exact", "--test-threads=1"])
        .env(CHILD, "1")
        .output()
        .expect("starts");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains("1 passed"),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Lets this process map no more than `bytes` beyond what it has.
#[cfg(target_os = "linux")]
pub fn limit_address_space(bytes: usize) {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("on Linux");
    let pages: u64 = pages.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    // SAFETY: asks for a number, of nothing in this process.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    set_limit(pages * page.unsigned_abs() + bytes as u64);
}

/// Undoes [`limit_address_space`].
#[cfg(target_os = "linux")]
pub fn lift_limit() {
    set_limit(libc::RLIM_INFINITY);
}

#[cfg(target_os = "linux")]
fn set_limit(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: reads the struct, which lives across the call.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}
