bp::pool! { TextPool<String> }

fn main() {}
