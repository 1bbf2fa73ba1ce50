//! `Oversize`: what is larger than all classes, each with a pool for itself that keeps nothing.
//!
//! With its own pool it has what every recipe is promised: a config of its own size that was
//! checked and opened once, and that lives as long as the guard, whose node keeps the pool's store
//! alive. The handle kept here tells the figures of that pool until the guard is gone; then they
//! are added up, and the handle goes. Beside the memory of the object that costs 0.2 µs a request,
//! which is far from the sizes that the classes were chosen for.
//!
//! Guards do not say when they go, so it is looked after: when twice as many handles are kept as
//! were in use at the last look, and on trimming and clearing. So no more are kept than twice those
//! in use and one, and a look costs each request no more than that of two pools.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Pool, PoolStats, TypedPool};

/// The pools of the requests above all classes.
pub(super) struct Oversize<P>(Mutex<Requests<P>>);

struct Requests<P> {
    /// Each with the one object that it was made for; some of those are gone.
    pools: Vec<P>,
    /// The length of `pools` at which those are looked for.
    most: usize,
    /// The figures of the pools that went.
    ended: PoolStats,
    closed: bool,
}

impl<P: TypedPool> Oversize<P> {
    pub(super) fn new() -> Self {
        let ended = PoolStats::default();
        Oversize(Mutex::new(Requests { pools: Vec::new(), most: 1, ended, closed: false }))
    }

    /// Counts with the pool of one request, which has created what it is for.
    pub(super) fn count(&self, pool: P) {
        let ended = {
            let mut requests = self.lock();
            if requests.closed {
                pool.as_pool().close();
            }
            requests.pools.push(pool);
            if requests.pools.len() > requests.most { requests.end() } else { Vec::new() }
        };
        // With their configs, so not under the lock.
        drop(ended);
    }

    /// Lets the pools go whose objects are gone.
    pub(super) fn tidy(&self) {
        let ended = self.lock().end();
        drop(ended);
    }

    pub(super) fn stats(&self) -> PoolStats {
        let requests = self.lock();
        requests.pools.iter().map(|pool| pool.as_pool().stats()).sum::<PoolStats>() + requests.ended
    }

    /// Sees to it that later pools are closed, and returns those there are.
    pub(super) fn close(&self) -> Vec<Pool<P::Recipe>> {
        let mut requests = self.lock();
        requests.closed = true;
        requests.pools.iter().map(|pool| pool.as_pool().clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Requests<P>> {
        // What may unwind under it, the close of a pool, comes before any change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: TypedPool> Requests<P> {
    /// Adds up what ended, and hands it out to be dropped.
    fn end(&mut self) -> Vec<P> {
        let mut ended = Vec::new();
        for pool in mem::take(&mut self.pools) {
            let stats = pool.as_pool().stats();
            if stats.in_use == 0 {
                self.ended = self.ended + stats;
                ended.push(pool);
            } else {
                self.pools.push(pool);
            }
        }
        self.most = 2 * self.pools.len() + 1;
        ended
    }
}
