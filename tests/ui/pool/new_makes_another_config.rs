bp::pool! {
    struct TextPool(String) -> TextRef {
        config: usize,
        new: |size: u32| size,
        create: |size| String::with_capacity(*size),
    }
}

fn main() {}
