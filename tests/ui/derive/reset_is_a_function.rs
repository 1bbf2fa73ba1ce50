use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(reset = rewind)]
    position: u32,
}

fn rewind(position: &mut u32) {
    *position = 0;
}

fn main() {}
