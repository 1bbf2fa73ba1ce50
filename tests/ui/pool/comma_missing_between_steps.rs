bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new()
        reset: |text, _| text.clear(),
    }
}

fn main() {}
