//! `BufferPool`: buffers that grow, handed out empty.

use std::io::{self, Write};

use super::on_return::OnReturn;
use super::size::{DEFAULT_FACTOR, check_factor, check_size, scaled};
use crate::Builder;

crate::pool! {
    /// Keeps buffers that grow: for building a message, collecting a body, formatting a line.
    ///
    /// The guard derefs to an empty `Vec<u8>` of at least `size` bytes of capacity, and is an
    /// [`io::Write`].
    ///
    /// A buffer that grew beyond the maximum, 1.25 times the size by default, is dropped on
    /// return, so that one large message does not stay in memory for ever. Where every message is
    /// large that would drop each of them: raise [`max_size_factor`](Builder::max_size_factor), or
    /// let the pool [retain by use](Builder::retain_by_use). A buffer that shrank below the size is
    /// dropped too, unless [`auto_grow`](Builder::auto_grow) is on.
    ///
    /// # Panics
    ///
    /// `new` panics if the size is 0 or more than `isize::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufferPool::new(64, 1024);
    /// let mut reply = pool.get();
    /// write!(reply, "HTTP/1.1 {} {}\r\n\r\n", 204, "No Content")?;
    /// assert!(reply.starts_with(b"HTTP/1.1 204"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub struct BufferPool(Vec<u8>) -> BufferRef {
        config: BufferConfig,
        new: |size: usize| BufferConfig::new(size),
        check: |config| check_size(config.size),
        create: |config| Vec::with_capacity(config.size),
        reset: |buffer, config| config.empty(buffer),
        keep: |buffer, config| config.is_fit(buffer),
        dispose: |buffer, config| config.on_return.treat(buffer),
        measure: |buffer| (buffer.len(), buffer.capacity()),
        limit: |config| config.max,
    }
}

/// What the buffers of a [`BufferPool`] share.
///
/// # Examples
///
/// ```
/// let pool = bp::BufferPool::builder(8, 1000).max_size_factor(4.0).build()?;
/// assert_eq!((pool.config().size(), pool.config().max_size()), (1000, 4000));
/// # Ok::<(), bp::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BufferConfig {
    size: usize,
    /// The largest capacity that is kept; at least `size`.
    max: usize,
    /// The least capacity that is kept: `size`, or 0 where buffers grow again.
    least_kept: usize,
    /// The largest capacity that is kept, whatever else: `max` where the user set it, so that it
    /// holds beside retention by use too.
    most_kept: usize,
    on_return: OnReturn,
    /// Whether emptying a buffer that is kept takes more than forgetting its contents.
    with_care: bool,
}

impl BufferConfig {
    pub(super) fn new(size: usize) -> Self {
        BufferConfig {
            size,
            max: scaled(size, DEFAULT_FACTOR),
            least_kept: size,
            most_kept: usize::MAX,
            on_return: OnReturn::Leave,
            with_care: false,
        }
    }

    /// Returns the least capacity of a buffer from [`BufferPool::get`].
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::BufferPool::new(8, 64).config().size(), 64);
    /// ```
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the largest capacity of a buffer that is kept. Unless the builder set it,
    /// retention by use takes its place.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::BufferPool::new(8, 1000).config().max_size(), 1250);
    /// ```
    pub fn max_size(&self) -> usize {
        self.max
    }

    /// Limits what is kept to `factor` times the size, also beside retention by use.
    pub(super) fn limit_to(&mut self, factor: f64) {
        self.max = scaled(self.size, factor);
        self.most_kept = self.max;
    }

    pub(super) fn treat_on_return(&mut self, on_return: OnReturn) {
        self.on_return = on_return;
        self.weigh();
    }

    /// Sets whether buffers smaller than the size are kept, to grow to it.
    fn grow_again(&mut self, on: bool) {
        self.least_kept = if on { 0 } else { self.size };
        self.weigh();
    }

    fn weigh(&mut self) {
        self.with_care = self.on_return != OnReturn::Leave || self.least_kept < self.size;
    }

    #[inline]
    fn is_fit(&self, buffer: &Vec<u8>) -> bool {
        (self.least_kept..=self.most_kept).contains(&buffer.capacity())
    }

    #[inline]
    fn empty(&self, buffer: &mut Vec<u8>) {
        if self.with_care {
            self.empty_with_care(buffer);
        } else {
            buffer.clear();
        }
    }

    #[cold]
    fn empty_with_care(&self, buffer: &mut Vec<u8>) {
        self.on_return.treat(buffer);
        buffer.clear();
        // After the emptying, so that no content adds to it. Not past the maximum, which is at
        // least the size.
        buffer.reserve_exact(self.size);
    }
}

impl Builder<BufferPool> {
    /// Sets how many times the size a buffer's capacity may be that is kept.
    ///
    /// By default 1.25. Must be finite and at least 1. With
    /// [`retain_by_use`](Builder::retain_by_use) the default does not count, a factor set here
    /// does.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::builder(8, 1024).max_size_factor(4.0).build()?;
    /// pool.get().reserve(4096);
    /// pool.get().reserve(5000); // the same buffer, now beyond the maximum
    /// assert_eq!((pool.stats().hits, pool.stats().discarded_unfit), (1, 1));
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn max_size_factor(self, factor: f64) -> Self {
        match check_factor(factor) {
            Ok(()) => self.configure(|config| config.limit_to(factor)),
            Err(error) => self.refuse(error),
        }
    }

    /// Sets whether buffers that come back smaller than the size grow to it and stay, instead of
    /// being dropped.
    ///
    /// By default off. A guard's buffer is smaller when it was swapped for another or shrunk, or
    /// when a small one is [`put`](BufferPool::put).
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BufferPool::builder(8, 1024).auto_grow(true).build()?;
    /// pool.put(b"small".to_vec()).expect("room and fit");
    /// assert!(pool.get().capacity() >= 1024);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn auto_grow(self, on: bool) -> Self {
        self.configure(|config| config.grow_again(on))
    }

    /// Sets what becomes of the contents of a buffer that is returned.
    ///
    /// By default they stay in memory, where no user sees them, as the buffer is emptied.
    ///
    /// # Examples
    ///
    /// See [`OnReturn`].
    pub fn on_return(self, on_return: OnReturn) -> Self {
        self.configure(|config| config.treat_on_return(on_return))
    }
}

/// Appends, as `Vec<u8>` does; never fails.
impl Write for BufferRef {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn write_vectored(&mut self, slices: &[io::IoSlice<'_>]) -> io::Result<usize> {
        Write::write_vectored(&mut **self, slices)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsRef<[u8]> for BufferRef {
    fn as_ref(&self) -> &[u8] {
        self
    }
}
