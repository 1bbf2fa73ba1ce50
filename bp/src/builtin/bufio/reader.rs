//! `BufioReaderPool` and its readers: `BufRead` for any reader, with a pooled buffer.

use std::fmt::{self, Debug};
use std::io::{self, BufRead, IoSliceMut, Read, Seek, SeekFrom};

use crate::ByteRef;
use crate::builtin::claim::moved;

bufio_pool! {
    /// Keeps the buffers of buffered readers, for readers of every type.
    ///
    /// [`get`](Self::get) puts a buffer around a reader, owned or borrowed, as
    /// [`BufReader::new`](std::io::BufReader::new) does; the buffer goes back when the
    /// [`BufioReaderRef`] is dropped. Thousands of files can so be read through one buffer, and a
    /// buffer is zeroed once, not each time.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::BufRead;
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// for request in ["GET / HTTP/1.1\r\nHost: a", "HEAD / HTTP/1.1\r\nHost: b"] {
    ///     let mut line = String::new();
    ///     pool.get(request.as_bytes()).read_line(&mut line)?;
    ///     assert!(line.ends_with("/ HTTP/1.1\r\n"));
    /// }
    /// assert_eq!(pool.stats().misses, 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    BufioReaderPool
}

impl BufioReaderPool {
    /// Puts a buffer around a reader: an idle one, or a new one if none is idle.
    ///
    /// To go on using the reader afterwards, pass `&mut reader`; what was read ahead is lost to
    /// it then, unless [`into_parts`](BufioReaderRef::into_parts) saves it.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{BufRead, Read};
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// let mut stream = "one\ntwo".as_bytes();
    /// let mut line = String::new();
    /// pool.get(&mut stream).read_line(&mut line)?;
    /// assert_eq!(line, "one\n");
    /// assert_eq!(stream.read(&mut [0])?, 0); // all of it was read ahead
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn get<R: Read>(&self, reader: R) -> BufioReaderRef<R> {
        BufioReaderRef { block: self.blocks.get(), pos: 0, filled: 0, inner: reader }
    }
}

/// A buffered reader from a [`BufioReaderPool`], whose buffer goes back when it is dropped.
///
/// Does what [`std::io::BufReader`] does, in the same way: a read of at least the buffer's size
/// goes around an empty buffer, a seek drops what was read ahead. A reader that claims to have
/// read more bytes than it was given room for gets an error of kind
/// [`InvalidData`](io::ErrorKind::InvalidData), also where std panics; only in
/// [`read_to_end`](Read::read_to_end) and [`read_to_string`](Read::read_to_string), which the
/// reader does itself, is that left to the reader.
///
/// [`std::io::copy`] knows std's readers and asks for their buffers. From this one, copy with
/// [`CopyIoPool`](crate::CopyIoPool).
///
/// # Examples
///
/// ```
/// use std::io::BufRead;
///
/// let pool = bp::BufioReaderPool::new(16);
/// let reader = pool.get("one\ntwo\n".as_bytes());
/// let lines: Vec<String> = reader.lines().collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["one", "two"]);
/// assert_eq!(pool.len(), 1); // `lines` took the reader, and dropped it
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use = "dropping a reader returns its buffer to the pool at once"]
pub struct BufioReaderRef<R: ?Sized> {
    block: ByteRef,
    /// The bytes of the block that were read ahead: `pos <= filled <= block.len()`.
    pos: usize,
    filled: usize,
    inner: R,
}

impl<R: ?Sized> BufioReaderRef<R> {
    /// Returns the reader beneath.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::BufRead;
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// let mut reader = pool.get("one\ntwo\n".as_bytes());
    /// let mut line = String::new();
    /// reader.read_line(&mut line)?;
    /// assert_eq!(*reader.get_ref(), b""); // all of it was read ahead
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the reader beneath. Reading from it skips what was read ahead.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// let pool = bp::BufioReaderPool::with_size(16, 4);
    /// let mut reader = pool.get("abcdefgh".as_bytes());
    /// reader.read_exact(&mut [0])?; // and reads three more ahead
    /// let mut next = [0];
    /// reader.get_mut().read_exact(&mut next)?;
    /// assert_eq!(next, *b"e");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns what was read ahead, without reading more.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::BufRead;
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// let mut reader = pool.get("one\ntwo\n".as_bytes());
    /// let mut line = String::new();
    /// reader.read_line(&mut line)?;
    /// assert_eq!(reader.buffer(), b"two\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn buffer(&self) -> &[u8] {
        &self.block[self.pos..self.filled]
    }

    /// Returns how many bytes are read ahead at most.
    ///
    /// # Examples
    ///
    /// ```
    /// let reader = bp::BufioReaderPool::with_size(16, 512).get(std::io::empty());
    /// assert_eq!(reader.capacity(), 512);
    /// ```
    pub fn capacity(&self) -> usize {
        self.block.len()
    }

    /// Returns the reader. What was read ahead is lost;
    /// [`into_parts`](Self::into_parts) saves it.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::BufRead;
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// let mut reader = pool.get("one\ntwo\n".as_bytes());
    /// let mut line = String::new();
    /// reader.read_line(&mut line)?;
    /// assert_eq!(reader.into_inner(), b""); // "two" was read ahead, and is lost
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> R
    where
        R: Sized,
    {
        self.inner
    }

    /// Returns the reader, and what was read ahead of it.
    ///
    /// The bytes stay in the pooled buffer, which goes back when they are dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{BufRead, Read};
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// let mut reader = pool.get("header\nbody, which is not ours to read".as_bytes());
    /// reader.skip_until(b'\n')?;
    ///
    /// let (rest, ahead) = reader.into_parts();
    /// let mut body = String::new();
    /// ahead.chain(rest).read_to_string(&mut body)?;
    /// assert_eq!(body, "body, which is not ours to read");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_parts(self) -> (R, ByteRef)
    where
        R: Sized,
    {
        let BufioReaderRef { mut block, pos, filled, inner } = self;
        block.copy_within(pos..filled, 0);
        ByteRef::truncate(&mut block, filled - pos);
        (inner, block)
    }

    #[inline]
    fn is_drained(&self) -> bool {
        self.pos == self.filled
    }

    #[inline]
    fn discard_buffer(&mut self) {
        self.pos = 0;
        self.filled = 0;
    }

    /// Returns how far the reader beneath is ahead of what was read from this one.
    fn lead(&self) -> i64 {
        i64::try_from(self.filled - self.pos).expect("a block has at most isize::MAX bytes")
    }
}

impl<R: Read + ?Sized> BufioReaderRef<R> {
    /// Reads into the drained buffer.
    fn refill(&mut self) -> io::Result<()> {
        // First, so that the buffer is empty where the read fails or panics.
        self.discard_buffer();
        let read = self.inner.read(&mut self.block)?;
        self.filled = moved(read, self.block.len())?;
        Ok(())
    }
}

impl<R: Seek + ?Sized> BufioReaderRef<R> {
    /// Turns an offset from the current position into one from where the reader stands.
    fn offset_beneath(&mut self, offset: i64) -> io::Result<i64> {
        let lead = self.lead();
        if let Some(offset) = offset.checked_sub(lead) {
            return Ok(offset);
        }
        // Does not fit: bring the reader here first, so that both are the same.
        self.inner.seek(SeekFrom::Current(-lead))?;
        self.discard_buffer();
        Ok(offset)
    }

    /// Seeks from the current position, within what was read ahead if possible.
    ///
    /// Unlike [`seek`](Seek::seek) this keeps the buffer where it can, and does not tell the new
    /// position.
    ///
    /// # Errors
    ///
    /// Those of the reader's `seek`; none where the target lies within the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io::{Cursor, Read};
    ///
    /// let pool = bp::BufioReaderPool::new(16);
    /// let mut reader = pool.get(Cursor::new("abcdefgh"));
    /// reader.read_exact(&mut [0; 2])?;
    /// reader.seek_relative(3)?;
    /// let mut byte = [0];
    /// reader.read_exact(&mut byte)?;
    /// assert_eq!(byte, *b"f");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn seek_relative(&mut self, offset: i64) -> io::Result<()> {
        let distance = usize::try_from(offset.unsigned_abs()).ok();
        let target = distance.and_then(|distance| match offset {
            ..0 => self.pos.checked_sub(distance),
            0.. => self.pos.checked_add(distance).filter(|target| *target <= self.filled),
        });
        match target {
            Some(pos) => {
                self.pos = pos;
                Ok(())
            }
            None => self.seek(SeekFrom::Current(offset)).map(drop),
        }
    }
}

impl<R: Read + ?Sized> Read for BufioReaderRef<R> {
    #[inline]
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Nothing to hand out first, and the buffer would save no call: go around it.
        if self.is_drained() && out.len() >= self.capacity() {
            self.discard_buffer();
            return moved(self.inner.read(out)?, out.len());
        }
        let read = self.fill_buf()?.read(out)?;
        self.pos += read;
        Ok(read)
    }

    fn read_vectored(&mut self, outs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        let room = outs.iter().fold(0_usize, |room, out| room.saturating_add(out.len()));
        if self.is_drained() && room >= self.capacity() {
            self.discard_buffer();
            return moved(self.inner.read_vectored(outs)?, room);
        }
        let read = self.fill_buf()?.read_vectored(outs)?;
        self.pos += read;
        Ok(read)
    }

    #[inline]
    fn read_exact(&mut self, out: &mut [u8]) -> io::Result<()> {
        match self.buffer().split_at_checked(out.len()) {
            Some((bytes, _)) => {
                out.copy_from_slice(bytes);
                self.pos += out.len();
                Ok(())
            }
            None => self.read_exact_across(out),
        }
    }

    fn read_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let ahead = self.buffer();
        out.try_reserve(ahead.len())?;
        out.extend_from_slice(ahead);
        let ahead = ahead.len();
        self.discard_buffer();
        // The reader may know better than this one how to read all of it.
        Ok(ahead + self.inner.read_to_end(out)?)
    }

    fn read_to_string(&mut self, out: &mut String) -> io::Result<usize> {
        if !out.is_empty() {
            let mut text = String::new();
            let read = self.read_to_string(&mut text)?;
            out.push_str(&text);
            return Ok(read);
        }
        let mut bytes = std::mem::take(out).into_bytes();
        let read = self.read_to_end(&mut bytes);
        match String::from_utf8(bytes) {
            // What came before an error is kept.
            Ok(text) => {
                *out = text;
                read
            }
            Err(_) => read.and_then(|_| Err(not_utf8())),
        }
    }
}

impl<R: Read + ?Sized> BufioReaderRef<R> {
    /// Reads exactly what is asked for, which is more than was read ahead.
    #[cold]
    fn read_exact_across(&mut self, mut out: &mut [u8]) -> io::Result<()> {
        while !out.is_empty() {
            match self.read(out) {
                Ok(0) => return Err(ended_early()),
                Ok(read) => out = &mut out[read..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cold]
fn not_utf8() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8")
}

#[cold]
fn ended_early() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "failed to fill whole buffer")
}

impl<R: Read + ?Sized> BufRead for BufioReaderRef<R> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.is_drained() {
            self.refill()?;
        }
        Ok(self.buffer())
    }

    #[inline]
    fn consume(&mut self, amount: usize) {
        self.pos = self.filled.min(self.pos.saturating_add(amount));
    }
}

impl<R: Seek + ?Sized> Seek for BufioReaderRef<R> {
    /// Seeks the reader, and drops what was read ahead, also where the target lies within.
    ///
    /// `SeekFrom::Current` counts from what was read from here, not from where the reader stands.
    /// Where that takes two seeks, as the offset would not fit in 64 bits, and the second fails,
    /// the reader stands where this one did.
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let target = match target {
            SeekFrom::Current(offset) => SeekFrom::Current(self.offset_beneath(offset)?),
            absolute => absolute,
        };
        let position = self.inner.seek(target)?;
        self.discard_buffer();
        Ok(position)
    }

    /// Returns the position of what is read next from here; keeps the buffer.
    ///
    /// # Errors
    ///
    /// Those of the reader; also `InvalidData` if it tells a position before what was read from
    /// it, where std panics.
    fn stream_position(&mut self) -> io::Result<u64> {
        let position = self.inner.stream_position()?;
        let lead = self.lead().unsigned_abs();
        position.checked_sub(lead).ok_or_else(|| {
            let reason = "the reader stands before what was read from it";
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })
    }

    fn seek_relative(&mut self, offset: i64) -> io::Result<()> {
        self.seek_relative(offset)
    }
}

impl<R: Debug + ?Sized> Debug for BufioReaderRef<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufioReaderRef")
            .field("reader", &&self.inner)
            .field("buffer", &format_args!("{}/{}", self.buffer().len(), self.capacity()))
            .finish_non_exhaustive()
    }
}
