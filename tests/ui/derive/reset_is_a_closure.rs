use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(reset = |body| body.clear())]
    body: Vec<u8>,
}

fn main() {}
