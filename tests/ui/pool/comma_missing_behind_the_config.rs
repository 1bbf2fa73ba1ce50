bp::pool! {
    struct TextPool(String) -> TextRef {
        config: usize
        create: |size| String::with_capacity(*size),
    }
}

fn main() {}
