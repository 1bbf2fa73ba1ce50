bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        reset: |text: &mut Vec<u8>, _| text.clear(),
    }
}

fn main() {}
