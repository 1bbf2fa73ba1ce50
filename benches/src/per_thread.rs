//! `PerThread`: a stack of idle objects for each thread, the nearest that std offers to Go's
//! `sync.Pool`. No bound, nothing shared, nothing given back before the thread ends.

use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::thread::LocalKey;

/// Idle objects of the thread that asks.
pub struct PerThread<T: 'static, F> {
    idle: &'static LocalKey<RefCell<Vec<T>>>,
    create: F,
}

impl<T, F: Fn() -> T> PerThread<T, F> {
    /// Uses `idle`, and drops what another one left there on this thread.
    pub fn new(idle: &'static LocalKey<RefCell<Vec<T>>>, create: F) -> Self {
        drop(idle.take());
        PerThread { idle, create }
    }

    /// Does the work with an idle object, or a new one, and keeps it.
    #[inline]
    pub fn with<A>(&self, work: impl FnOnce(&mut T) -> A) -> A {
        let idle = self.idle.with_borrow_mut(Vec::pop);
        let mut object = idle.unwrap_or_else(&self.create);
        let result = work(&mut object);
        self.idle.with_borrow_mut(|idle| idle.push(object));
        result
    }
}

impl<T, F> Debug for PerThread<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerThread").finish_non_exhaustive()
    }
}
