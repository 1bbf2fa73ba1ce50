bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        get: |text, start| text.push_str(start),
    }
}

fn main() {}
