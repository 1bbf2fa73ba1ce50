bp::multi_pool! {
    pub static TEXT: bp::MultiBytePool = bp::MultiBytePool::builder().build().unwrap();
}

fn main() {}
