//! The figures of several pools, as a page for Prometheus.
//!
//! ```text
//! cargo run --release --example metrics [address]
//! curl http://127.0.0.1:9184/metrics
//! ```
//!
//! The page is in `page.rs`, to be taken along. This server answers one client after the other,
//! and its pages and requests come from the pools that they show.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;
use std::{env, process};

use bp::{AnyPool, BufferPool, Poolable};

mod page;

/// The longest request line that is read.
const LONGEST_LINE: u64 = 8192;

/// What a client asks for.
#[derive(Poolable)]
#[pool(name = RequestPool, guard = RequestRef)]
struct Request {
    line: String,
}

struct Server {
    requests: RequestPool,
    pages: BufferPool,
}

impl Server {
    /// Every pool of the process, by its name.
    fn pools(&self) -> [(&str, &dyn AnyPool); 3] {
        let copying = bp::aio::shared_pool();
        [("requests", &self.requests), ("pages", &self.pages), ("copying", copying)]
    }

    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        let mut request = self.requests.get();
        BufReader::new((&stream).take(LONGEST_LINE)).read_line(&mut request.line)?;

        let mut body = self.pages.get();
        let status = if request.line.starts_with("GET /metrics ") {
            page::write(&mut body, &self.pools());
            "200 OK"
        } else {
            body.extend_from_slice(b"the figures are at /metrics\n");
            "404 Not Found"
        };
        let mut head = self.pages.get();
        write!(
            head,
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(&head)?;
        stream.write_all(&body)
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("metrics: {error}");
        process::exit(1);
    }
}

fn run() -> io::Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9184".to_owned());
    let server = Server { requests: RequestPool::new(16), pages: BufferPool::new(16, 8192) };
    let listener = TcpListener::bind(address)?;
    println!("the figures are at http://{}/metrics", listener.local_addr()?);
    for stream in listener.incoming() {
        // A client that hangs up is no reason to stop.
        if let Err(error) = stream.and_then(|stream| server.answer(stream)) {
            eprintln!("metrics: {error}");
        }
    }
    Ok(())
}
