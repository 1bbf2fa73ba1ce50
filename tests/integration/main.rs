//! Tests through the public API, in one binary.

mod derive;
mod time;
