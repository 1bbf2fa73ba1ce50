struct Request;

impl bp::Poolable for Request {
    type Config = usize;

    fn create(_: &usize) -> Self {
        Request
    }

    fn reset(&mut self, _: &usize) {}
}

bp::pool! {
    struct RequestPool(Request) -> RequestRef;
}

fn main() {}
