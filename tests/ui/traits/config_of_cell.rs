//! A config that is not `Sync` keeps the pool on one thread: steps of all threads use it.

use std::cell::Cell;

bp::pool! {
    pub struct TextPool(String) -> TextRef {
        config: Cell<usize>,
        create: |size| String::with_capacity(size.get()),
    }
}

fn main() {
    let pool = TextPool::new(4, Cell::new(64));
    std::thread::spawn(move || drop(pool.get()));
}
