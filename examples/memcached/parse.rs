//! What answers of both protocols consist of: lines, numbers and values.

use std::io::{BufRead, ErrorKind, Read};
use std::ops::Deref;
use std::str::FromStr;

use bp::ByteSource;

use super::error::shown;
use super::{Error, Item, Key};

/// The most bytes of a line, with its line break. A key and its numbers take no more than 320;
/// the rest is for what a server says where it refuses.
const MAX_LINE: usize = 512;

/// A line, without its line break; copied, since it may not be whole in the reader's buffer.
pub(super) struct Line {
    bytes: [u8; MAX_LINE],
    len: usize,
}

impl Line {
    /// Reads up to and with the next line break, and not more than a line may have.
    pub(super) fn read(reader: &mut impl BufRead) -> Result<Self, Error> {
        let mut line = Line { bytes: [0; MAX_LINE], len: 0 };
        loop {
            let ahead = match reader.fill_buf() {
                Ok([]) => return Err(Error::LineEnded { start: shown(&line) }),
                Ok(ahead) => ahead,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::Io(error)),
            };
            let ahead = &ahead[..ahead.len().min(MAX_LINE - line.len)];
            let end = ahead.iter().position(|&byte| byte == b'\n');
            let taken = end.map_or(ahead.len(), |end| end + 1);
            line.bytes[line.len..][..taken].copy_from_slice(&ahead[..taken]);
            line.len += taken;
            reader.consume(taken);

            if end.is_some() {
                return line.without_break();
            }
            if line.len == MAX_LINE {
                return Err(Error::LineTooLong { start: shown(&line) });
            }
        }
    }

    fn without_break(mut self) -> Result<Self, Error> {
        match self.strip_suffix(b"\r\n") {
            Some(line) => {
                self.len = line.len();
                Ok(self)
            }
            None => Err(Error::Unexpected { line: shown(&self) }),
        }
    }
}

impl Deref for Line {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Reads a number. Only digits make one: `parse` alone would take `+5` as well.
pub(super) fn number<T: FromStr>(field: &'static str, word: &[u8]) -> Result<T, Error> {
    let digits = str::from_utf8(word).ok().filter(|word| word.bytes().all(|c| c.is_ascii_digit()));
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| Error::Number { field, text: shown(word) })
}

/// What stands before a value.
pub(super) struct Header {
    pub(super) key: Key,
    pub(super) flags: u32,
    /// As the server claims.
    pub(super) len: u64,
    pub(super) cas: Option<u64>,
}

impl Header {
    /// Reads the value that follows, and the line break after it.
    ///
    /// The line break does not go into the value's memory: a value of exactly the size of a class
    /// would not fit that class with it.
    pub(super) fn read_item<B: ByteSource>(
        self,
        reader: &mut impl Read,
        source: &B,
        max: usize,
    ) -> Result<Item<B::Buf>, Error> {
        let Header { key, flags, len, cas } = self;
        // Before the source hears of it.
        let len = match usize::try_from(len) {
            Ok(len) if len <= max => len,
            _ => return Err(Error::TooLarge { key: key.to_string(), len, max }),
        };
        let mut value = source.bytes(len).map_err(|error| Error::Memory { len, error })?;
        let mut end = [0; 2];
        let read = reader.read_exact(&mut value).and_then(|()| reader.read_exact(&mut end));
        match read {
            Ok(()) if end == *b"\r\n" => Ok(Item { key, flags, cas, value }),
            Ok(()) => Err(Error::ValueEnd { key: key.to_string(), found: shown(&end) }),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(Error::ValueEnded { key: key.to_string(), len })
            }
            Err(error) => Err(Error::Io(error)),
        }
    }
}
