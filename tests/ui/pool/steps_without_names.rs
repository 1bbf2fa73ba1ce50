bp::pool! {
    struct TextPool(String) -> TextRef { String::new() }
}

fn main() {}
