//! A config that is not `Send` keeps the guards on one thread: they may free it.

use std::rc::Rc;

bp::pool! {
    pub struct TextPool(String) -> TextRef {
        config: Rc<str>,
        create: |text| text.to_string(),
    }
}

fn main() {
    let text = TextPool::new(4, Rc::from("start")).get();
    std::thread::spawn(move || drop(text));
}
