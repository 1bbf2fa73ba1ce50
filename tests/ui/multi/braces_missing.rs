bp::pool! {
    pub struct TextPool(String) -> TextRef {
        config: usize,
        create: |size| String::with_capacity(*size),
    }
}

bp::multi_pool! {
    pub struct MultiTextPool(TextPool) -> TextRef
        size: |text| text.capacity(),
        fit: |text, size| text.reserve(*size),
}

fn main() {}
