//! How far the word of a reader or a writer goes: no further than the bytes that it was given.

use std::io::{self, ErrorKind, Read};

/// Passes on how many bytes a reader or writer claims to have moved, unless it was given fewer:
/// the rest would be bytes of another stream, or none at all.
///
/// # Errors
///
/// `InvalidData`.
#[inline]
pub(crate) fn moved(claimed: usize, given: usize) -> io::Result<usize> {
    if claimed <= given { Ok(claimed) } else { Err(overclaimed(claimed, given)) }
}

#[cold]
fn overclaimed(claimed: usize, given: usize) -> io::Error {
    let text = format!("{claimed} bytes are said to have moved, but only {given} were given");
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Reads once, but for interruptions.
#[inline]
pub(super) fn read_some<R: Read + ?Sized>(reader: &mut R, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(out) {
            Ok(claimed) => return moved(claimed, out.len()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
