//! What is put belongs to the pool.

fn main() {
    let pool = bp::BufferPool::new(4, 64);
    let buffer = pool.take();
    let _ = pool.put(buffer);
    let _ = pool.put(buffer);
}
