bp::pool! {
    struct TextPool(String) -> TextRef: [u8] { create: |_| String::new() }
}

fn main() {}
