use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(create = Vec::with_capacity(*config))]
    body: Vec<u8>,
}

fn main() {}
