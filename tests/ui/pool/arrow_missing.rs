bp::pool! {
    pub struct TextPool(String) { create: |_| String::new() }
}

fn main() {}
