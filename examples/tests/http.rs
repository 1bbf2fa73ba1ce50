//! A bounded load on the web service, from clients that know every byte they must get.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use bp::BufferPool;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

#[path = "../http/service.rs"]
mod service;

/// The service, until it is dropped.
struct Server {
    address: SocketAddr,
    pool: BufferPool,
    _runtime: Runtime,
}

impl Server {
    fn start() -> io::Result<Self> {
        let runtime = Runtime::new()?;
        let pool = BufferPool::builder(64, 4096).retain_by_use().build().expect("a right config");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let router = service::router(pool.clone());
        runtime.spawn(async move { axum::serve(listener, router).await });
        Ok(Server { address, pool, _runtime: runtime })
    }

    /// Sends a request on a connection of its own; returns the status and the body.
    fn request(&self, head: &str, body: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        let mut stream = TcpStream::connect(self.address)?;
        write!(stream, "{head}Host: test\r\nConnection: close\r\n\r\n")?;
        // A server that refuses may close before it has read all.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a whole head");
        let head = str::from_utf8(&answer[..end]).expect("a head is text");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        Ok((status, answer.split_off(end + 4)))
    }

    fn upper(&self, body: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        self.request(&format!("POST /upper HTTP/1.1\r\nContent-Length: {}\r\n", body.len()), body)
    }

    /// A buffer goes back when the last byte is written, which a client sees a little earlier.
    fn wait_for_buffers(&self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while self.pool.stats().in_use > 0 {
            assert!(Instant::now() < deadline, "{:?}", self.pool.stats());
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn bodies_are_exact_and_all_buffers_come_back() -> io::Result<()> {
    let server = Server::start()?;
    thread::scope(|scope| {
        let clients: Vec<_> = (0..4_usize)
            .map(|client| {
                let server = &server;
                scope.spawn(move || -> io::Result<()> {
                    for round in 0..40 {
                        let letter = b'a' + u8::try_from((client * 7 + round) % 26).expect("few");
                        let body = vec![letter; (client * 997 + round * 4999) % 200_000];
                        let answer = server.upper(&body)?;
                        assert!(answer == (200, body.to_ascii_uppercase()), "{client}, {round}");

                        let (status, text) =
                            server.request(&format!("GET /lines/{round} HTTP/1.1\r\n"), b"")?;
                        let lines: Vec<_> = (1..=round).map(|n| format!("line {n}\n")).collect();
                        assert_eq!((status, text), (200, lines.concat().into_bytes()));
                    }
                    Ok(())
                })
            })
            .collect();
        clients.into_iter().try_for_each(|client| client.join().expect("no client panics"))
    })?;

    server.wait_for_buffers();
    let stats = server.pool.stats();
    assert_eq!(stats.hits + stats.misses, 4 * 40 * 2);
    assert!(stats.hits > stats.misses, "{stats:?}");
    Ok(())
}

#[test]
fn a_body_in_chunks_is_put_together() -> io::Result<()> {
    let server = Server::start()?;
    let head = "POST /upper HTTP/1.1\r\nTransfer-Encoding: chunked\r\n";
    let answer = server.request(head, b"5\r\nloud \r\n5\r\nwords\r\n0\r\n\r\n")?;
    assert_eq!(answer, (200, b"LOUD WORDS".into()));
    Ok(())
}

#[test]
fn bodies_above_the_limit_are_refused() -> io::Result<()> {
    let server = Server::start()?;
    assert_eq!(server.upper(&vec![b'a'; service::LIMIT])?.0, 200);
    server.wait_for_buffers();
    let gets = |server: &Server| server.pool.stats().hits + server.pool.stats().misses;
    let before = gets(&server);

    // Announced: refused before anything is read, and without a buffer.
    let head = format!("POST /upper HTTP/1.1\r\nContent-Length: {}\r\n", service::LIMIT + 1);
    assert_eq!(server.request(&head, b"")?.0, 413);
    assert_eq!(gets(&server), before);

    // Not announced: the last chunk is one byte too many.
    let head = "POST /upper HTTP/1.1\r\nTransfer-Encoding: chunked\r\n";
    let mut chunks = format!("{:x}\r\n", service::LIMIT).into_bytes();
    chunks.extend(vec![b'a'; service::LIMIT]);
    chunks.extend(b"\r\n1\r\na\r\n");
    assert_eq!(server.request(head, &chunks)?.0, 413);
    assert_eq!(gets(&server), before + 1);
    server.wait_for_buffers();

    let head = format!("GET /lines/{} HTTP/1.1\r\n", service::MOST_LINES + 1);
    assert_eq!(server.request(&head, b"")?.0, 400);
    Ok(())
}

#[test]
fn a_client_that_goes_away_leaves_no_buffer_behind() -> io::Result<()> {
    let server = Server::start()?;
    let mut stream = TcpStream::connect(server.address)?;
    stream.write_all(b"POST /upper HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\nhalf")?;
    let deadline = Instant::now() + Duration::from_secs(10);
    while server.pool.stats().in_use == 0 {
        assert!(Instant::now() < deadline, "the request does not arrive");
        thread::sleep(Duration::from_millis(1));
    }
    stream.shutdown(Shutdown::Both)?;
    server.wait_for_buffers();
    assert_eq!(server.pool.len(), 1);
    Ok(())
}
