//! Counters of what happens off the hit path.

use super::Store;
use super::node::Chain;
use super::shard::Shard;
use crate::sync::{AtomicUsize, Ordering};
use crate::{PoolStats, PutReason, Recipe};

/// One counter per event that is rare, or slow for other reasons. Hits are counted in the shards
/// and the depot, what is taken and put at home in the shards, and returns follow from the rest.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) misses: Counter,
    pub(super) preloaded: Counter,
    pub(super) put: Counter,
    pub(super) discarded_full: Counter,
    pub(super) discarded_unfit: Counter,
    pub(super) discarded_panic: Counter,
    pub(super) discarded_closed: Counter,
    pub(super) discarded_by_user: Counter,
    pub(super) taken: Counter,
    pub(super) detached: Counter,
    pub(super) trimmed: Counter,
    pub(super) cleared: Counter,
}

impl Figures {
    pub(super) fn discarded(&self, reason: PutReason) -> &Counter {
        match reason {
            PutReason::Full => &self.discarded_full,
            PutReason::Unfit => &self.discarded_unfit,
            PutReason::Closed => &self.discarded_closed,
        }
    }
}

/// A count of events.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicUsize);

impl Counter {
    pub(super) fn add(&self, n: usize) {
        // Relaxed: a figure; nothing is ordered by it.
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    fn get(&self) -> usize {
        // Relaxed: as above.
        self.0.load(Ordering::Relaxed)
    }
}

/// Idle nodes that were taken out: counted, then dropped with their objects; also where a lock
/// whose fence is refused keeps the rest from following them.
pub(super) struct Removed<'a, R: Recipe> {
    pub(super) nodes: Chain<R>,
    counter: &'a Counter,
}

impl<'a, R: Recipe> Removed<'a, R> {
    pub(super) fn new(counter: &'a Counter) -> Self {
        Removed { nodes: Chain::new(), counter }
    }
}

impl<R: Recipe> Drop for Removed<'_, R> {
    fn drop(&mut self) {
        self.counter.add(self.nodes.len());
    }
}

impl<R: Recipe> Store<R> {
    /// Puts the figures together: what is counted here, and what follows from the containers.
    pub(crate) fn stats(&self) -> PoolStats {
        let figures = &self.figures.0;
        let shards = |count: fn(&Shard<R>) -> usize, elsewhere| {
            self.shards.iter().map(count).fold(elsewhere, usize::wrapping_add)
        };
        let hits = shards(Shard::hits, self.depot.hits());
        let bytes_idle = if R::MEASURED {
            let used = self.shards.iter().filter(|shard| shard.len() > 0);
            used.map(|shard| shard.lock().bytes()).fold(self.depot.bytes(), usize::wrapping_add)
        } else {
            0
        };
        let mut stats = PoolStats {
            hits,
            misses: figures.misses.get(),
            preloaded: figures.preloaded.get(),
            put: shards(Shard::put, figures.put.get()),
            returned: 0,
            discarded_full: figures.discarded_full.get(),
            discarded_unfit: figures.discarded_unfit.get(),
            discarded_panic: figures.discarded_panic.get(),
            discarded_closed: figures.discarded_closed.get(),
            discarded_by_user: figures.discarded_by_user.get(),
            taken: shards(Shard::taken, figures.taken.get()),
            detached: figures.detached.get(),
            trimmed: figures.trimmed.get(),
            cleared: figures.cleared.get(),
            idle: self.len(),
            in_use: 0,
            bytes_idle,
        };
        let stored = [stats.hits, stats.trimmed, stats.cleared].into_iter();
        let stored = stored.fold(stats.idle, usize::wrapping_add);
        let returned = stored.wrapping_sub(stats.put).wrapping_sub(stats.preloaded);
        stats.returned = not_below_zero(returned, SLACK);
        stats.in_use = difference(
            stats.hits.wrapping_add(stats.misses),
            [
                returned,
                stats.discarded_full,
                stats.discarded_unfit,
                stats.discarded_panic,
                stats.discarded_closed,
                stats.discarded_by_user,
                stats.taken,
                stats.detached,
            ],
        );
        stats
    }
}

/// Subtracts counters that wrap around: 32 bits are full after half a minute of gets, and what is
/// left comes out right all the same. That must be a number of things that exist, as opposed to
/// have been: those of the top quarter are taken for less than 0.
pub(super) fn difference<const N: usize>(from: usize, less: [usize; N]) -> usize {
    not_below_zero(less.into_iter().fold(from, usize::wrapping_sub), usize::MAX / 4)
}

/// Takes up to `slack` below 0 for 0: others may do something between two reads of counters.
fn not_below_zero(n: usize, slack: usize) -> usize {
    if n > usize::MAX - slack { 0 } else { n }
}

/// More than others do between two reads, little even of 32 bits.
const SLACK: usize = 1 << 24;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn differences_survive_wrapping_around() {
        assert_eq!(difference(10, [3, 2]), 5);
        assert_eq!(difference(2, [usize::MAX - 1, 1]), 3);
        assert_eq!(difference(3, [4, 0]), 0);
    }

    #[test]
    fn all_but_the_last_of_the_numbers_may_be_counted_up_to() {
        assert_eq!(not_below_zero(0_usize.wrapping_sub(1000), SLACK), 0);
        for counted in [0, usize::MAX / 2, usize::MAX / 8 * 7, usize::MAX - SLACK] {
            assert_eq!(not_below_zero(counted, SLACK), counted);
        }
    }
}
