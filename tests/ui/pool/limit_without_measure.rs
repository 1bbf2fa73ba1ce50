bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        limit: |_| 1024,
    }
}

fn main() {}
