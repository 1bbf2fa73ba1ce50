bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        keep: |text, _| text.capacity(),
    }
}

fn main() {}
