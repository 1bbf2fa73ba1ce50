use bp::Poolable;

#[derive(Poolable)]
#[pool(create = Request { body: Vec::new() })]
struct Request {
    #[pool(create = Vec::with_capacity(64))]
    body: Vec<u8>,
}

fn main() {}
