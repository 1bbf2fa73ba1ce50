//! Which runtime a timer belongs to, and how far its life reaches.
//!
//! A timer is driven by the runtime that it was made in, and panics when it is polled after that
//! has ended. So the pooled ones know their runtime: on the way in they are kept only there, on
//! the way out handed out only there.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::runtime::{Handle, Id};
use tokio::time::Instant;

/// A runtime, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home(Id);

impl Home {
    /// Returns the runtime of this thread.
    ///
    /// # Panics
    ///
    /// Panics outside a runtime, with tokio's own words.
    #[track_caller]
    pub(super) fn current() -> Self {
        Home(Handle::current().id())
    }

    /// Returns whether this is the runtime of this thread.
    pub(super) fn is_current(self) -> bool {
        Handle::try_current().is_ok_and(|handle| handle.id() == self.0)
    }
}

/// Returns an instant before any runtime was started, also on its own clock.
///
/// A timer that is reset to it fires at once, and is on no list of its runtime's then: the only
/// way to take it off without dropping it.
pub(super) fn long_ago() -> Instant {
    static LONG_AGO: LazyLock<std::time::Instant> = LazyLock::new(|| {
        let now = std::time::Instant::now();
        // Where instants begin with the machine's start there may be no such instant. A timer
        // that is reset to this one is off the list within a millisecond.
        now.checked_sub(YEAR).unwrap_or(now)
    });
    Instant::from_std(*LONG_AGO)
}

/// Returns the instant after that time, or one that is not lived to see; as tokio does.
pub(super) fn deadline(after: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(after).unwrap_or_else(|| now + 30 * YEAR)
}

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
