//! `ByteSource`: where code that reads messages gets memory for them, pooled or not.

use std::io;
use std::ops::DerefMut;
use std::sync::{Arc, LazyLock};

/// Gives out byte blocks of exactly the length asked for; for parsers of all kinds, whose lengths
/// are chosen by the other side.
///
/// Taken as a parameter, it leaves to the caller whether values are allocated or pooled:
/// implemented by [`Heap`], by the byte pools, and by references to them. Dropping a block is the
/// way back.
///
/// A length that comes from the outside is to be checked before it costs anything: a
/// [`BytePool`](crate::BytePool) refuses what is larger than its blocks, and
/// [`limited`](Self::limited) puts a limit on any other source. Where memory is refused all the
/// same, the sources here return an error, they do not abort.
///
/// # Examples
///
/// ```
/// use std::io::{self, Read};
///
/// use bp::{ByteSource, Heap, MultiBytePool};
///
/// /// Reads a frame: its length in four bytes, then its contents.
/// fn read_frame<S: ByteSource>(stream: &mut impl Read, memory: &S) -> io::Result<S::Buf> {
///     let mut length = [0; 4];
///     stream.read_exact(&mut length)?;
///     let mut frame = memory.bytes(u32::from_be_bytes(length) as usize)?;
///     stream.read_exact(&mut frame)?;
///     Ok(frame)
/// }
///
/// let wire = b"\0\0\0\x05hello";
/// let frame: Vec<u8> = read_frame(&mut &wire[..], &Heap)?;
/// assert_eq!(frame, b"hello");
///
/// let pool = MultiBytePool::builder().class(64, 4096).class(8, 65_536).build()?;
/// let memory = pool.limited(1 << 20);
/// let frame = read_frame(&mut &wire[..], &memory)?;
/// assert_eq!(*frame, *b"hello");
///
/// let hostile = b"\xff\xff\xff\xff";
/// let error = read_frame(&mut &hostile[..], &memory).unwrap_err();
/// assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ByteSource {
    /// A block, which owns its memory and knows its way back.
    type Buf: DerefMut<Target = [u8]>;

    /// Returns a block of exactly `len` bytes, 0 allowed. They are initialised, though not
    /// always to 0: pools show what an earlier user left.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) for a length that the source never gives
    /// out, before any memory is asked for; [`OutOfMemory`](io::ErrorKind::OutOfMemory) where
    /// there is none.
    fn bytes(&self, len: usize) -> io::Result<Self::Buf>;

    /// Refuses lengths above `max` before they reach this source.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ByteSource, BytePool};
    ///
    /// let source = BytePool::new(8, 64 * 1024).limited(1500);
    /// assert_eq!(source.bytes(1500)?.len(), 1500);
    /// assert!(source.bytes(1501).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn limited(self, max: usize) -> Limited<Self>
    where
        Self: Sized,
    {
        Limited { source: self, max }
    }
}

/// The source that allocates each block, and whose blocks are plain `Vec`s; for callers that keep
/// what they read, and to compare with.
///
/// # Examples
///
/// ```
/// use bp::{ByteSource, Heap};
///
/// let block: Vec<u8> = Heap.bytes(3)?;
/// assert_eq!(block, [0, 0, 0]);
/// assert!(Heap.bytes(usize::MAX).is_err()); // and no abort
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heap;

impl ByteSource for Heap {
    type Buf = Vec<u8>;

    fn bytes(&self, len: usize) -> io::Result<Vec<u8>> {
        zeroed(len)
    }
}

/// A source that refuses what is longer than a limit; see [`ByteSource::limited`].
///
/// # Examples
///
/// ```
/// use bp::{ByteSource, Heap, Limited};
///
/// let source: Limited<Heap> = Heap.limited(1500);
/// assert!(source.bytes(1500).is_ok());
/// assert!(source.bytes(1501).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limited<S> {
    source: S,
    max: usize,
}

impl<S: ByteSource> ByteSource for Limited<S> {
    type Buf = S::Buf;

    fn bytes(&self, len: usize) -> io::Result<S::Buf> {
        if len > self.max {
            return Err(too_long(len, self.max));
        }
        self.source.bytes(len)
    }
}

impl<S: ByteSource + ?Sized> ByteSource for &S {
    type Buf = S::Buf;

    fn bytes(&self, len: usize) -> io::Result<S::Buf> {
        (**self).bytes(len)
    }
}

impl<S: ByteSource + ?Sized> ByteSource for Arc<S> {
    type Buf = S::Buf;

    fn bytes(&self, len: usize) -> io::Result<S::Buf> {
        (**self).bytes(len)
    }
}

/// A process-wide pool is one; `&POOL` does not turn into `&impl ByteSource` by itself.
impl<S: ByteSource, F: FnOnce() -> S> ByteSource for LazyLock<S, F> {
    type Buf = S::Buf;

    fn bytes(&self, len: usize) -> io::Result<S::Buf> {
        (**self).bytes(len)
    }
}

/// Allocates without aborting where there is no memory.
pub(crate) fn zeroed(len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len)?;
    bytes.resize(len, 0);
    Ok(bytes)
}

/// The error for a length that a source never gives out.
pub(crate) fn too_long(len: usize, max: usize) -> io::Error {
    let message = format!("{len} bytes were asked for, {max} are the most there may be");
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
