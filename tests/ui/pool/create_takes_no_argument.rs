bp::pool! {
    struct TextPool(String) -> TextRef { create: || String::with_capacity(80) }
}

fn main() {}
