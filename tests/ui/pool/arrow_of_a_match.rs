bp::pool! {
    pub struct TextPool(String) => TextRef { create: |_| String::new() }
}

fn main() {}
