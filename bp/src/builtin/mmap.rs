//! `MmapBytePool`: byte blocks that lie in an anonymous mapping, apart from the heap.
//!
//! The pool maps once, when it is built: a [`slab`] with a slot for each block that it may keep.
//! A mapping per block, as the Go original has it, costs 300 times what malloc does at 4 KiB, and
//! the kernel limits how many a process may have. A [`block`] is a slot; where all slots are taken
//! a mapping of its own; where the system refuses that, heap memory. A block outside the slab that
//! comes back stays only if all slots are taken just then. One that stayed goes at a later return,
//! or by a trim, so that a pool in use comes back to its one mapping after a burst.

mod block;
mod mapping;
mod multi;
mod slab;

use std::io;
use std::sync::Arc;

pub use self::block::MmapBlock;
use self::mapping::Terms;
pub use self::multi::MultiMmapBytePool;
use self::slab::Slab;
use super::on_return::OnReturn;
use super::size::check_size;
use crate::byte_source::{self, ByteSource};
use crate::{BuildError, Builder};

crate::pool! {
    /// Keeps byte blocks of one size in an anonymous mapping: page-aligned memory apart from the
    /// heap, which [`trim`](Self::trim) hands back to the system.
    ///
    /// The guard derefs to `[u8]` of exactly `size` bytes. A new block reads as 0; after that it
    /// shows what its last user left, unless the builder says
    /// [`on_return(OnReturn::Zero)`](Builder::on_return).
    ///
    /// The pool maps once, for `capacity` blocks of `size` bytes rounded up to whole pages, and
    /// memory is only used by blocks that were written to. A block is aligned to a page, and stays
    /// where it is for as long as it exists: in use, moved about, idle in the pool, in use again.
    /// The mapping goes as a whole, after the pool and its last block; guards may outlive the pool.
    ///
    /// Where more than `capacity` blocks are in use, each further one has a mapping of its own,
    /// or heap memory if the system refuses that; [`is_mapped`](MmapByteRef::is_mapped) tells, and
    /// heap memory is not aligned to a page. Such a block is judged when it comes back: it stays if
    /// the pool's own memory is all in use just then, and is discarded as unfit otherwise. One that
    /// stayed is judged again when it comes back from its next use; [`trim`](Self::trim) drops it
    /// where it is not used.
    ///
    /// [`trim`](Self::trim) and [`clear`](Self::clear) hand the pages of the blocks that they drop
    /// back to the kernel (Linux; elsewhere, and where memory is locked, they are zeroed and stay).
    ///
    /// On systems that memmap2 cannot map on, all blocks are on the heap.
    ///
    /// # Errors
    ///
    /// `new` returns an error of the kind [`InvalidInput`](std::io::ErrorKind::InvalidInput) if the
    /// size is 0, or all blocks together are more than `isize::MAX` bytes, and else what the system
    /// has against the mapping: [`OutOfMemory`](std::io::ErrorKind::OutOfMemory) as a rule.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// let pool = bp::MmapBytePool::new(64, 1 << 20)?;
    /// let mut block = pool.get();
    /// let n = "from a socket".as_bytes().read(&mut block)?;
    /// assert_eq!(&block[..n], b"from a socket");
    /// assert_eq!(block.len(), 1 << 20);
    /// assert!(block.as_ptr().addr().is_multiple_of(4096));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub struct MmapBytePool(MmapBlock) -> MmapByteRef: [u8] {
        config: MmapConfig,
        new: |size: usize| -> std::io::Result<Self> { MmapConfig::new(size) },
        check: |config| check_size(config.size),
        open: MmapConfig::map,
        create: MmapConfig::create,
        reset: |block, config| config.restore(block),
        keep: |block, config| config.is_fit(block),
        dispose: |block, config| config.wipe(block),
        measure: |block| (block.len(), block.size()),
    }
}

/// What the blocks of a [`MmapBytePool`] share.
///
/// # Examples
///
/// ```
/// let pool = bp::MmapBytePool::new(8, 4096)?;
/// assert_eq!(pool.config().size(), 4096);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MmapConfig {
    size: usize,
    terms: Terms,
    on_return: OnReturn,
    /// `None` until the pool is built, with a capacity of 0, and where nothing can be mapped.
    slab: Option<Arc<Slab>>,
}

impl MmapConfig {
    fn new(size: usize) -> Self {
        MmapConfig { size, terms: Terms::default(), on_return: OnReturn::Leave, slab: None }
    }

    /// Returns the length of every block.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(8, 100)?;
    /// assert_eq!(pool.config().size(), pool.get().len()); // not rounded up to a page
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.size
    }

    fn map(&mut self, capacity: usize) -> Result<(), BuildError> {
        self.slab = Slab::map(capacity, self.size, self.terms)?.map(Arc::new);
        Ok(())
    }

    fn create(&self) -> MmapBlock {
        self.create_mapped().unwrap_or_else(|| MmapBlock::on_heap(vec![0; self.size]))
    }

    /// As `create`, but with an error where the heap has no memory either.
    fn try_create(&self) -> io::Result<MmapBlock> {
        match self.create_mapped() {
            Some(block) => Ok(block),
            None => byte_source::zeroed(self.size).map(MmapBlock::on_heap),
        }
    }

    /// Takes a slot, or else maps; `None` if the system refuses that.
    fn create_mapped(&self) -> Option<MmapBlock> {
        let slot = self.slab.as_ref().and_then(Slab::claim).map(MmapBlock::in_slab);
        slot.or_else(|| self.terms.map(self.size).ok().map(|map| self.own(map)))
    }

    fn own(&self, map: memmap2::MmapMut) -> MmapBlock {
        let locked = self.terms.lock && mapping::lock(&map).is_ok();
        MmapBlock::own(map, locked)
    }

    /// Whether a block may stay: one of the pool's slots always, any other of the same size while
    /// no slot is free. Unlocked memory never stays in a pool that locks.
    #[inline]
    fn is_fit(&self, block: &MmapBlock) -> bool {
        match (block.slot(), &self.slab) {
            (Some(slot), Some(slab)) => slot.is_of(slab),
            // Of another pool, whose whole mapping it would keep.
            (Some(_), None) => false,
            (None, slab) => {
                block.size() == self.size
                    && block.is_locked() >= self.terms.lock
                    && !slab.as_ref().is_some_and(|slab| slab.has_free())
            }
        }
    }

    /// Gives a block that comes back its length again.
    #[inline]
    fn restore(&self, block: &mut MmapBlock) {
        block.restore();
        self.on_return.treat_slice(block);
    }

    /// Wipes a block that is dropped, where the pool wipes. Slots and mappings read as 0 again in
    /// any case; this is for what else may see the memory before.
    fn wipe(&self, block: &mut MmapBlock) {
        self.restore(block);
    }
}

impl Builder<MmapBytePool> {
    /// Sets whether memory is handed out to the pool by the kernel when it is mapped, instead of
    /// page by page when it is first written to.
    ///
    /// By default off. What a trim gave back comes page by page again. A wish: no error where the
    /// system cannot (only Linux and FreeBSD can).
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::builder(4, 4096).populate(true).build()?;
    /// assert_eq!(pool.get()[..4], [0; 4]); // without a page fault
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn populate(self, on: bool) -> Self {
        self.configure(|config| config.terms.populate = on)
    }

    /// Sets whether the kernel is asked for huge pages, which cost fewer faults and less address
    /// translation where blocks are large: writing to 16 MiB for the first time took a tenth of
    /// the time.
    ///
    /// By default off. A wish: no error where the system has none (only Linux has).
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::builder(4, 4 << 20).huge_pages(true).build()?;
    /// assert_eq!(pool.get().len(), 4 << 20);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn huge_pages(self, on: bool) -> Self {
        self.configure(|config| config.terms.huge_pages = on)
    }

    /// Sets whether memory is locked, so that it is never swapped out.
    ///
    /// By default off. All of the mapping is then in memory from the start, and a trim does not
    /// give it back. Building fails where the system does not allow that much locked memory. A
    /// block beyond the capacity that cannot be locked is handed out all the same, and
    /// [`is_locked`](MmapByteRef::is_locked) tells; the pool does not keep it.
    ///
    /// # Examples
    ///
    /// ```
    /// // Where the system allows a process to lock memory.
    /// if let Ok(pool) = bp::MmapBytePool::builder(1, 4096).lock(true).build() {
    ///     assert!(pool.get().is_locked());
    /// }
    /// ```
    pub fn lock(self, on: bool) -> Self {
        self.configure(|config| config.terms.lock = on)
    }

    /// Sets what becomes of the contents of a block that is returned.
    ///
    /// By default they stay, and the next user sees them.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MmapBytePool, OnReturn};
    ///
    /// let pool = MmapBytePool::builder(8, 16).on_return(OnReturn::Zero).build()?;
    /// pool.get().copy_from_slice(b"secret of a user");
    /// assert_eq!(*pool.get(), [0; 16]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.configure(|config| config.on_return = on_return)
    }
}

impl MmapByteRef {
    /// Returns whether the block lies in a mapping; if not, the system refused one and the block
    /// is on the heap.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(1, 4096)?;
    /// let (kept, beyond) = (pool.get(), pool.get());
    /// assert!(kept.is_mapped() && beyond.is_mapped());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_mapped(&self) -> bool {
        self.__guard.is_mapped()
    }

    /// Returns whether the block is locked into memory, as [`lock`](Builder::lock) asks for.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(1, 4096)?;
    /// assert!(!pool.get().is_locked());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_locked(&self) -> bool {
        self.__guard.is_locked()
    }

    /// Shortens what the guard shows to `len` bytes, for code that takes the whole of it.
    ///
    /// Does nothing if it is shorter already. The block has its full length again, with what was
    /// cut off, when it comes back from the pool.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{MmapBytePool, MmapByteRef};
    ///
    /// let pool = MmapBytePool::new(8, 4096)?;
    /// let mut block = pool.get();
    /// MmapByteRef::truncate(&mut block, 5);
    /// assert_eq!(block.len(), 5);
    /// # drop(block);
    /// # assert_eq!(pool.get().len(), 4096);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn truncate(this: &mut Self, len: usize) {
        this.__guard.truncate(len);
    }
}

/// Blocks of up to the pool's size, shortened to the length asked for; longer ones are refused.
impl ByteSource for MmapBytePool {
    type Buf = MmapByteRef;

    fn bytes(&self, len: usize) -> io::Result<MmapByteRef> {
        let size = self.config().size();
        if len > size {
            return Err(byte_source::too_long(len, size));
        }
        let mut block = self.try_get_with(|| self.config().try_create())?;
        MmapByteRef::truncate(&mut block, len);
        Ok(block)
    }
}

impl AsRef<[u8]> for MmapByteRef {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl AsMut<[u8]> for MmapByteRef {
    fn as_mut(&mut self) -> &mut [u8] {
        self
    }
}
