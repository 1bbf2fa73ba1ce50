bp::pool! {
    static SCRATCH = bp::BufferPool::new(4, 64);
}

fn main() {}
