use bp::Poolable;

#[derive(Poolable)]
#[pool(crate = "bp")]
struct Request {
    body: Vec<u8>,
}

fn main() {}
