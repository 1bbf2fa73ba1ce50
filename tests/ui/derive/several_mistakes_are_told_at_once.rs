use bp::{Pool, Poolable};

#[derive(Poolable)]
#[pool(name = RequestPool, guard = RequestRef, cofnig = Limits)]
#[pool(keep = |request| request.retries < 3)]
struct Request {
    #[pool(create = Vec::with_capacity(64), rest = skip)]
    body: Vec<u8>,
    #[pool(reset = "default")]
    retries: u32,
    #[pool(config = u8)]
    state: u8,
}

// What uses the type is not wrong, and nothing is said about it.
fn main() {
    let pool = Pool::<Request>::new(1, ());
    drop(pool.get());
    let pool = RequestPool::new(1);
    let _request: RequestRef = pool.get();
}
