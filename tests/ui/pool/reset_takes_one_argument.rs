bp::pool! {
    struct TextPool(String) -> TextRef {
        create: |_| String::new(),
        reset: |text| text.clear(),
    }
}

fn main() {}
