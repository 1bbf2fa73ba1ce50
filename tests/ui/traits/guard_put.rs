//! A guard is not put: dropping it returns its object. What the compiler offers would put a copy.

bp::pool! {
    struct BlockPool(Vec<u8>) -> BlockRef { create: |_| vec![0; 64] }
}

fn main() {
    let pool = BlockPool::new(8);
    let block = pool.get();
    let _ = pool.put(block);
}
