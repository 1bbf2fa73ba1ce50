//! Copying between tokio's streams, and tokio's timers.

mod bidirectional;
mod copy;
mod streams;
mod timers;
