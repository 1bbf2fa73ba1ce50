//! Mapped blocks of several sizes.

use std::io;

use super::{MmapBytePool, MmapByteRef, MmapConfig};
use crate::builtin::on_return::OnReturn;
use crate::byte_source::ByteSource;
use crate::{MultiBuilder, MultiPool};

crate::multi_pool! {
    /// Keeps mapped byte blocks of several sizes, one mapping for each class.
    ///
    /// The guard derefs to `[u8]` of exactly the bytes asked for, 0 allowed, which are what an
    /// earlier user left or 0. Memory is used by the pages that were written to, so a short request
    /// that a large class serves costs no more than its own pages.
    ///
    /// What is larger than all classes has a mapping of its own for the one use.
    ///
    /// A block cannot grow. So what the closure of [`try_get_with`](Self::try_get_with) makes must be
    /// as large as what was asked for, and a smaller one panics; other ways to get a block make it
    /// large enough.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiMmapBytePool::builder().class(64, 4096).class(8, 1 << 20).build()?;
    /// let block = pool.get(100_000);
    /// assert_eq!(block.len(), 100_000);
    /// assert!(block.is_mapped());
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub struct MultiMmapBytePool(MmapBytePool) -> MmapByteRef {
        size: |block| block.size(),
        fit: |block, size| block.set_len(*size),
    }
}

impl MultiBuilder<MultiMmapBytePool> {
    /// Sets whether memory is handed out to the pools when it is mapped; see
    /// [`Builder::populate`](crate::Builder::populate).
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MultiMmapBytePool::builder().class(4, 4096).populate(true).build()?;
    /// assert_eq!(*pool.get(4), [0; 4]); // without a page fault
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn populate(self, on: bool) -> Self {
        self.each(move |builder| builder.populate(on))
    }

    /// Sets whether the kernel is asked for huge pages; see
    /// [`Builder::huge_pages`](crate::Builder::huge_pages).
    ///
    /// # Examples
    ///
    /// ```
    /// let builder = bp::MultiMmapBytePool::builder().class(4, 4 << 20);
    /// let pool = builder.huge_pages(true).build()?;
    /// assert_eq!(pool.get(3 << 20).len(), 3 << 20);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn huge_pages(self, on: bool) -> Self {
        self.each(move |builder| builder.huge_pages(on))
    }

    /// Sets whether memory is locked; see [`Builder::lock`](crate::Builder::lock).
    ///
    /// # Examples
    ///
    /// ```
    /// // Where the system allows a process to lock memory.
    /// if let Ok(pool) = bp::MultiMmapBytePool::builder().class(4, 4096).lock(true).build() {
    ///     assert!(pool.get(100).is_locked());
    /// }
    /// ```
    pub fn lock(self, on: bool) -> Self {
        self.each(move |builder| builder.lock(on))
    }

    /// Sets what becomes of the contents of a block that is returned.
    ///
    /// By default they stay, and the next user sees them.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MultiMmapBytePool, OnReturn};
    ///
    /// let pool = MultiMmapBytePool::builder().class(4, 4096).on_return(OnReturn::Zero).build()?;
    /// pool.get(6).copy_from_slice(b"secret");
    /// assert_eq!(*pool.get(6), [0; 6]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.each(move |builder| builder.on_return(on_return))
    }
}

/// Blocks of any length; what is above the largest class is mapped for the one use, so put a
/// [limit](ByteSource::limited) on lengths that others choose.
impl ByteSource for MultiMmapBytePool {
    type Buf = MmapByteRef;

    fn bytes(&self, len: usize) -> io::Result<MmapByteRef> {
        self.as_multi().try_get_by(&len, MmapConfig::try_create)
    }
}
