bp::pool! {
    struct TextPool(String) -> TextRef {
        config: usize,
        new: |size| size,
        create: |size| String::with_capacity(*size),
    }
}

fn main() {}
