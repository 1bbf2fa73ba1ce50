//! How a capacity is divided between the shards and the depot.

use std::sync::OnceLock;
use std::thread;

/// The most objects that a shard may hold: with the shard's own state they fill two cache lines.
pub(super) const SHARD_ITEMS: usize = 12;

/// The most shards: a sweep of the busy ones is kept in one 64-bit mask.
const MOST_SHARDS: usize = 64;

/// The parts of a store; `shards * per_shard + depot` is the capacity, for every capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// A power of two.
    pub(crate) shards: usize,
    /// At most [`SHARD_ITEMS`].
    pub(crate) per_shard: usize,
    pub(crate) depot: usize,
}

impl Shape {
    /// Divides `capacity` for this machine.
    pub(crate) fn of(capacity: usize) -> Self {
        Self::with_shards(capacity, preferred_shards())
    }

    /// Divides `capacity` between `preferred` shards, or as many as it is worth having.
    ///
    /// Small pools need several shards too: two threads on a pool of two objects cost 81 ns per
    /// use with one shard of two, 9 ns with two of one. Large ones leave most to the depot, since
    /// what lies in another thread's shard is found last.
    pub(crate) fn with_shards(capacity: usize, preferred: usize) -> Self {
        if capacity == 0 {
            return Shape { shards: 1, per_shard: 0, depot: 0 };
        }
        let worth = (capacity / 4).max(capacity.min(4));
        let shards = previous_power_of_two(preferred.min(worth));
        let per_shard = (capacity / (2 * shards)).clamp(1, SHARD_ITEMS);
        Shape { shards, per_shard, depot: capacity - shards * per_shard }
    }

    pub(crate) fn capacity(self) -> usize {
        self.shards * self.per_shard + self.depot
    }
}

/// Four shards per core: with one per core, two running threads that share a shard cost 44 ns
/// per use, with four 15 (4 threads on 2 cores).
fn preferred_shards() -> usize {
    // Asking the system costs some 50 us, as it reads the limits of the control group.
    static PREFERRED: OnceLock<usize> = OnceLock::new();
    *PREFERRED.get_or_init(|| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        (4 * cores).next_power_of_two().min(MOST_SHARDS)
    })
}

fn previous_power_of_two(n: usize) -> usize {
    debug_assert!(n > 0);
    1 << n.ilog2()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_every_capacity() {
        for preferred in [1, 2, 8, 64] {
            for capacity in (0..3000).chain([1_000_000, usize::MAX]) {
                let shape = Shape::with_shards(capacity, preferred);
                assert_eq!(shape.capacity(), capacity, "{shape:?}");
                assert!(shape.shards.is_power_of_two(), "{shape:?}");
                assert!(shape.shards <= preferred, "{shape:?}");
                assert!(shape.per_shard <= SHARD_ITEMS, "{shape:?}");
                assert_eq!(shape.per_shard == 0, capacity == 0, "{shape:?}");
            }
        }
    }

    #[test]
    fn shapes_of_usual_capacities() {
        let parts = |capacity| {
            let Shape { shards, per_shard, depot } = Shape::with_shards(capacity, 8);
            (shards, per_shard, depot)
        };
        assert_eq!(parts(0), (1, 0, 0));
        assert_eq!(parts(1), (1, 1, 0));
        assert_eq!(parts(2), (2, 1, 0));
        assert_eq!(parts(3), (2, 1, 1));
        assert_eq!(parts(63), (8, 3, 39));
        assert_eq!(parts(64), (8, 4, 32));
        assert_eq!(parts(1000), (8, 12, 904));
    }
}
