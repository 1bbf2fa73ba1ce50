use bp::Poolable;

#[derive(Poolable)]
#[pool(reset = with(|request| request.body.clear()))]
struct Request {
    #[pool(reset = skip)]
    body: Vec<u8>,
}

fn main() {}
