bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        clean: |text, _| text.clear(),
    }
}

fn main() {}
