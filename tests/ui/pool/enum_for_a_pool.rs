bp::pool! {
    enum TextPool(String) -> TextRef { create: |_| String::new() }
}

fn main() {}
