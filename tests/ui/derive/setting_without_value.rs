use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(reset)]
    body: Vec<u8>,
}

fn main() {}
