//! The meta protocol: what was asked for comes as letters, in any order.

use std::io::{self, Write};

use super::parse::{Header, number};
use super::{Error, Key};

/// Asks for one value, and that the answer names its key, its flags and its cas.
pub(super) fn ask(request: &mut impl Write, key: &[u8]) -> io::Result<()> {
    request.write_all(b"mg ")?;
    request.write_all(key)?;
    request.write_all(b" k f c v\r\n")
}

/// Understands `VA <length> k<key> f<flags> c<cas>`, or `EN k<key>`: there is no value.
pub(super) fn header(line: &[u8], asked: &[u8]) -> Result<Option<Header>, Error> {
    let no_answer = || Error::no_answer(line);
    let mut words = line.split(|&byte| byte == b' ');
    let len = match words.next() {
        Some(b"VA") => Some(number("length", words.next().ok_or_else(no_answer)?)?),
        Some(b"EN") => None,
        _ => return Err(no_answer()),
    };

    let (mut key, mut flags, mut cas) = (None, None, None);
    for word in words {
        let fresh = match word {
            [b'k', text @ ..] => key.replace(Key::new(text).map_err(|_| no_answer())?).is_none(),
            [b'f', digits @ ..] => flags.replace(number("flags", digits)?).is_none(),
            [b'c', digits @ ..] => cas.replace(number("cas", digits)?).is_none(),
            // These come unasked: they tell who should renew a value that is stale.
            [b'W' | b'X' | b'Z'] => true,
            _ => false,
        };
        if !fresh {
            return Err(no_answer());
        }
    }
    if let Some(key) = key.filter(|key| **key != *asked) {
        return Err(Error::Unasked { key: key.to_string() });
    }
    match (len, key, flags, cas) {
        (Some(len), Some(key), Some(flags), cas) => Ok(Some(Header { key, flags, len, cas })),
        // Not every version names the key.
        (None, _, None, None) => Ok(None),
        _ => Err(no_answer()),
    }
}
