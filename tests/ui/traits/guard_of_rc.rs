//! An item that is not `Send` keeps its guard on one thread.

use std::rc::Rc;

bp::pool! {
    pub struct SharedPool(Rc<str>) -> SharedRef { create: |_| Rc::from("shared") }
}

fn main() {
    let shared = SharedPool::new(4).get();
    std::thread::spawn(move || drop(shared));
}
