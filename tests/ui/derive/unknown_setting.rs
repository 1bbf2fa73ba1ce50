use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(rest = skip)]
    id: u64,
}

fn main() {}
