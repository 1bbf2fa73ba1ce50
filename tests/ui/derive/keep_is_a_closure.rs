use bp::Poolable;

#[derive(Poolable)]
#[pool(keep = |request| request.body.len() < 64)]
struct Request {
    body: Vec<u8>,
}

fn main() {}
