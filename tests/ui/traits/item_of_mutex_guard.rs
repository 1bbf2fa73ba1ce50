//! An item that must stay on its thread, although it may be looked at from others.

use std::sync::{Mutex, MutexGuard};

static LOCK: Mutex<u8> = Mutex::new(0);

bp::pool! {
    pub struct LockedPool(MutexGuard<'static, u8>) -> LockedRef {
        create: |_| LOCK.lock().expect("not poisoned"),
    }
}

fn main() {
    let locked = LockedPool::new(4).get();
    std::thread::scope(|scope| {
        // Looking is fine, since the item is `Sync`.
        scope.spawn(|| assert_eq!(**locked, 0));
    });
    std::thread::spawn(move || drop(locked));
}
