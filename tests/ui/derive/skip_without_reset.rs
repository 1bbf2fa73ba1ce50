use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(skip)]
    id: u64,
}

fn main() {}
