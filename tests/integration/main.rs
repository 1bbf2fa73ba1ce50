//! Tests through the public API, in one binary.

mod derive;
#[cfg(target_os = "linux")]
mod mmap;
mod opening;
