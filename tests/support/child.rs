//! Tests that need a process of their own: one that may run short of memory, or has no other test.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

/// How a line begins that says what was not tested.
const NOT_RUN: &str = "NOT RUN";

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
    let errors = String::from_utf8_lossy(&output.stderr);
    for line in errors.lines().filter(|line| line.contains(NOT_RUN)) {
        writeln!(io::stderr(), "{line}").expect("there is a stderr");
    }
    assert!(output.status.success() && told.contains("1 passed"), "{told}{errors}");
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

/// Runs the body in a fork of this process, and returns whether it came to its end there.
///
/// To be used in a child of its own, since the fork has this thread only.
///
/// # Panics
///
/// Panics if the process cannot be forked.
#[cfg(target_os = "linux")]
pub fn in_fork(body: impl FnOnce()) -> bool {
    // SAFETY: what the other threads held stays so in the fork; it uses the allocator, which glibc
    // makes ready for that, and what is under test.
    let child = unsafe { libc::fork() };
    assert_ne!(child, -1, "forks");
    if child == 0 {
        let done = catch_unwind(AssertUnwindSafe(body)).is_ok();
        // SAFETY: ends the process, without the destructors of the parent's statics.
        unsafe { libc::_exit(i32::from(!done)) };
    }
    let mut status = 0;
    // SAFETY: writes the status, which lives across the call.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}

/// Has the kernel refuse the fence by which a shard is taken from its owner, to this thread and to
/// those that it starts; returns whether that is so. Says so where it is not, and to be used in a
/// child of its own.
#[cfg(target_os = "linux")]
pub fn refuse_fence() -> bool {
    // From linux/membarrier.h.
    const QUERY: libc::c_int = 0;
    const PRIVATE_EXPEDITED: libc::c_long = 1 << 3;
    // SAFETY: asks which commands there are.
    let commands = unsafe { libc::syscall(libc::SYS_membarrier, QUERY, 0, 0) };
    if cfg!(bp_no_membarrier) || commands <= 0 || commands & PRIVATE_EXPEDITED == 0 {
        return not_run("no thread owns a part of a pool here");
    }
    if let Err(error) = refuse_system_call(libc::SYS_membarrier) {
        return not_run(&format!("no sandbox can be entered here: {error}"));
    }
    true
}

/// Not by a macro, whose text would appear only if the test failed.
#[cfg(target_os = "linux")]
fn not_run(why: &str) -> bool {
    writeln!(io::stderr(), "{NOT_RUN}: {why}").expect("there is a stderr");
    false
}

#[cfg(target_os = "linux")]
fn refuse_system_call(number: libc::c_long) -> io::Result<()> {
    let statement = |code: u32, k: u32, jt: u8, jf: u8| libc::sock_filter {
        code: u16::try_from(code).expect("a code has 16 bits"),
        jt,
        jf,
        k,
    };
    let number = u32::try_from(number).expect("a system call's number is positive");
    let refusal = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
    let mut filter = [
        // The number stands first in what a filter is shown.
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, number, 0, 1),
        statement(libc::BPF_RET | libc::BPF_K, refusal, 0, 0),
        statement(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0),
    ];
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).expect("short"),
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: sets a flag of this thread.
    if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let mode = libc::SECCOMP_MODE_FILTER;
    // SAFETY: reads the program and its filter, which live across the call.
    if unsafe { libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
