use bp::Poolable;

#[derive(Poolable)]
#[pool(guard = RequestRef)]
struct Request {
    body: Vec<u8>,
}

fn main() {}
