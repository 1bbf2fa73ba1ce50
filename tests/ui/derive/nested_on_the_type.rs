use bp::Poolable;

#[derive(Poolable)]
#[pool(nested)]
struct Request {
    body: Vec<u8>,
}

fn main() {}
