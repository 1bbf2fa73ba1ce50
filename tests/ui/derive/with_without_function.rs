use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(reset = with)]
    body: Vec<u8>,
}

fn main() {}
