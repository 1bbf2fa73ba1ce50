//! `Values`: the answer to a request for many keys, read value by value.

use std::io::Read;

use bp::{BufioReaderRef, ByteSource};

use super::client::conclude;
use super::parse::Line;
use super::{Error, Item, text};

/// The values that a server sends for many keys, as they arrive.
///
/// Each is in memory of its own, which goes back when the caller drops it. Ends with the answer,
/// or with the first error. Dropped before that, it leaves its client out of step.
#[derive(Debug)]
#[must_use = "an answer that is not read leaves the client out of step"]
pub struct Values<'a, S, B, K> {
    /// `None` once the answer has ended.
    reader: Option<BufioReaderRef<&'a mut S>>,
    in_step: &'a mut bool,
    keys: &'a [K],
    /// Where the key is expected that the next value belongs to: servers keep the order.
    next: usize,
    /// How many values there may still be.
    left: usize,
    source: &'a B,
    max_value: usize,
}

impl<'a, S: Read, B: ByteSource, K: AsRef<[u8]>> Values<'a, S, B, K> {
    pub(super) fn new(
        reader: BufioReaderRef<&'a mut S>,
        in_step: &'a mut bool,
        keys: &'a [K],
        source: &'a B,
        max_value: usize,
    ) -> Self {
        let left = keys.len();
        Values { reader: Some(reader), in_step, keys, next: 0, left, source, max_value }
    }

    /// The answer to a request that need not be made.
    pub(super) fn none(in_step: &'a mut bool, source: &'a B) -> Self {
        Values { reader: None, in_step, keys: &[], next: 0, left: 0, source, max_value: 0 }
    }

    /// Reads the whole answer to a request for one key.
    pub(super) fn only(mut self) -> Result<Option<Item<B::Buf>>, Error> {
        let item = self.next().transpose()?;
        match self.next() {
            None => Ok(item),
            Some(second) => second.map(Some),
        }
    }

    fn read(
        &mut self,
        reader: &mut BufioReaderRef<&'a mut S>,
    ) -> Result<Option<Item<B::Buf>>, Error> {
        let Some(header) = text::header(&Line::read(reader)?)? else {
            return Ok(None);
        };
        // Whatever is wrong with the answer, it is not to become the answer to another question.
        if !self.was_asked_for(&header.key) {
            return Err(Error::Unasked { key: header.key.to_string() });
        }
        let Some(left) = self.left.checked_sub(1) else {
            return Err(Error::TooMany { key: header.key.to_string() });
        };
        self.left = left;
        header.read_item(reader, self.source, self.max_value).map(Some)
    }

    /// Looks for a key from where the last was found, so that this takes no time if they come in
    /// the order of the request.
    fn was_asked_for(&mut self, key: &[u8]) -> bool {
        let (before, after) = self.keys.split_at(self.next);
        let mut keys = after.iter().chain(before);
        let Some(skipped) = keys.position(|asked| asked.as_ref() == key) else {
            return false;
        };
        self.next = (self.next + skipped + 1) % self.keys.len();
        true
    }
}

impl<S: Read, B: ByteSource, K: AsRef<[u8]>> Iterator for Values<'_, S, B, K> {
    type Item = Result<Item<B::Buf>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = self.reader.take()?;
        let read = self.read(&mut reader);
        if let Ok(Some(item)) = read {
            self.reader = Some(reader);
            return Some(Ok(item));
        }
        // Nothing more is read, so the buffer goes back now.
        conclude(&reader, self.in_step, read).transpose()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left + 1))
    }
}
