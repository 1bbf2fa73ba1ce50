//! Why a writer does not give its sink or its buffer back, with all that it held.

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::io;

use crate::ByteRef;

/// A writer that could not be taken apart, since its buffered bytes could not be written.
///
/// Has the writer, which still holds those bytes, and the error; as
/// [`std::io::IntoInnerError`], which cannot be made outside of std.
///
/// # Examples
///
/// ```
/// use std::io::Write;
///
/// let pool = bp::BufioWriterPool::new(8);
/// let mut tiny = [0; 4];
/// let mut writer = pool.get(&mut tiny[..]);
/// writer.write_all(b"too long for it")?;
///
/// let failed = writer.finish().unwrap_err();
/// assert_eq!(failed.error().kind(), std::io::ErrorKind::WriteZero);
/// let writer = failed.into_inner();
/// assert_eq!(writer.buffer(), b"long for it");
/// writer.abandon();
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct IntoInnerError<W> {
    writer: W,
    error: io::Error,
}

impl<W> IntoInnerError<W> {
    pub(super) fn new(writer: W, error: io::Error) -> Self {
        IntoInnerError { writer, error }
    }

    /// Returns the error of the sink.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{ErrorKind, Write};
    ///
    /// let pool = bp::BufioWriterPool::new(8);
    /// let mut tiny = [0; 4];
    /// let mut writer = pool.get(&mut tiny[..]);
    /// writer.write_all(b"too long")?;
    /// let failed = writer.finish().unwrap_err();
    /// assert_eq!(failed.error().kind(), ErrorKind::WriteZero);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn error(&self) -> &io::Error {
        &self.error
    }

    /// Returns the writer, to try again or to [`abandon`](crate::BufioWriterRef::abandon).
    ///
    /// Dropping it tries once more to write what it holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(8);
    /// let mut tiny = [0; 4];
    /// let mut writer = pool.get(&mut tiny[..]);
    /// writer.write_all(b"too long")?;
    /// let failed = writer.finish().unwrap_err();
    /// assert_eq!(failed.into_inner().abandon().len(), 0); // no room is left in `tiny`
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> W {
        self.writer
    }

    /// Returns the error of the sink, and drops the writer.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{ErrorKind, Write};
    ///
    /// let pool = bp::BufioWriterPool::new(8);
    /// let mut tiny = [0; 4];
    /// let mut writer = pool.get(&mut tiny[..]);
    /// writer.write_all(b"too long")?;
    /// let failed = writer.finish().unwrap_err();
    /// assert_eq!(failed.into_error().kind(), ErrorKind::WriteZero);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_error(self) -> io::Error {
        self.error
    }

    /// Returns the error and the writer.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{ErrorKind, Write};
    ///
    /// let pool = bp::BufioWriterPool::new(8);
    /// let mut tiny = [0; 4];
    /// let mut writer = pool.get(&mut tiny[..]);
    /// writer.write_all(b"too long")?;
    /// let failed = writer.finish().unwrap_err();
    /// let (error, writer) = failed.into_parts();
    /// assert_eq!((error.kind(), writer.buffer()), (ErrorKind::WriteZero, &b"long"[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_parts(self) -> (io::Error, W) {
        (self.error, self.writer)
    }
}

impl<W> From<IntoInnerError<W>> for io::Error {
    fn from(failed: IntoInnerError<W>) -> io::Error {
        failed.error
    }
}

/// Does not ask for `W: Debug`, so that any result of a `finish` can be unwrapped.
impl<W> Debug for IntoInnerError<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoInnerError").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<W> Display for IntoInnerError<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.error, f)
    }
}

impl<W> Error for IntoInnerError<W> {}

/// The buffered bytes of a writer whose sink panicked: some of them may have been written.
///
/// # Examples
///
/// ```
/// use std::io::{self, Write};
/// use std::panic::{AssertUnwindSafe, catch_unwind};
///
/// struct Broken;
///
/// impl Write for Broken {
///     fn write(&mut self, _: &[u8]) -> io::Result<usize> {
///         panic!("broken")
///     }
///
///     fn flush(&mut self) -> io::Result<()> {
///         Ok(())
///     }
/// }
///
/// let pool = bp::BufioWriterPool::new(8);
/// let mut writer = pool.get(Broken);
/// writer.write_all(b"perhaps written")?;
/// assert!(catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err());
///
/// let (_sink, unsent) = writer.into_parts();
/// let panicked = unsent.unwrap_err();
/// assert_eq!(*panicked.into_inner(), *b"perhaps written");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct WriterPanicked {
    buffer: ByteRef,
}

impl WriterPanicked {
    pub(super) fn new(buffer: ByteRef) -> Self {
        WriterPanicked { buffer }
    }

    /// Returns the bytes. Which of them reached the sink is not known.
    ///
    /// # Examples
    ///
    /// See [`WriterPanicked`].
    pub fn into_inner(self) -> ByteRef {
        self.buffer
    }
}

impl Debug for WriterPanicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriterPanicked").field("len", &self.buffer.len()).finish()
    }
}

impl Display for WriterPanicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sink panicked, and what of the buffer it wrote is not known")
    }
}

impl Error for WriterPanicked {}
