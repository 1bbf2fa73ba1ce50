//! An object comes back once.

use bp::{BufferPool, BufferRef};

fn main() {
    let buffer = BufferPool::new(4, 64).get();
    drop(buffer);
    let _ = BufferRef::release(buffer);
}
