//! A guard has no methods of its own: they would hide those of the object.

fn main() {
    let pool = bp::BufferPool::new(8, 64);
    let buffer = pool.get();
    let _bytes: Vec<u8> = buffer.detach();
}
