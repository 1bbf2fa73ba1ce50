use bp::Poolable;

#[derive(Poolable)]
#[pool(name(RequestPool), guard = RequestRef)]
struct Request {
    body: Vec<u8>,
    #[pool(reset(skip))]
    served: u64,
}

fn main() {}
