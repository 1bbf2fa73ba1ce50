//! `TimerPool` and `TickerPool`, and the timers and tickers that they keep.
//!
//! A timer is a one-slot channel that somebody else sends into. crossbeam's own `after` and `tick`
//! need no sender, as their receivers look at the clock, but cannot be set anew; and `select!`
//! takes nothing but a real receiver. So here is a sender: one thread for the process, the
//! [driver](driver), with an [agenda](agenda) of what is due.
//!
//! A timer ([`Timer`], [`Ticker`]) owns an [`Alarm`](alarm::Alarm), that shares a
//! [`Node`](node::Node), the channel, with the agenda while it is armed.
//!
//! # The handover
//!
//! A timer belongs to one of the driver's shards for life: a lock and an agenda. Whatever changes a
//! timer happens under the lock of its shard: arming, stopping, firing, its end. One further lock
//! is the thread's, for going to sleep; nobody holds two. The invariants, true whenever nobody
//! holds the shard's lock:
//!
//! * **I1.** A node is in the agenda exactly if its timer is armed with a deadline that the clock
//!   can reach, once, and at the place that it names. (One that lies beyond is armed, and in no
//!   agenda.)
//! * **I2.** A value is sent only by the driver, under the lock, for a node that it found in the
//!   agenda. A timer leaves the agenda by that; a ticker moves to its next tick.
//! * **I3.** `looks_at` is no later than the first deadline, and the thread looks at the shard by
//!   then. Who arms an earlier one moves it, then sets `is_woken`. The thread looks at all
//!   shards before it sleeps, and does not sleep while `is_woken` is set: what was moved
//!   before it looked it saw, and for what was moved after that the flag is set, or it is asleep
//!   and woken.
//! * **I4.** The agenda has room for every timer of the shard: arming does not allocate.
//!
//! Stopping or arming takes the node out or to its new place, and empties the channel, before the
//! lock is released. By I2 nothing is sent for the old deadline after that; what was sent before
//! is gone. That is Go's promise since 1.23, no stale value after `stop` or `reset`, and since
//! the `reset` step of the pools is `stop`, none reaches the next user. With a flag that firing
//! looks at there would be a moment between the look and the send; under one lock there is none.
//!
//! Nothing of a user runs under the lock or on the driver's thread: sending wakes receivers, which
//! is crossbeam's and the system's business. So the thread does not die, and a lock that is
//! poisoned all the same (it cannot be by anything below) guards an agenda that is whole.
//!
//! The models beside this go through every interleaving of firing against stopping, arming and
//! the driver's going to sleep.

mod agenda;
mod alarm;
mod driver;
mod node;
mod pools;
mod ticker;
mod timer;

pub use pools::{TickerPool, TickerRef, TimerPool, TimerRef};
pub use ticker::Ticker;
pub use timer::Timer;
