bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        keep: |text, _| text.capacity() < 1024,
        reset: |text, _| text.clear(),
    }
}

fn main() {}
