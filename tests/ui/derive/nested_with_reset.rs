use bp::Poolable;

#[derive(Poolable)]
struct Scratch(Vec<u8>);

#[derive(Poolable)]
struct Request {
    #[pool(nested, reset = skip)]
    scratch: Scratch,
}

fn main() {}
