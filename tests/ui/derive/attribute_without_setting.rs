use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool]
    body: Vec<u8>,
}

fn main() {}
