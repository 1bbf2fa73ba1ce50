bp::pool! {
    struct TextPool(String) -> TextRef
        create: |_| String::new(),
}

fn main() {}
