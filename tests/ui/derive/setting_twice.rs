use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(reset = default)]
    #[pool(reset = skip)]
    id: u64,
}

fn main() {}
