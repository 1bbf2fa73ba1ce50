//! `Key`: what a value is stored under.

use std::fmt::{self, Debug, Display};
use std::ops::Deref;

use super::Error;

/// The most bytes of a key.
pub const MAX_KEY: usize = 250;

/// A key, in place: keys are short by protocol, so that those of answers need no allocation.
///
/// Derefs to its bytes, of which none is a space or a control character: what is a key can be
/// written into a request, and ends there where it seems to.
#[derive(Clone, Copy)]
pub struct Key {
    /// The key, then zeros.
    bytes: [u8; MAX_KEY],
    /// At least 1, at most `MAX_KEY`.
    len: u8,
}

impl Key {
    /// Copies a key.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] for one that is empty, too long, or has a byte that no key may have.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        check(key)?;
        let mut bytes = [0; MAX_KEY];
        bytes[..key.len()].copy_from_slice(key);
        let len = u8::try_from(key.len()).expect("a key has at most 250 bytes");
        Ok(Key { bytes, len })
    }
}

/// Refuses what a server would not understand as one key, or what would be a request of its own.
pub(super) fn check(key: &[u8]) -> Result<(), Error> {
    let rule = if key.is_empty() {
        "has no bytes"
    } else if key.len() > MAX_KEY {
        "has more than 250 bytes"
    } else if key.iter().any(|&byte| byte <= b' ' || byte == 0x7f) {
        "has a space or a control character"
    } else {
        return Ok(());
    };
    // As much as shows which key it was.
    let shown = &key[..key.len().min(MAX_KEY)];
    Err(Error::Key { key: shown.escape_ascii().to_string(), rule })
}

impl Deref for Key {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Key {}

/// What is not ASCII appears as its code.
impl Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.escape_ascii(), f)
    }
}

impl Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}
