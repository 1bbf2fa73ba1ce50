//! An item that is not `Send` keeps its pool on one thread.

use std::rc::Rc;

bp::pool! {
    pub struct SharedPool(Rc<str>) -> SharedRef { create: |_| Rc::from("shared") }
}

fn main() {
    let pool = SharedPool::new(4);
    std::thread::spawn(move || drop(pool.get()));
}
