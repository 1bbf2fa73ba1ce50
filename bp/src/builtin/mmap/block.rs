//! `MmapBlock`, the object of the pool: bytes, and where they are.

use std::fmt::{self, Debug};
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use super::slab::Slot;

/// A block of a [`MmapBytePool`](crate::MmapBytePool), on its own: what
/// [`take`](crate::MmapBytePool::take) and [`detach`](crate::MmapByteRef::detach) hand out.
///
/// Derefs to `[u8]`. The bytes stay where they are when the block is moved. Dropping it gives its
/// memory back to the system, and its place in the mapping back to the pool. As long as it exists,
/// so does the mapping of its pool.
///
/// # Examples
///
/// ```
/// let pool = bp::MmapBytePool::new(8, 4096)?;
/// let mut block = pool.take();
/// block.fill(7);
/// assert!(pool.put(block).is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct MmapBlock {
    /// At most the size.
    len: usize,
    memory: Memory,
}

enum Memory {
    Slot(Slot),
    Own { map: MmapMut, locked: bool },
    Heap(Box<[u8]>),
}

impl MmapBlock {
    pub(super) fn in_slab(slot: Slot) -> Self {
        MmapBlock { len: slot.len(), memory: Memory::Slot(slot) }
    }

    pub(super) fn own(map: MmapMut, locked: bool) -> Self {
        MmapBlock { len: map.len(), memory: Memory::Own { map, locked } }
    }

    pub(super) fn on_heap(bytes: Vec<u8>) -> Self {
        MmapBlock { len: bytes.len(), memory: Memory::Heap(bytes.into_boxed_slice()) }
    }

    #[inline]
    pub(super) fn slot(&self) -> Option<&Slot> {
        match &self.memory {
            Memory::Slot(slot) => Some(slot),
            _ => None,
        }
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        match &self.memory {
            Memory::Slot(slot) => slot,
            Memory::Own { map, .. } => map,
            Memory::Heap(bytes) => bytes,
        }
    }

    #[inline]
    fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.memory {
            Memory::Slot(slot) => slot,
            Memory::Own { map, .. } => map,
            Memory::Heap(bytes) => bytes,
        }
    }

    /// Returns the size of the blocks of its pool: its length, unless it was shortened.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(8, 4096)?;
    /// let mut block = pool.take();
    /// block.truncate(100);
    /// assert_eq!((block.len(), block.size()), (100, 4096));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn size(&self) -> usize {
        self.bytes().len()
    }

    /// Shortens the block to `len` bytes, until it goes back to a pool.
    ///
    /// Does nothing if it is shorter already.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(8, 4096)?;
    /// let mut block = pool.take();
    /// block.truncate(100);
    /// assert_eq!(block.len(), 100);
    /// assert!(pool.put(block).is_ok());
    /// assert_eq!(pool.take().len(), 4096); // the same block
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Gives the block a length of up to its size. All of its memory is initialised, always, so
    /// nothing needs to be filled.
    ///
    /// # Panics
    ///
    /// Panics for a length above the size: a block cannot grow.
    #[inline]
    pub(super) fn set_len(&mut self, len: usize) {
        let size = self.size();
        assert!(len <= size, "{len} bytes were asked for, but the block has {size}");
        self.len = len;
    }

    /// Gives the block its full length again.
    #[inline]
    pub(super) fn restore(&mut self) {
        self.len = self.size();
    }

    /// Returns whether the block lies in a mapping; if not, it is on the heap.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(8, 4096)?;
    /// let block = pool.take();
    /// assert!(block.is_mapped());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_mapped(&self) -> bool {
        !matches!(self.memory, Memory::Heap(_))
    }

    /// Returns whether the block is locked into memory.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::MmapBytePool::new(8, 4096)?;
    /// let block = pool.take();
    /// assert!(!block.is_locked()); // the builder's `lock` asks for it
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_locked(&self) -> bool {
        match &self.memory {
            Memory::Slot(slot) => slot.is_locked(),
            Memory::Own { locked, .. } => *locked,
            Memory::Heap(_) => false,
        }
    }
}

impl Deref for MmapBlock {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes()[..self.len]
    }
}

impl DerefMut for MmapBlock {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        let len = self.len;
        &mut self.bytes_mut()[..len]
    }
}

impl AsRef<[u8]> for MmapBlock {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl AsMut<[u8]> for MmapBlock {
    fn as_mut(&mut self) -> &mut [u8] {
        self
    }
}

/// Shows what the block is, not its bytes.
impl Debug for MmapBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MmapBlock")
            .field("len", &self.len)
            .field("size", &self.size())
            .field("is_mapped", &self.is_mapped())
            .finish_non_exhaustive()
    }
}
