//! The client against a memcached of its own.

use std::env;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use bp::{ByteSource, Heap, MultiBytePool};
use bp_examples::memcached::{Buffers, Client, Error, Item, MAX_KEY, Refusal, Server};

use crate::allocations::{Allocated, allocated_by};
use crate::common::not_run;
use crate::threads::together;

/// Starts a server, or says loudly that there is none.
pub(crate) fn start() -> Option<Server> {
    let server = Server::start().expect("memcached starts");
    if server.is_none() {
        assert!(env::var_os("BP_NEED_MEMCACHED").is_none(), "memcached is not installed");
        not_run("memcached is not installed");
    }
    server
}

fn connect(server: &Server) -> Client<TcpStream> {
    Client::connect(server.address(), &Buffers::new(4)).expect("it listens")
}

/// Classes at whose edges there are values.
fn pool() -> MultiBytePool {
    let builder = MultiBytePool::builder().class(16, 64).class(16, 1024).class(16, 16_384);
    builder.class(8, 1_000_000).build().expect("classes differ")
}

/// What is stored under the key of a number: protocol text at the start, and bytes of its own.
fn value(n: usize) -> Vec<u8> {
    let len = match n {
        // Around the classes: with a line break, without, and one more than fits.
        0..24 => [64, 1024, 16_384][n / 8] - 3 + n % 8,
        24 => 0,
        25 => 1,
        26..29 => 1_000_000 - n % 2,
        29..40 => 100_000 + n,
        _ => n * 7 % 3000,
    };
    let text = b"\r\nEND\r\nVALUE key-1 0 5\r\nhello\r\nSERVER_ERROR no\r\n";
    let own = (n..).map(|byte| (byte * 31).to_le_bytes()[0]);
    text.iter().copied().chain(own).take(len).collect()
}

fn key(n: usize) -> String {
    format!("key-{n}")
}

/// The number in a key, to find out what should be its value.
fn number(key: &[u8]) -> usize {
    let number = str::from_utf8(key).ok().and_then(|key| key.strip_prefix("key-")?.parse().ok());
    number.expect("a key of ours")
}

/// A checksum after Fowler, Noll and Vo.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn four_threads_read_a_thousand_keys_through_one_pool() {
    const KEYS: usize = 1000;

    let Some(server) = start() else { return };
    let mut client = connect(&server);
    let mut sums = Vec::new();
    for n in 0..KEYS {
        let value = value(n);
        client.set(key(n), u32::try_from(n).expect("small"), 0, &value).expect("stored");
        sums.push(checksum(&value));
    }

    let (pool, buffers) = (pool(), Buffers::new(4));
    let (shared, shared_buffers) = (pool.clone(), buffers.clone());
    let (address, sums) = (server.address(), Arc::new(sums));
    together(4, move |thread| {
        let mut client = Client::connect(address, &shared_buffers).expect("it listens");
        // Each thread begins elsewhere, and asks for a key now and then that has no value.
        let keys: Vec<_> = (0..KEYS).map(|n| key((n + thread * 250) % KEYS)).collect();
        let keys: Vec<_> = keys.chunks(99).flat_map(|some| [some, &[key(KEYS)]].concat()).collect();
        let check = |item: Item<bp::ByteRef>| {
            let n = number(&item.key);
            assert_eq!(checksum(&item.value), sums[n], "key-{n}");
            assert_eq!(item.flags as usize, n);
            n
        };
        for many in [keys.len(), 50, 7] {
            let mut seen = vec![0; KEYS];
            for keys in keys.chunks(many) {
                let values = client.get_many(keys, &shared).expect("sent");
                values.for_each(|item| seen[check(item.expect("a value"))] += 1);
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
        for key in &keys {
            let item = client.meta_get(key, &shared).expect("an answer");
            assert!(item.map(check).is_some() || number(key.as_bytes()) == KEYS);
        }
    });

    let stats = pool.stats();
    assert_eq!((stats.in_use, buffers.in_use()), (0, 0));
    assert!(pool.len() <= pool.capacity());
    // Apart from what is larger than all classes there is one value per thread at a time.
    assert_eq!(stats.hits + stats.misses, 4 * 4 * KEYS);
    assert!(stats.misses < (stats.hits + stats.misses) / 50, "{stats:?}");
}

#[test]
fn each_way_to_ask_returns_what_was_stored() {
    let Some(server) = start() else { return };
    let (mut client, pool) = (connect(&server), pool());
    for n in (0..30).chain([500]) {
        let (key, value) = (key(n), value(n));
        client.set(&key, u32::MAX, 0, &value).expect("stored");

        let plain = client.get(&key, &Heap).expect("an answer").expect("a value");
        assert_eq!((&*plain.key, plain.flags, plain.cas), (key.as_bytes(), u32::MAX, None));
        assert!(plain.value == value);
        let pooled = client.gets(&key, &pool).expect("an answer").expect("a value");
        let meta = client.meta_get(&key, &pool).expect("an answer").expect("a value");
        assert!(*pooled.value == *value && *meta.value == *value);
        assert_eq!((meta.key, meta.flags, meta.cas), (pooled.key, pooled.flags, pooled.cas));
        assert!(pooled.cas.is_some());
    }
    assert_eq!(pool.stats().in_use, 0);
}

#[test]
fn a_new_value_has_a_new_number() {
    let Some(server) = start() else { return };
    let mut client = connect(&server);
    let mut cas = Vec::new();
    for value in ["one", "two"] {
        client.set("key", 0, 0, value.as_bytes()).expect("stored");
        let [item] = &client
            .gets_many(&["key"], &Heap)
            .expect("sent")
            .collect::<Result<Vec<_>, _>>()
            .expect("an answer")[..]
        else {
            panic!("one key has one value");
        };
        assert_eq!(item.value, value.as_bytes());
        cas.push(item.cas.expect("asked for"));
    }
    assert_ne!(cas[0], cas[1]);
}

#[test]
fn what_is_deleted_is_gone() {
    let Some(server) = start() else { return };
    let mut client = connect(&server);
    let longest = "k".repeat(MAX_KEY);
    for key in ["key", "\u{e9}", &longest] {
        client.set(key, 0, 0, b"value").expect("stored");
        assert_eq!(client.get(key, &Heap).expect("an answer").expect("a value").value, b"value");
        assert!(client.delete(key).expect("an answer"));
        assert!(!client.delete(key).expect("an answer"));
        assert!(client.get(key, &Heap).expect("an answer").is_none());
        assert!(client.meta_get(key, &Heap).expect("an answer").is_none());
    }
}

#[test]
fn a_refused_value_leaves_the_connection_as_it_was() {
    let Some(server) = start() else { return };
    let mut client = connect(&server);
    client.set("key", 0, 0, b"small").expect("stored");
    let refused = client.set("key", 0, 0, &vec![b'x'; 3_000_000]);
    let error = refused.expect_err("more than the server stores");
    assert!(matches!(error, Error::Refused { refusal: Refusal::Server, .. }), "{error}");
    // The server forgets what was to be replaced, so that nobody takes it for the new value.
    assert!(client.get("key", &Heap).expect("in step").is_none());
    client.set("key", 0, 0, b"small").expect("stored");
    assert_eq!(client.get("key", &Heap).expect("in step").expect("a value").value, b"small");
}

/// Reads all values once, and returns what that allocates.
fn cost<B: ByteSource>(client: &mut Client<TcpStream>, keys: &[String], memory: &B) -> Allocated {
    let mut count = 0;
    let allocated = allocated_by(|| {
        let values = client.get_many(keys, memory).expect("sent");
        count = values.inspect(|item| assert!(item.is_ok())).count();
    });
    assert_eq!(count, keys.len());
    allocated
}

#[test]
fn nothing_is_allocated_for_values_once_warm() {
    let Some(server) = start() else { return };
    let (mut client, pool) = (connect(&server), pool());
    let keys: Vec<_> = (0..100).map(key).collect();
    let (mut large, mut bytes) = (0, 0);
    for (n, key) in keys.iter().enumerate() {
        let value = value(n);
        client.set(key, 0, 0, &value).expect("stored");
        bytes += value.len();
        large += usize::from(!value.is_empty());
    }

    cost(&mut client, &keys, &pool);
    assert_eq!(cost(&mut client, &keys, &pool), Allocated::NOTHING);
    assert_eq!(cost(&mut client, &keys, &Heap), Allocated { times: large, bytes });
}

/// A connection to a server that is killed once so many bytes of its answer were read.
struct Doomed {
    stream: TcpStream,
    left: usize,
    server: Option<Server>,
}

impl Read for Doomed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            if let Some(mut server) = self.server.take() {
                server.kill();
            }
            return self.stream.read(out);
        }
        let room = out.len().min(self.left);
        let read = self.stream.read(&mut out[..room])?;
        self.left -= read;
        Ok(read)
    }
}

impl Write for Doomed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[test]
fn a_server_killed_within_a_value() {
    let Some(server) = start() else { return };
    let value = vec![b'x'; 1_000_000];
    connect(&server).set("key", 0, 0, &value).expect("stored");

    let stream = TcpStream::connect(server.address()).expect("it listens");
    let doomed = Doomed { stream, left: 2_500_000, server: Some(server) };
    let (pool, buffers) = (pool(), Buffers::new(4));
    let mut client = Client::new(doomed, &buffers);
    // Far more than what may be on its way when the server dies.
    let keys = ["key"; 200];
    let mut values = client.get_many(&keys, &pool).expect("sent");
    let mut whole = 0;
    let error = loop {
        match values.next().expect("an end, or an error") {
            Ok(item) => assert!(*item.value == *value),
            Err(error) => break error,
        }
        whole += 1;
    };
    assert!(matches!(error, Error::ValueEnded { .. } | Error::Io(_)), "{error}");
    assert!(values.next().is_none());
    drop(values);
    assert!((2..keys.len()).contains(&whole), "{whole} values");
    assert_eq!((pool.stats().in_use, buffers.in_use()), (0, 0));
    // All went through the same block.
    assert_eq!((pool.stats().misses, pool.len()), (1, 1));
    assert!(matches!(client.get("key", &pool), Err(Error::OutOfStep)));
}
