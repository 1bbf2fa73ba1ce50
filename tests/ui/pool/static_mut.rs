bp::pool! {
    static mut SCRATCH: bp::BufferPool = bp::BufferPool::new(4, 64);
}

fn main() {}
