//! `Item`: a value, and what the server knows about it.

use super::Key;

/// A value from a server, which owns its memory: a `Vec<u8>` or the guard of a pool.
#[derive(Debug)]
pub struct Item<B> {
    /// What the value is stored under.
    pub key: Key,
    /// What the client that stored it wished to note; nothing to the server.
    pub flags: u32,
    /// The number of this very value, which the next value of the key will not have. `get` does
    /// not ask for it.
    pub cas: Option<u64>,
    /// The bytes of the value, and no others.
    pub value: B,
}
