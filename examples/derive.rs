//! A pool of one's own type, by a derive: every field says how it is made and cleaned.
//!
//! ```text
//! cargo run --release --example derive
//! ```
//!
//! A small server in miniature: workers parse requests into pooled structs and answer them. Nothing
//! of one request is seen by the next, save where it is written down that it shall be.

use std::fmt::Write;
use std::io::Cursor;
use std::thread;

use bp::{Clear, Poolable};

/// What all requests of one pool share.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What a body has room for from the beginning.
    body: usize,
    /// What it may have grown to and still be kept.
    max_body: usize,
}

/// A request, from its first byte to its answer.
#[derive(Debug, Poolable)]
#[pool(name = RequestPool, guard = RequestRef, config = Limits)]
#[pool(keep = self.body.capacity() <= config.max_body)]
pub struct Request {
    // Fields that are `Clear` are made by `Default` and emptied: their memory stays.
    path: String,
    headers: Headers,
    // Made by an expression, in which `config` is the pool's.
    #[pool(create = Vec::with_capacity(config.body))]
    body: Vec<u8>,
    // Made anew each time.
    #[pool(reset = default)]
    method: Method,
    // Cleaned by a function.
    #[pool(create = Cursor::new([0; 64]), reset = with(wipe))]
    reply: Cursor<[u8; 64]>,
    // Cleaned not at all: to carry something on must be written down.
    #[pool(reset = skip)]
    served: u32,
    // Has a lifecycle of its own.
    #[pool(nested)]
    scratch: Scratch,
}

/// Stands inside another type, and is cleaned with it.
#[derive(Clear, Debug, Default)]
struct Headers {
    names: Vec<String>,
    keep_alive: bool,
}

#[derive(Debug, Default, PartialEq)]
enum Method {
    #[default]
    Get,
    Post,
}

/// Where answers are put together.
#[derive(Debug, Poolable)]
struct Scratch {
    #[pool(create = String::with_capacity(256))]
    text: String,
}

/// Rewinding alone would leave the bytes to be read.
fn wipe(reply: &mut Cursor<[u8; 64]>) {
    *reply = Cursor::new([0; 64]);
}

/// Reads a request from its text; what is not there is left as it is in a clean one.
fn parse(text: &str, request: &mut Request) {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    if let Some((method, path)) = lines.next().and_then(|line| line.split_once(' ')) {
        if method == "POST" {
            request.method = Method::Post;
        }
        request.path.push_str(path);
    }
    for line in lines {
        request.headers.keep_alive |= line == "connection: keep-alive";
        request.headers.names.extend(line.split_once(':').map(|(name, _)| name.to_owned()));
    }
    request.body.extend_from_slice(body.as_bytes());
}

fn answer(request: &mut Request) -> &str {
    request.served += 1;
    let Request { path, headers, body, method, scratch, .. } = request;
    let (headers, body) = (headers.names.len(), body.len());
    write!(scratch.text, "{method:?} {path}: {headers} headers, {body} bytes")
        .expect("a String takes everything");
    &scratch.text
}

fn main() {
    let pool = RequestPool::new(64, Limits { body: 1024, max_body: 64 * 1024 });
    let texts = ["GET /\nhost: here", "POST /form\nhost: here\nlength: 9\n\na=1&b=two"];
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for text in texts.iter().cycle().take(10_000) {
                    let mut request: RequestRef = pool.get();
                    parse(text, &mut request);
                    answer(&mut request);
                }
            });
        }
    });

    for text in texts {
        let mut request = pool.get();
        parse(text, &mut request);
        println!("{}", answer(&mut request));
    }
    let stats = pool.stats();
    println!("{} requests made for {} that came", stats.misses, stats.hits + stats.misses);
}

#[test]
fn nothing_of_one_request_is_seen_by_the_next() {
    use std::io::Write as _;

    let pool = RequestPool::new(1, Limits { body: 16, max_body: 1024 });
    let mut request = pool.get();
    parse("POST /secret\nconnection: keep-alive\ncookie: 1\n\npassword", &mut request);
    assert_eq!(answer(&mut request), "Post /secret: 2 headers, 8 bytes");
    request.reply.write_all(b"200").expect("room");
    drop(request);

    let request = pool.get();
    assert_eq!(pool.stats().hits, 1, "the same one");
    assert!(request.path.is_empty() && request.body.is_empty() && request.headers.names.is_empty());
    assert!(!request.headers.keep_alive && request.scratch.text.is_empty());
    assert_eq!(request.method, Method::Get);
    assert_eq!((request.reply.position(), request.reply.get_ref()), (0, &[0; 64]));
    // The memory stayed, and what was said to.
    assert!(request.scratch.text.capacity() >= 256 && request.body.capacity() >= 16);
    assert_eq!(request.served, 1);
}

#[test]
fn a_body_beyond_the_limit_is_not_kept() {
    let pool = RequestPool::new(1, Limits { body: 16, max_body: 1024 });
    pool.get().body.resize(2000, 0);
    assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
}

#[test]
fn the_program_ends_well() {
    main();
}
