//! `BytePool`: byte blocks of one fixed size, always initialised.

use std::io;

use super::on_return::OnReturn;
use super::size::{DEFAULT_FACTOR, check_factor, check_size, scaled};
use crate::Builder;
use crate::byte_source::{self, ByteSource};

crate::pool! {
    /// Keeps byte blocks of one size: what a read wants to be given, without zeroing it each time.
    ///
    /// The guard derefs to `[u8]` of exactly `size` bytes. A block is zeroed once, when it is
    /// created; after that it shows what its last user left, unless the builder says
    /// [`on_return(OnReturn::Zero)`](Builder::on_return). Safe code cannot read into memory
    /// that is not initialised, so this is where a pool pays most: 64 KiB cost 0.4 µs to allocate
    /// and zero.
    ///
    /// The object is a `Vec<u8>`: [`take`](Self::take) hands one out, and [`put`](Self::put)
    /// stores any whose capacity is from `size` to the maximum, 1.25 times the size by default.
    ///
    /// # Panics
    ///
    /// `new` panics if the size is 0 or more than `isize::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// let pool = bp::BytePool::new(64, 4096);
    /// let mut block = pool.get();
    /// let n = "from a socket".as_bytes().read(&mut block)?;
    /// assert_eq!(&block[..n], b"from a socket");
    /// assert_eq!(block.len(), 4096);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub struct BytePool(Vec<u8>) -> ByteRef: [u8] {
        config: ByteConfig,
        new: |size: usize| ByteConfig::new(size),
        check: |config| check_size(config.size),
        create: |config| vec![0; config.size],
        reset: |block, config| config.restore(block),
        keep: |block, config| (config.size..=config.max).contains(&block.capacity()),
        dispose: |block, config| config.on_return.treat(block),
        measure: |block| (block.len(), block.capacity()),
    }
}

/// What the blocks of a [`BytePool`] share.
///
/// # Examples
///
/// ```
/// let pool = bp::BytePool::new(8, 1000);
/// assert_eq!((pool.config().size(), pool.config().max_size()), (1000, 1250));
/// ```
#[derive(Clone, Debug)]
pub struct ByteConfig {
    size: usize,
    /// The largest capacity that is kept; at least `size`.
    max: usize,
    on_return: OnReturn,
    /// Whether a block that comes back gets its length again; not where each get sets it.
    restores: bool,
}

impl ByteConfig {
    pub(super) fn new(size: usize) -> Self {
        ByteConfig {
            size,
            max: scaled(size, DEFAULT_FACTOR),
            on_return: OnReturn::Leave,
            restores: true,
        }
    }

    /// Returns the length of every block.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BytePool::new(8, 64);
    /// assert_eq!(pool.get().len(), pool.config().size());
    /// ```
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the largest capacity of a block that is kept.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BytePool::new(8, 1000);
    /// assert!(pool.put(Vec::with_capacity(pool.config().max_size())).is_ok());
    /// assert!(pool.put(Vec::with_capacity(2000)).is_err());
    /// ```
    pub fn max_size(&self) -> usize {
        self.max
    }

    /// Lets blocks come back as long as they are, for a pool whose every get sets the length.
    /// Filling the tail of each on return would cost as much as zeroing it on each get.
    pub(super) fn leave_length(&mut self) {
        self.restores = false;
    }

    /// Changes the size, and the limit with it.
    pub(super) fn resize(&mut self, size: usize) {
        self.size = size;
        self.max = scaled(size, DEFAULT_FACTOR);
    }

    pub(super) fn treat_on_return(&mut self, on_return: OnReturn) {
        self.on_return = on_return;
    }

    /// Gives a block that comes back its length again.
    #[inline]
    fn restore(&self, block: &mut Vec<u8>) {
        self.on_return.treat(block);
        if block.len() != self.size {
            self.refill(block);
        }
    }

    /// Fills what a shorter block lacks. Not worth `unsafe`: nothing tells a tail that was
    /// initialised before from one of a foreign `Vec` that never was.
    #[cold]
    fn refill(&self, block: &mut Vec<u8>) {
        if self.restores {
            block.resize(self.size, 0);
        }
    }
}

impl Builder<BytePool> {
    /// Sets how many times the size a block's capacity may be that is kept.
    ///
    /// By default 1.25. Must be finite and at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BytePool::builder(8, 1024).max_size_factor(2.0).build()?;
    /// assert_eq!(pool.config().max_size(), 2048);
    /// pool.put(Vec::with_capacity(1500)).expect("room and fit");
    /// assert_eq!(pool.get().len(), 1024);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn max_size_factor(self, factor: f64) -> Self {
        match check_factor(factor) {
            Ok(()) => self.configure(|config| config.max = scaled(config.size, factor)),
            Err(error) => self.refuse(error),
        }
    }

    /// Sets what becomes of the contents of a block that is returned.
    ///
    /// By default they stay, and the next user sees them.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{BytePool, OnReturn};
    ///
    /// let pool = BytePool::builder(8, 16).on_return(OnReturn::Zero).build()?;
    /// pool.get().copy_from_slice(b"secret of a user");
    /// assert_eq!(*pool.get(), [0; 16]);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.configure(|config| config.treat_on_return(on_return))
    }
}

impl ByteRef {
    /// Shortens what the guard shows to `len` bytes, for code that takes the whole of it.
    ///
    /// Does nothing if it is shorter already. The block has its full length again when it comes
    /// back from the pool; what was cut off then reads as 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{BytePool, ByteRef};
    ///
    /// let pool = BytePool::new(8, 4096);
    /// let mut block = pool.get();
    /// ByteRef::truncate(&mut block, 5);
    /// assert_eq!(block.len(), 5);
    /// # drop(block);
    /// # assert_eq!(pool.get().len(), 4096);
    /// ```
    pub fn truncate(this: &mut Self, len: usize) {
        this.__guard.truncate(len);
    }
}

/// Blocks of up to the pool's size; what is longer is refused.
///
/// A shorter block is filled with 0 to the pool's size when it comes back, as after
/// [`ByteRef::truncate`]. Where lengths vary much, a [`MultiBytePool`](crate::MultiBytePool) has
/// less to fill.
impl ByteSource for BytePool {
    type Buf = ByteRef;

    fn bytes(&self, len: usize) -> io::Result<ByteRef> {
        let size = self.config().size;
        if len > size {
            return Err(byte_source::too_long(len, size));
        }
        let mut block = self.try_get_with(|| byte_source::zeroed(size))?;
        ByteRef::truncate(&mut block, len);
        Ok(block)
    }
}

impl AsRef<[u8]> for ByteRef {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl AsMut<[u8]> for ByteRef {
    fn as_mut(&mut self) -> &mut [u8] {
        self
    }
}
