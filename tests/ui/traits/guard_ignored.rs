//! A get whose guard is ignored gives the object back at once.

#![deny(unused_must_use)]

fn main() {
    let pool = bp::BufferPool::new(4, 64);
    pool.get();
}
