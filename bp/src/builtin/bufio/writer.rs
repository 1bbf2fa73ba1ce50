//! `BufioWriterPool` and its writers: buffered `Write` for any sink, with a pooled buffer.

use std::fmt::{self, Debug};
use std::io::{self, IoSlice, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::ptr;

use super::error::{IntoInnerError, WriterPanicked};
use crate::ByteRef;
use crate::builtin::claim::moved;

bufio_pool! {
    /// Keeps the buffers of buffered writers, for sinks of every type.
    ///
    /// [`get`](Self::get) puts a buffer around a sink, owned or borrowed, as
    /// [`BufWriter::new`](std::io::BufWriter::new) does. The [`BufioWriterRef`] writes out what it
    /// holds when it is dropped; [`finish`](BufioWriterRef::finish) does so too and tells of
    /// errors. The buffer goes back either way, and nothing of one sink, neither bytes nor
    /// errors, reaches the next.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// for number in 1..=3 {
    ///     writeln!(writer, "line {number}")?;
    /// }
    /// let text: Vec<u8> = writer.finish()?;
    /// assert_eq!(text, b"line 1\nline 2\nline 3\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    BufioWriterPool
}

impl BufioWriterPool {
    /// Puts a buffer around a sink: an idle one, or a new one if none is idle.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut reply = Vec::new();
    /// pool.get(&mut reply).write_all(b"pong")?; // written out when the guard is dropped
    /// assert_eq!(reply, b"pong");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn get<W: Write>(&self, writer: W) -> BufioWriterRef<W> {
        BufioWriterRef { block: self.blocks.get(), len: 0, panicked: false, inner: writer }
    }
}

/// A buffered writer from a [`BufioWriterPool`], whose buffer goes back when it is dropped.
///
/// Does what [`std::io::BufWriter`] does, in the same way: what is at least as long as the buffer
/// goes around it, in order.
///
/// On drop it writes what it holds to the sink, and ignores errors; [`finish`](Self::finish) tells
/// of them, and [`abandon`](Self::abandon) does not write. After a panic of the sink a drop does
/// not write either, as bytes could be written twice. A sink that claims to have written more
/// bytes than it was given gets an error of kind [`InvalidData`](io::ErrorKind::InvalidData), and
/// those that it was given count as written; only in a [`write_all`](Write::write_all) around the
/// buffer, which the sink does itself, is that left to the sink.
///
/// # Examples
///
/// ```
/// use std::io::Write;
///
/// let pool = bp::BufioWriterPool::new(16);
/// let mut reply = Vec::new();
/// let mut writer = pool.get(&mut reply);
/// writer.write_all(b"po")?;
/// writer.write_all(b"ng")?;
/// drop(writer); // one write to the sink
/// assert_eq!(reply, b"pong");
/// assert_eq!(pool.len(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use = "dropping a writer returns its buffer to the pool at once"]
pub struct BufioWriterRef<W: Write + ?Sized> {
    block: ByteRef,
    /// How many bytes of the block wait to be written; at most `block.len()`.
    len: usize,
    /// Whether the sink panicked in its last call: it may have written any part of what it was
    /// given.
    panicked: bool,
    inner: W,
}

impl<W: Write + ?Sized> BufioWriterRef<W> {
    /// Returns the sink.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// writer.write_all(b"pong")?;
    /// assert!(writer.get_ref().is_empty()); // not written out yet
    /// writer.flush()?;
    /// assert_eq!(writer.get_ref(), b"pong");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns the sink. Writing to it overtakes what is buffered.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// writer.write_all(b"pong")?;
    /// writer.get_mut().extend(b"ping "); // overtakes
    /// assert_eq!(writer.finish()?, b"ping pong");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns what waits to be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// writer.write_all(b"pong")?;
    /// assert_eq!(writer.buffer(), b"pong");
    /// writer.flush()?;
    /// assert_eq!(writer.buffer(), b"");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn buffer(&self) -> &[u8] {
        &self.block[..self.len]
    }

    /// Returns how many bytes wait at most.
    ///
    /// # Examples
    ///
    /// ```
    /// let writer = bp::BufioWriterPool::with_size(16, 512).get(std::io::sink());
    /// assert_eq!(writer.capacity(), 512);
    /// ```
    pub fn capacity(&self) -> usize {
        self.block.len()
    }

    /// Writes out what is buffered, flushes the sink and returns it.
    ///
    /// The way to end that tells of errors.
    ///
    /// # Errors
    ///
    /// The error of the sink and the writer itself, which holds what was not written: to try
    /// again, or to [`abandon`](Self::abandon).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut room = [0; 4];
    /// let mut writer = pool.get(&mut room[..]);
    /// writer.write_all(b"too long")?; // is buffered
    /// let error = writer.finish().unwrap_err();
    /// assert_eq!(error.error().kind(), std::io::ErrorKind::WriteZero);
    /// assert_eq!(error.into_inner().buffer(), b"long"); // what was not written
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<W, IntoInnerError<Self>>
    where
        W: Sized,
    {
        match self.flush() {
            Ok(()) => Ok(self.abandon()),
            Err(error) => Err(IntoInnerError::new(self, error)),
        }
    }

    /// Writes out what is buffered and returns the sink, without flushing that; as
    /// [`BufWriter::into_inner`](std::io::BufWriter::into_inner) does.
    ///
    /// # Errors
    ///
    /// As for [`finish`](Self::finish).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// writer.write_all(b"pong")?;
    /// assert_eq!(writer.into_inner()?, b"pong");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> Result<W, IntoInnerError<Self>>
    where
        W: Sized,
    {
        match self.flush_buffer() {
            Ok(()) => Ok(self.abandon()),
            Err(error) => Err(IntoInnerError::new(self, error)),
        }
    }

    /// Returns the sink without writing to it. What is buffered is lost.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// writer.write_all(b"half a rep")?;
    /// assert_eq!(writer.abandon(), b"");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn abandon(self) -> W
    where
        W: Sized,
    {
        self.dismantle().0
    }

    /// Returns the sink without writing to it, and what was buffered.
    ///
    /// The bytes stay in the pooled buffer, which goes back when they are dropped.
    ///
    /// # Errors
    ///
    /// The bytes come as an error if the sink panicked: some of them may have been written.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let pool = bp::BufioWriterPool::new(16);
    /// let mut writer = pool.get(Vec::new());
    /// writer.write_all(b"unsent")?;
    /// let (sink, unsent) = writer.into_parts();
    /// assert_eq!((sink, &*unsent.expect("no panic")), (vec![], &b"unsent"[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_parts(self) -> (W, Result<ByteRef, WriterPanicked>)
    where
        W: Sized,
    {
        let (len, panicked) = (self.len, self.panicked);
        let (inner, mut block) = self.dismantle();
        ByteRef::truncate(&mut block, len);
        (inner, if panicked { Err(WriterPanicked::new(block)) } else { Ok(block) })
    }

    /// Takes the writer apart without running its `Drop`, which would write.
    fn dismantle(self) -> (W, ByteRef)
    where
        W: Sized,
    {
        let this = ManuallyDrop::new(self);
        // SAFETY: a valid field, read once: `this` is not used after this function, nor dropped.
        let inner = unsafe { ptr::read(&raw const this.inner) };
        // SAFETY: as above.
        let block = unsafe { ptr::read(&raw const this.block) };
        (inner, block)
    }

    /// Writes out what is buffered, without flushing the sink.
    fn flush_buffer(&mut self) -> io::Result<()> {
        let mut rest = Rest { block: &mut self.block, len: &mut self.len, written: 0 };
        while rest.written < *rest.len {
            let bytes = &rest.block[rest.written..*rest.len];
            self.panicked = true;
            let result = self.inner.write(bytes);
            self.panicked = false;
            match result {
                Ok(0) => return Err(wrote_nothing()),
                Ok(claimed) => {
                    let given = bytes.len();
                    rest.written += claimed.min(given);
                    moved(claimed, given)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Calls the sink, so that a panic in it is remembered.
    #[inline]
    fn call<T>(&mut self, call: impl FnOnce(&mut W) -> T) -> T {
        self.panicked = true;
        let result = call(&mut self.inner);
        self.panicked = false;
        result
    }

    #[inline]
    fn spare(&self) -> usize {
        self.block.len() - self.len
    }

    /// Appends to the buffer, which has room.
    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.block[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    /// Makes room for `len` bytes, and says whether they are to go there: what is as long as the
    /// buffer would gain nothing from it.
    fn make_room(&mut self, len: usize) -> io::Result<bool> {
        if len > self.spare() {
            self.flush_buffer()?;
        }
        Ok(len < self.capacity())
    }

    #[cold]
    #[inline(never)]
    fn write_cold(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.make_room(bytes.len())? {
            self.push(bytes);
            return Ok(bytes.len());
        }
        moved(self.call(|inner| inner.write(bytes))?, bytes.len())
    }

    #[cold]
    #[inline(never)]
    fn write_all_cold(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.make_room(bytes.len())? {
            self.push(bytes);
            return Ok(());
        }
        self.call(|inner| inner.write_all(bytes))
    }

    /// Writes as many slices as fit in the buffer, which has room for the first after a flush.
    fn push_in_turn(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut pushed = 0;
        for slice in slices {
            if slice.len() > self.spare() {
                if pushed > 0 {
                    // No flush for this one: its error would hide that others were taken.
                    break;
                }
                self.flush_buffer()?;
            }
            self.push(slice);
            pushed += slice.len();
        }
        Ok(pushed)
    }
}

/// What of a buffer is left while it is written out. Closes the gap at the front in the end, also
/// where the sink fails or panics, so that nothing is written twice.
struct Rest<'a> {
    block: &'a mut ByteRef,
    len: &'a mut usize,
    /// How many bytes at the front were written; at most `len`.
    written: usize,
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        if self.written < *self.len {
            self.block.copy_within(self.written..*self.len, 0);
        }
        *self.len -= self.written;
    }
}

#[cold]
fn wrote_nothing() -> io::Error {
    io::Error::new(io::ErrorKind::WriteZero, "failed to write the buffered data")
}

impl<W: Write + ?Sized> Write for BufioWriterRef<W> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Less than, so that a full buffer is the business of the rare path alone.
        if bytes.len() < self.spare() {
            self.push(bytes);
            Ok(bytes.len())
        } else {
            self.write_cold(bytes)
        }
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() < self.spare() {
            self.push(bytes);
            Ok(())
        } else {
            self.write_all_cold(bytes)
        }
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        let total = slices.iter().fold(0_usize, |total, slice| total.saturating_add(slice.len()));
        let capacity = self.capacity();
        if total < capacity {
            self.make_room(total)?;
            for slice in slices {
                self.push(slice);
            }
            return Ok(total);
        }
        // Whether the sink can take several slices at once is not told on stable Rust. One that
        // cannot writes the first alone, which is dear where all are short: gather those here.
        if slices.iter().all(|slice| slice.len() < capacity) {
            return self.push_in_turn(slices);
        }
        self.make_room(total)?;
        moved(self.call(|inner| inner.write_vectored(slices))?, total)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flush_buffer()?;
        self.inner.flush()
    }
}

/// Writes out what is buffered before it seeks.
impl<W: Write + Seek + ?Sized> Seek for BufioWriterRef<W> {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.flush_buffer()?;
        self.inner.seek(target)
    }
}

impl<W: Write + ?Sized> Drop for BufioWriterRef<W> {
    fn drop(&mut self) {
        if !self.panicked {
            // Nobody is left to tell; `finish` would have.
            let _ = self.flush_buffer();
        }
    }
}

impl<W: Write + Debug + ?Sized> Debug for BufioWriterRef<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufioWriterRef")
            .field("writer", &&self.inner)
            .field("buffer", &format_args!("{}/{}", self.len, self.capacity()))
            .finish_non_exhaustive()
    }
}
