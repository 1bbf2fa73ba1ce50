use bp::Poolable;

#[derive(Default)]
struct Headers {
    names: Vec<String>,
}

#[derive(Poolable)]
struct Request {
    headers: Headers,
}

fn main() {}
