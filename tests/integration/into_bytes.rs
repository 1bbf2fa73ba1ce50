//! Guards as `Bytes`, and buffers as `BufMut`.

use std::thread;

use bp::{BufferPool, BytePool};
use bytes::{BufMut, Bytes};

#[test]
fn case_30_memory_is_back_exactly_once_after_the_last_part() {
    let pool = BytePool::new(4, 1024);
    let block = pool.get();
    let address = block.as_ptr();
    let whole = block.into_bytes();
    assert_eq!((whole.as_ptr(), whole.len()), (address, 1024));

    let mut parts = vec![whole.clone(), whole.slice(10..20), whole.slice(..0), whole];
    // The order in which they go does not matter, nor on which thread.
    parts.swap(0, 2);
    let last = parts.pop().unwrap();
    thread::spawn(move || drop(parts)).join().unwrap();
    assert_eq!((pool.len(), pool.stats().in_use), (0, 1));
    thread::spawn(move || drop(last)).join().unwrap();
    assert_eq!((pool.len(), pool.stats().returned), (1, 1));
    assert_eq!(pool.get().as_ptr(), address);
}

#[test]
fn two_threads_may_drop_the_last_parts_at_once() {
    let pool = BufferPool::new(4, 64);
    for round in 0..1000 {
        let mut buffer = pool.get();
        buffer.extend_from_slice(b"body");
        let one = buffer.into_bytes();
        let other = one.clone();
        let thread = thread::spawn(move || assert_eq!(other, Bytes::from_static(b"body")));
        drop(one);
        thread.join().unwrap();
        assert_eq!((pool.len(), pool.stats().returned), (1, round + 1));
    }
}

#[test]
fn what_bytes_show_is_what_the_guard_showed() {
    let pool = BufferPool::new(4, 64);
    let mut buffer = pool.get();
    buffer.put_slice(b"frame ");
    buffer.put_u16(0x3132);
    buffer.put_bytes(b'!', 2);
    assert_eq!(Bytes::from(buffer), &b"frame 12!!"[..]);
    assert!(pool.get().is_empty());
}
