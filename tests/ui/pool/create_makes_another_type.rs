bp::pool! {
    struct TextPool(String) -> TextRef { create: |_| Vec::<u8>::new() }
}

fn main() {}
