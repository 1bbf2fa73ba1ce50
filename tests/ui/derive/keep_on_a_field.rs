use bp::Poolable;

#[derive(Poolable)]
struct Request {
    #[pool(keep = self.body.len() < 64)]
    body: Vec<u8>,
}

fn main() {}
