bp::pool! {
    struct TextPool -> TextRef { create: |_| String::new() }
}

fn main() {}
