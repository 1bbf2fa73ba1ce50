struct Request {
    body: Vec<u8>,
}

bp::pool! {
    pub struct RequestPool(Request) -> RequestRef;
}

fn main() {
    let pool = RequestPool::new(4);
    pool.get().body.push(1);
}
