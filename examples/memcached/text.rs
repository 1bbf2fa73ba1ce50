//! The text protocol: values one after the other, then `END`.

use super::parse::{Header, number};
use super::{Error, Key};

/// Understands `VALUE <key> <flags> <length> [<cas>]`, or `END`, which is no header.
pub(super) fn header(line: &[u8]) -> Result<Option<Header>, Error> {
    if line == b"END" {
        return Ok(None);
    }
    let mut words = line.split(|&byte| byte == b' ');
    let mut word = || words.next();
    let (Some(b"VALUE"), Some(key), Some(flags), Some(len), cas, None) =
        (word(), word(), word(), word(), word(), word())
    else {
        return Err(Error::no_answer(line));
    };
    Ok(Some(Header {
        key: Key::new(key).map_err(|_| Error::no_answer(line))?,
        flags: number("flags", flags)?,
        len: number("length", len)?,
        cas: cas.map(|cas| number("cas", cas)).transpose()?,
    }))
}
