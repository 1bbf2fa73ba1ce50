use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(reset = default())]
    retries: u32,
}

fn main() {}
