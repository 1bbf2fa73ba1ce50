//! Size classes of the byte pools.

use std::io;

use super::{BufferPool, BufferRef, BytePool, ByteRef, OnReturn};
use crate::MultiBuilder;
use crate::byte_source::{self, ByteSource};

crate::multi_pool! {
    /// Keeps byte blocks of several sizes, for requests whose size varies.
    ///
    /// The guard derefs to `[u8]` of exactly the bytes asked for, 0 allowed. They are what an
    /// earlier user left or 0, unless the builder says
    /// [`on_return(OnReturn::Zero)`](MultiBuilder::on_return).
    ///
    /// A block serves a shorter request without being filled again: what one request needs beyond
    /// the one before is zeroed, and no more.
    ///
    /// The object is a `Vec<u8>`. [`put`](Self::put) stores one in the largest class that its
    /// capacity can serve, unless the capacity is beyond the maximum of that class, 1.25 times
    /// its size by default.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use bp::MultiBytePool;
    ///
    /// let pool = MultiBytePool::builder().class(64, 4096).class(8, 65_536).build()?;
    ///
    /// // The length of a frame stands before the frame.
    /// let mut stream: &[u8] = b"\x05hello";
    /// let mut length = [0];
    /// stream.read_exact(&mut length)?;
    /// let mut frame = pool.get(length[0].into());
    /// stream.read_exact(&mut frame)?;
    /// assert_eq!(*frame, *b"hello");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct MultiBytePool(BytePool) -> ByteRef {
        class: |config| config.leave_length(),
        size: |block| block.capacity(),
        fit: |block, size| set_len(block, *size),
    }

    /// Keeps buffers of several sizes, for contents whose size is known roughly.
    ///
    /// The guard derefs to an empty `Vec<u8>` of at least the capacity asked for, and is an
    /// [`io::Write`](std::io::Write).
    ///
    /// A buffer that grew goes back to the class it came from, and is dropped if that is more than
    /// the class keeps: 1.25 times its size by default.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBufferPool::builder().classes_geometric(32, 256, 16_384, 4.0).build()?;
    /// let mut page = pool.get(10_000);
    /// assert!(page.capacity() >= 10_000);
    /// page.extend_from_slice(b"<!doctype html>");
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub struct MultiBufferPool(BufferPool) -> BufferRef {
        size: |buffer| buffer.capacity(),
        fit: |buffer, size| buffer.reserve(*size),
    }
}

#[inline]
fn set_len(block: &mut Vec<u8>, len: usize) {
    if block.len() < len {
        block.resize(len, 0);
    } else {
        block.truncate(len);
    }
}

/// Blocks of any length; what is above the largest class is allocated for the one use, so put a
/// [limit](ByteSource::limited) on lengths that others choose.
impl ByteSource for MultiBytePool {
    type Buf = ByteRef;

    fn bytes(&self, len: usize) -> io::Result<ByteRef> {
        self.try_get_with(len, |&size| byte_source::zeroed(size))
    }
}

impl MultiBuilder<MultiBytePool> {
    /// Sets how many times the size of its class a block's capacity may be that is kept.
    ///
    /// By default 1.25. Must be finite and at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// let builder = bp::MultiBytePool::builder().class(8, 1000);
    /// let pool = builder.max_size_factor(4.0).build()?;
    /// assert!(pool.put(Vec::with_capacity(3000)).is_ok());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn max_size_factor(self, factor: f64) -> Self {
        self.each(move |builder| builder.max_size_factor(factor))
    }

    /// Sets what becomes of the contents of a block that is returned.
    ///
    /// By default they stay, and the next user sees them.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiBytePool, OnReturn};
    ///
    /// let pool = MultiBytePool::builder().class(8, 64).on_return(OnReturn::Zero).build()?;
    /// pool.get(6).copy_from_slice(b"secret");
    /// assert_eq!(*pool.get(6), [0; 6]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.each(move |builder| builder.on_return(on_return))
    }
}

impl MultiBuilder<MultiBufferPool> {
    /// Sets how many times the size of its class a buffer's capacity may be that is kept.
    ///
    /// By default 1.25. Must be finite and at least 1. With
    /// [`retain_by_use`](MultiBuilder::retain_by_use) the default does not count, a factor set
    /// here does.
    ///
    /// # Examples
    ///
    /// ```
    /// let builder = bp::MultiBufferPool::builder().class(8, 1000);
    /// let pool = builder.max_size_factor(4.0).build()?;
    /// pool.get(1000).reserve(3000);
    /// assert_eq!(pool.len(), 1);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn max_size_factor(self, factor: f64) -> Self {
        self.each(move |builder| builder.max_size_factor(factor))
    }

    /// Sets whether buffers that come back smaller than their class grow to it and stay, instead
    /// of being dropped.
    ///
    /// By default off. What is smaller than the smallest class is not stored by `put` even then.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiBufferPool::builder().class(8, 1000).auto_grow(true).build()?;
    /// pool.get(1000).shrink_to(0);
    /// assert_eq!(pool.len(), 1);
    /// assert!(pool.get(1000).capacity() >= 1000);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn auto_grow(self, on: bool) -> Self {
        self.each(move |builder| builder.auto_grow(on))
    }

    /// Sets what becomes of the contents of a buffer that is returned.
    ///
    /// By default they stay in memory, where no user sees them, as the buffer is emptied.
    ///
    /// # Examples
    ///
    /// See [`OnReturn`].
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.each(move |builder| builder.on_return(on_return))
    }
}
