//! A config that is not `Sync` keeps the guards on one thread: dropping one uses it.

use std::cell::Cell;

bp::pool! {
    pub struct TextPool(String) -> TextRef {
        config: Cell<usize>,
        create: |size| String::with_capacity(size.get()),
        reset: |_, size| size.set(size.get() + 1),
    }
}

fn main() {
    let text = TextPool::new(4, Cell::new(64)).get();
    std::thread::spawn(move || drop(text));
}
