#[derive(Clone, Debug)]
pub struct Width(usize);

bp::pool! {
    pub struct TextPool(String) -> TextRef {
        config: Width,
        create: |size| String::with_capacity(size.0),
    }
}

bp::multi_pool! {
    pub struct MultiTextPool(TextPool) -> TextRef {
        size: |text| text.capacity(),
        fit: |text, size| text.reserve(size.0),
    }
}

fn main() {}
