bp::pool! {
    struct TextPool(String) -> TextRef {
        config: usize,
        reset: |text, _| text.clear(),
    }
}

fn main() {}
