bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        reset: |text, _| text.clear(),
        reset: |text, _| text.shrink_to(64),
    }
}

fn main() {}
