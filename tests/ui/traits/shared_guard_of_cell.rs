//! An item that is not `Sync` is for one thread at a time.

use std::cell::Cell;

bp::pool! {
    pub struct CellPool(Cell<u8>) -> CellRef { create: |_| Cell::new(0) }
}

fn main() {
    let cell = CellPool::new(4).get();
    std::thread::scope(|scope| {
        scope.spawn(|| cell.set(1));
        scope.spawn(|| cell.set(2));
    });
}
