//! `ParseGetResponse` of a memcached client in Go: one response of a memcached server, parsed time
//! after time, with the memory for the value from the heap or from a pool.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::{self, BufRead};

use bp::{BytePool, ByteSource, Heap, MultiBytePool};
use bp_benches::table::Table;

/// The original's value, and two sizes that a cache of pages or of blocks has.
const SIZES: [usize; 3] = [512, 4096, 64 << 10];

/// No value is larger: what a server may claim.
const LIMIT: usize = 1 << 20;

/// The longest key of the protocol.
const KEY: usize = 250;

const NAME: &str = "a_key_of_some_length";

const CAPACITY: usize = 16;

/// What a server has under a key.
struct Item<K, V> {
    key: K,
    flags: u32,
    value: V,
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a response to get")
}

/// Parses `VALUE key flags length\r\n`, the value, `\r\nEND\r\n`; `line` is the connection's.
fn parse_get_response<K: ByteSource, V: ByteSource>(
    stream: &mut impl BufRead,
    line: &mut Vec<u8>,
    keys: &K,
    values: &V,
) -> io::Result<Item<K::Buf, V::Buf>> {
    line.clear();
    stream.read_until(b'\n', line)?;
    let head = line.strip_suffix(b"\r\n").ok_or_else(malformed)?;
    let mut words = head.split(|byte| *byte == b' ');
    let mut word = || words.next().ok_or_else(malformed);
    if word()? != b"VALUE" {
        return Err(malformed());
    }
    let name = word()?;
    let mut key = keys.bytes(name.len())?;
    key.copy_from_slice(name);
    let flags = number(word()?)?;
    let mut value = values.bytes(number(word()?)?)?;
    stream.read_exact(&mut value)?;
    let mut end = [0; 7];
    stream.read_exact(&mut end)?;
    if end == *b"\r\nEND\r\n" { Ok(Item { key, flags, value }) } else { Err(malformed()) }
}

fn number<T: std::str::FromStr>(word: &[u8]) -> io::Result<T> {
    let digits = str::from_utf8(word).map_err(|_| malformed())?;
    digits.parse().map_err(|_| malformed())
}

thread_local! {
    /// A connection keeps its line, whatever memory its values come from.
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The operation that is measured.
fn parse(response: &str, keys: &impl ByteSource, values: &impl ByteSource) {
    LINE.with_borrow_mut(|line| {
        let stream = &mut black_box(response.as_bytes());
        let item = parse_get_response(stream, line, keys, values).expect("well-formed");
        assert_eq!((&*item.key, item.flags), (NAME.as_bytes(), 123));
        black_box::<&[u8]>(&item.value);
    });
}

fn main() {
    let title = "Parse a response of memcached";
    let mut table = Table::new("parse_get_response", title).workers(10);
    for size in SIZES {
        let response = format!("VALUE {NAME} 123 {size}\r\n{}\r\nEND\r\n", "@".repeat(size));

        let keys = BytePool::new(CAPACITY, KEY);
        let values = BytePool::new(CAPACITY, size);
        table.row("bp, value pooled", size, || parse(&response, &Heap, &values));
        table.row("bp, value and key pooled", size, || parse(&response, &keys, &values));

        let classes = MultiBytePool::builder().class(CAPACITY, 4096).class(CAPACITY, LIMIT).build();
        let values = classes.expect("these classes can be").limited(LIMIT);
        table.row("bp, value from size classes", size, || parse(&response, &Heap, &values));

        table.row("value from the heap", size, || parse(&response, &Heap, &Heap));
    }
    table.finish();
}
