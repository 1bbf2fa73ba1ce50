//! The suite that every pool must pass, over one pool of each making.

use bp::{
    BufferPool, BufferRef, BytePool, ByteRef, MmapBlock, MmapBytePool, MmapByteRef, OnReturn, Pool,
    Poolable, Ref,
};
use bp_tests::probe::{Probe, ProbePool, ProbeRef, Steps};
use bp_tests::suite;

/// A type of one's own, with its steps written by hand.
#[derive(Debug)]
struct Request {
    path: String,
    body: Vec<u8>,
}

impl Poolable for Request {
    type Config = usize;

    fn create(body: &usize) -> Self {
        Request { path: String::new(), body: Vec::with_capacity(*body) }
    }

    fn reset(&mut self, _body: &usize) {
        self.path.clear();
        self.body.clear();
    }
}

/// A type of one's own, with pool, guard and steps derived.
#[derive(Debug, Poolable)]
#[pool(name = ReplyPool, guard = ReplyRef, config = usize)]
struct Reply<'a, const N: usize> {
    status: [u16; N],
    reason: Option<&'a str>,
    #[pool(create = Vec::with_capacity(*config))]
    body: Vec<u8>,
}

bp::pool! {
    /// A foreign type, with its steps written here.
    struct TextPool(String) -> TextRef {
        config: usize,
        create: |size| String::with_capacity(*size),
        reset: |text, _size| text.clear(),
        keep: |text, size| text.capacity() <= 4 * *size,
    }

    /// A type that is `Poolable`, with the steps it has.
    struct RequestPool(Request) -> RequestRef { config: usize }
}

suite! {
    mod poolable for Pool<Request>, Ref<Request>, Request {
        build: |capacity| Pool::<Request>::builder(capacity, 16),
        dirty: |request| request.body.push(b'x'),
        blank: |request| request.path.is_empty() && request.body.is_empty(),
    }
}

suite! {
    mod typed_poolable for RequestPool, RequestRef, Request {
        build: |capacity| RequestPool::builder(capacity, 16),
        dirty: |request| request.body.push(b'x'),
        blank: |request| request.path.is_empty() && request.body.is_empty(),
    }
}

suite! {
    mod derived for ReplyPool<'static, 3>, ReplyRef<'static, 3>, Reply<'static, 3> {
        build: |capacity| ReplyPool::<3>::builder(capacity, 16),
        dirty: |reply| (reply.status, reply.reason) = ([404; 3], Some("not found")),
        blank: |reply| {
            reply.status == [0; 3] && reply.reason.is_none() && reply.body.capacity() >= 16
        },
    }
}

suite! {
    mod foreign for TextPool, TextRef, String {
        build: |capacity| TextPool::builder(capacity, 64),
        dirty: |text| text.push('x'),
        blank: |text| text.is_empty() && text.capacity() >= 64,
    }
}

suite! {
    mod every_step for ProbePool, ProbeRef, Probe {
        build: |capacity| ProbePool::builder(capacity, Steps::new()),
        dirty: |probe| probe.mark = 7,
        blank: |probe| probe.mark == 0,
    }
}

suite! {
    mod buffers for BufferPool, BufferRef, Vec<u8> {
        build: |capacity| BufferPool::builder(capacity, 64),
        dirty: |buffer| buffer.push(b'x'),
        blank: |buffer| buffer.is_empty() && buffer.capacity() >= 64,
    }
}

suite! {
    mod buffers_by_use for BufferPool, BufferRef, Vec<u8> {
        build: |capacity| BufferPool::builder(capacity, 64).retain_by_use(),
        dirty: |buffer| buffer.push(b'x'),
        blank: |buffer| buffer.is_empty() && buffer.capacity() >= 64,
    }
}

suite! {
    mod bytes for BytePool, ByteRef, Vec<u8> {
        build: |capacity| BytePool::builder(capacity, 64).on_return(OnReturn::Zero),
        dirty: |block| block.fill(b'x'),
        blank: |block| *block == [0; 64],
    }
}

suite! {
    mod mapped for MmapBytePool, MmapByteRef, MmapBlock {
        build: |capacity| MmapBytePool::builder(capacity, 64).on_return(OnReturn::Zero),
        dirty: |block| block.fill(b'x'),
        blank: |block| *block == [0; 64],
    }
}
