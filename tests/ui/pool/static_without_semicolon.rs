bp::pool! {
    static SCRATCH: bp::BufferPool = bp::BufferPool::new(4, 64)
}

fn main() {}
