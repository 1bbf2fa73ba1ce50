//! The page of figures: what it says, and that it is served.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::str;

use bp::{AnyPool, BufferPool, BufferRef, BytePool};

mod common;
#[path = "../metrics/page.rs"]
mod page;

/// Reads a page as a scraper does: samples by name and labels. Checks that each has a type.
fn samples(page: &str) -> HashMap<String, u64> {
    let mut samples = HashMap::new();
    let mut typed = String::new();
    for line in page.lines() {
        if let Some(comment) = line.strip_prefix("# TYPE ") {
            let (name, kind) = comment.split_once(' ').expect("a name and a type");
            assert!(["counter", "gauge"].contains(&kind), "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            name.clone_into(&mut typed);
        } else if !line.starts_with("# HELP ") {
            let (sample, value) = line.rsplit_once(' ').expect("a sample and its value");
            assert!(sample.starts_with(&format!("{typed}{{")), "{line} stands under {typed}");
            let value = value.parse().expect("a number");
            assert!(samples.insert(sample.to_owned(), value).is_none(), "{line} stands twice");
        }
    }
    samples
}

#[test]
fn the_page_has_the_figures_of_every_pool() {
    let (lines, blocks) = (BufferPool::new(4, 64), BytePool::new(1, 4096));
    drop(lines.get());
    let in_use = lines.get();
    BufferRef::discard(lines.get());
    drop([blocks.get(), blocks.get()]);
    blocks.clear();

    let mut page = b"before\n".to_vec();
    page::write(&mut page, &[("lines", &lines as &dyn AnyPool), ("blo\"c\\ks\n", &blocks)]);
    drop(in_use);
    let page = str::from_utf8(&page).expect("text").strip_prefix("before\n").expect("appended");
    let samples = samples(page);
    for (sample, value) in [
        (r#"bp_pool_gets_total{pool="lines",result="hit"}"#, 1),
        (r#"bp_pool_gets_total{pool="lines",result="miss"}"#, 2),
        (r#"bp_pool_dropped_total{pool="lines",reason="discard"}"#, 1),
        (r#"bp_pool_in_use{pool="lines"}"#, 1),
        (r#"bp_pool_idle{pool="lines"}"#, 0),
        (r#"bp_pool_capacity{pool="lines"}"#, 4),
        (r#"bp_pool_stored_total{pool="blo\"c\\ks\n",from="guard"}"#, 1),
        (r#"bp_pool_dropped_total{pool="blo\"c\\ks\n",reason="full"}"#, 1),
        (r#"bp_pool_dropped_total{pool="blo\"c\\ks\n",reason="clear"}"#, 1),
        (r#"bp_pool_capacity{pool="blo\"c\\ks\n"}"#, 1),
    ] {
        assert_eq!(samples.get(sample), Some(&value), "{sample} in:\n{page}");
    }
    assert_eq!(samples.len(), 2 * (2 + 3 + 7 + 4));
}

/// The server, until it is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // If it is gone already, a test has failed for that reason.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(address: &str, path: &str) -> io::Result<(String, String)> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")?;
    let mut answer = String::new();
    BufReader::new(stream).read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())), "{head}");
    Ok((head.lines().next().unwrap_or_default().to_owned(), body.to_owned()))
}

#[test]
fn the_page_is_served() -> io::Result<()> {
    let server = common::command("metrics").arg("127.0.0.1:0").stdout(Stdio::piped()).spawn();
    let mut server = Server(server.expect("the server starts"));
    let mut said = String::new();
    BufReader::new(server.0.stdout.take().expect("piped")).read_line(&mut said)?;
    let address = said.trim().strip_prefix("the figures are at http://").expect(&said);
    let address = address.strip_suffix("/metrics").expect(address);

    assert_eq!(get(address, "/")?.0, "HTTP/1.1 404 Not Found");
    for round in 1..4 {
        let (status, page) = get(address, "/metrics")?;
        assert_eq!(status, "HTTP/1.1 200 OK");
        let samples = samples(&page);
        // The request that asks is in use while the page is written, and is the only one ever.
        assert_eq!(samples[r#"bp_pool_in_use{pool="requests"}"#], 1);
        assert_eq!(samples[r#"bp_pool_gets_total{pool="requests",result="hit"}"#], round);
        assert_eq!(samples[r#"bp_pool_gets_total{pool="requests",result="miss"}"#], 1);
    }
    Ok(())
}
