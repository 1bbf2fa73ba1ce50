use std::borrow::Cow;

bp::pool! {
    pub struct TextPool(String) -> TextRef {
        config: usize,
        new: |example: Cow<str>| example.len(),
        create: |size| String::with_capacity(*size),
    }
}

fn main() {}
