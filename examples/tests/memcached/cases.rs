//! Trouble that clients of memcached had, and lengths that peers chose.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use bp::{ByteRef, Heap, MultiBytePool};
use bp_examples::memcached::{Buffers, Client, Error, MAX_VALUE};

use super::script::{Script, client, pool};
use crate::allocations::allocated_by;

/// golang/go#48535: a peer chose the length, and the memory was there before anything arrived.
#[test]
fn case_31_a_length_of_the_server_takes_no_memory() {
    for len in [MAX_VALUE as u64 + 1, 1 << 40, u64::MAX] {
        let text = format!("VALUE key 0 {len}\r\n").into_bytes();
        let meta = format!("VA {len} kkey f0 c1\r\n").into_bytes();
        for (answer, by_meta) in [(&text, false), (&meta, true)] {
            let (mut client, _) = client(Script::new(&[answer]));
            let mut error = None;
            let allocated = allocated_by(|| {
                let got =
                    if by_meta { client.meta_get("key", &Heap) } else { client.get("key", &Heap) };
                error = got.err();
            });
            assert!(matches!(error, Some(Error::TooLarge { len: told, .. }) if told == len));
            // The buffers of the connection, which stay, and the text of the error.
            assert!(allocated.bytes < 10_000, "{allocated:?} for {len}");
        }
    }
}

/// gomemcache#35: a value of length 0 was an empty slice, which went into the pool.
#[test]
fn case_32_a_value_of_length_0() {
    let pool = pool();
    let text: &[u8] = b"VALUE key 3 0\r\n\r\nEND\r\n";
    let (mut client, _) = client(Script::new(&[text, b"VA 0 kkey f3 c1\r\n\r\n"]));
    let item = client.get("key", &pool).expect("a whole answer").expect("a value, though empty");
    assert_eq!((item.value.len(), item.flags), (0, 3));
    drop(item);
    let item = client.meta_get("key", &pool).expect("a whole answer").expect("a value");
    assert_eq!(item.value.len(), 0);
    drop(item);
    // One block for both, which is of use to others.
    assert_eq!((pool.stats().misses, pool.stats().hits, pool.len()), (1, 1, 1));
    assert!(pool.take(0).capacity() >= 64);
}

/// A server that answers the first request with as much of the answer as it is told, and then,
/// when it is told, with the rest, whoever may still listen.
struct Slow {
    stream: TcpStream,
    go_on: mpsc::Sender<()>,
    server: thread::JoinHandle<()>,
}

impl Slow {
    fn start(part: &'static [u8], rest: &'static [u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (go_on, told) = mpsc::channel();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = [0; 100];
            assert!(stream.read(&mut request).expect("a request") > 0);
            stream.write_all(part).expect("the client reads");
            told.recv().expect("told to go on");
            // The client may be gone.
            let _ = stream.write_all(rest);
        });
        let stream = TcpStream::connect(address).expect("it listens");
        Slow { stream, go_on, server }
    }

    /// Lets the server write the rest, and waits until it has.
    fn finish(self) {
        self.go_on.send(()).expect("it waits");
        self.server.join().expect("the server ends");
    }
}

const PART: &[u8] = b"VALUE a 0 5\r\nhello\r\nVALUE b 0 2000\r\nhalf of it";
const REST: &[u8] = &[b'!'; 1990];
const KEYS: [&str; 3] = ["a", "b", "c"];

/// Takes everything that is idle, and checks that it stays as it is while the server goes on.
fn nobody_writes(pool: &MultiBytePool, slow: Slow) {
    let mut blocks: Vec<ByteRef> = [5, 2000].map(|len| pool.try_get(len).expect("idle")).into();
    assert!(pool.is_empty());
    for block in &mut blocks {
        block.fill(0xaa);
    }
    slow.finish();
    assert!(blocks.iter().all(|block| block.iter().all(|&byte| byte == 0xaa)));
}

/// gomemcache#26: when a request was cancelled its buffer went back, and was then written to.
#[test]
fn case_33_a_multi_get_cancelled_by_another_thread() {
    let slow = Slow::start(PART, REST);
    let (pool, buffers) = (pool(), Buffers::new(4));
    let stream = slow.stream.try_clone().expect("a second handle");
    let (arrived, first) = mpsc::channel();
    let reader = thread::spawn({
        let (pool, buffers) = (pool.clone(), buffers.clone());
        move || {
            let mut client = Client::new(stream, &buffers);
            let mut values = client.get_many(&KEYS, &pool).expect("sent");
            let item = values.next().expect("a value").expect("all of it");
            assert_eq!(*item.value, *b"hello");
            arrived.send(()).expect("the test waits");
            let error = values.next().expect("an error").expect_err("cancelled");
            assert!(matches!(error, Error::ValueEnded { len: 2000, .. }), "{error}");
            assert!(values.next().is_none());
            drop(values);
            assert!(matches!(client.get("c", &pool), Err(Error::OutOfStep)));
        }
    });
    first.recv().expect("the first value arrives");
    slow.stream.shutdown(Shutdown::Both).expect("still open");
    reader.join().expect("the reader ends");

    assert_eq!((pool.stats().in_use, buffers.in_use(), pool.len()), (0, 0, 2));
    nobody_writes(&pool, slow);
}

#[test]
fn case_33_a_multi_get_cancelled_by_a_time_limit() {
    let slow = Slow::start(PART, REST);
    let (pool, buffers) = (pool(), Buffers::new(4));
    slow.stream.set_read_timeout(Some(Duration::from_millis(50))).expect("not zero");
    let mut client = Client::new(slow.stream.try_clone().expect("a second handle"), &buffers);
    let values = client.get_many(&KEYS, &pool).expect("sent");
    let error = values.collect::<Result<Vec<_>, _>>().expect_err("the server waits");
    assert!(matches!(error, Error::Io(_)), "{error}");

    assert_eq!((pool.stats().in_use, buffers.in_use(), pool.len()), (0, 0, 2));
    // The connection lives on, and the rest of the answer arrives; it answers nothing any more.
    nobody_writes(&pool, slow);
    assert!(matches!(client.get("a", &pool), Err(Error::OutOfStep)));
}

#[test]
fn case_33_a_multi_get_dropped_half_way() {
    let slow = Slow::start(PART, REST);
    let (pool, buffers) = (pool(), Buffers::new(4));
    let mut client = Client::new(slow.stream.try_clone().expect("a second handle"), &buffers);
    let mut values = client.get_many(&KEYS, &pool).expect("sent");
    let item = values.next().expect("a value").expect("all of it");
    assert_eq!(buffers.in_use(), 1);
    drop(values);
    assert_eq!((pool.stats().in_use, buffers.in_use()), (1, 0));
    // What was read stays the caller's.
    assert_eq!(*item.value, *b"hello");
    drop(item);
    assert!(matches!(client.get("a", &pool), Err(Error::OutOfStep)));

    // There was no block for the second value yet.
    drop(pool.get(2000));
    nobody_writes(&pool, slow);
}
