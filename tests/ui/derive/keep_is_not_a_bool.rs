use bp::Poolable;

#[derive(Poolable)]
#[pool(keep = self.body.len())]
struct Request {
    body: Vec<u8>,
}

fn main() {}
