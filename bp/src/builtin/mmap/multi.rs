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
    pub fn populate(self, on: bool) -> Self {
        self.each(move |builder| builder.populate(on))
    }

    /// Sets whether the kernel is asked for huge pages; see
    /// [`Builder::huge_pages`](crate::Builder::huge_pages).
    pub fn huge_pages(self, on: bool) -> Self {
        self.each(move |builder| builder.huge_pages(on))
    }

    /// Sets whether memory is locked; see [`Builder::lock`](crate::Builder::lock).
    pub fn lock(self, on: bool) -> Self {
        self.each(move |builder| builder.lock(on))
    }

    /// Sets what becomes of the contents of a block that is returned.
    ///
    /// By default they stay, and the next user sees them.
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
