//! What the benchmarks share: an allocator that counts, tables of what an operation costs, a pool
//! of workers to run it through, and the plots and pages that results are recorded in.
//!
//! # Why criterion
//!
//! It lets a benchmark keep its own time, which a pool of workers needs; it leaves its estimates
//! in files, from which tables and plots are made; and it says what has changed since the last
//! run. divan counts allocations by itself, but while it times, so that plain allocation pays for
//! being counted; and it prints what it found, up to nine lines for a row, and writes it nowhere.
//! Here allocations are counted in a pass of their own.

// Counts and times become averages here; none comes near the 52 bits that are exact.
#![allow(clippy::cast_precision_loss)]

pub mod allocations;
pub mod per_thread;
pub mod plot;
pub mod record;
pub mod streams;
pub mod table;
pub mod workers;

/// Every benchmark of this crate allocates through this.
#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;
