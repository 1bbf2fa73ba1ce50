use bp::Poolable;

#[derive(Poolable)]
#[pool(config = usize)]
struct Scratch(#[pool(create = Vec::with_capacity(*config))] Vec<u8>);

#[derive(Poolable)]
struct Request {
    #[pool(nested)]
    scratch: Scratch,
}

fn main() {}
