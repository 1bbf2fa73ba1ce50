//! Nobody sees an object that has gone back.

fn main() {
    let pool = bp::BufferPool::new(4, 64);
    let mut buffer = pool.get();
    buffer.extend_from_slice(b"mine");
    let seen = buffer.as_slice();
    drop(buffer);
    assert_eq!(seen, b"mine");
}
