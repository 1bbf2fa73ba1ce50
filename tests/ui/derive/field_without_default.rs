use bp::Poolable;

struct Headers {
    names: Vec<String>,
}

#[derive(Poolable)]
struct Request {
    #[pool(reset = with(|headers| headers.names.clear()))]
    headers: Headers,
}

fn main() {}
