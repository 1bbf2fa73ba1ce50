use bp::Poolable;

#[derive(Poolable)]
#[pool(name = RequestPool)]
struct Request {
    body: Vec<u8>,
}

fn main() {}
