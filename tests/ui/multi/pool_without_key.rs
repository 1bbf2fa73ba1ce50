bp::pool! {
    pub struct TextPool(String) -> TextRef { create: |_| String::new() }
}

bp::multi_pool! {
    pub struct MultiTextPool(TextPool) -> TextRef {
        size: |text| text.capacity(),
        fit: |text, _| text.clear(),
    }
}

fn main() {}
