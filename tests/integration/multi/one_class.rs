//! One class of a multi pool is a pool like any other.

use std::convert::Infallible;

use bp::{BuildError, ByteRef, MultiBytePool, OnReturn, PutError};
use bp_tests::suite::Subject;

struct OneClass;

impl Subject for OneClass {
    type Pool = MultiBytePool;
    type Guard = ByteRef;
    type Item = Vec<u8>;

    fn pool(capacity: usize) -> MultiBytePool {
        Self::preloaded(capacity, 0.0).expect("a config that is right")
    }
    fn preloaded(capacity: usize, rate: f64) -> Result<MultiBytePool, BuildError> {
        let builder = MultiBytePool::builder().class(capacity, 64).preload(rate);
        builder.on_return(OnReturn::Zero).build()
    }
    fn dirty(block: &mut ByteRef) {
        block.fill(7);
    }
    fn is_blank(block: &ByteRef) -> bool {
        **block == [0; 50]
    }
    fn address(block: &ByteRef) -> usize {
        block.as_ptr().addr()
    }
    fn get(pool: &MultiBytePool) -> ByteRef {
        pool.get(50)
    }
    fn try_get(pool: &MultiBytePool) -> Option<ByteRef> {
        pool.try_get(50)
    }
    fn get_with(pool: &MultiBytePool, create: impl FnOnce() -> Vec<u8>) -> ByteRef {
        let Ok(block) = pool.try_get_with(50, |_| Ok::<_, Infallible>(create()));
        block
    }
    fn try_get_with(
        pool: &MultiBytePool,
        create: impl FnOnce() -> Result<Vec<u8>, &'static str>,
    ) -> Result<ByteRef, &'static str> {
        pool.try_get_with(50, |_| create())
    }
    fn take(pool: &MultiBytePool) -> Vec<u8> {
        pool.take(50)
    }
    fn put(pool: &MultiBytePool, block: Vec<u8>) -> Result<(), PutError<Vec<u8>>> {
        pool.put(block)
    }
    fn close(pool: &MultiBytePool) {
        pool.close();
    }
    fn detach(block: ByteRef) -> Vec<u8> {
        ByteRef::detach(block)
    }
    fn discard(block: ByteRef) {
        ByteRef::discard(block);
    }
    fn release(block: ByteRef) -> Result<(), PutError<Vec<u8>>> {
        ByteRef::release(block)
    }
}

bp_tests::suite! { of OneClass }
