//! Copying both ways between tokio's streams, and sleeping, with pools and without.
//!
//! On one thread, over loopback: a client, a server and the relay between them take turns there,
//! so the figures are costs, not speeds of a network.

use std::alloc::{GlobalAlloc, Layout, System};
use std::future::Future;
use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use bp::BytePool;
use bp::aio::{SleepPool, copy_bidirectional_with};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

const ROUNDS: usize = 9;
const STREAMED: usize = 256 << 20;
const EXCHANGES: u32 = 20_000;
const IDLE: usize = 1000;
const SLEEPS: u32 = 200_000;

/// Counts the bytes that are in use.
struct Counting(AtomicUsize);

// SAFETY: every call goes to `System` as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        self.0.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting(AtomicUsize::new(0));

/// A way to copy.
#[derive(Clone)]
enum Relay {
    /// tokio's, with two buffers of that size for as long as the connection stands.
    Tokio(usize),
    /// With buffers of a pool.
    Pooled(BytePool),
}

impl Relay {
    async fn run(self, mut a: TcpStream, mut b: TcpStream) -> io::Result<(u64, u64)> {
        match self {
            Relay::Tokio(size) => {
                tokio::io::copy_bidirectional_with_sizes(&mut a, &mut b, size, size).await
            }
            Relay::Pooled(pool) => copy_bidirectional_with(&pool, &mut a, &mut b).await,
        }
    }
}

/// Connects a client and a server through a relay.
async fn connect(listener: &TcpListener, relay: Relay) -> io::Result<(TcpStream, TcpStream)> {
    let address = listener.local_addr()?;
    let client = TcpStream::connect(address).await?;
    let (a, _) = listener.accept().await?;
    let b = TcpStream::connect(address).await?;
    let (server, _) = listener.accept().await?;
    for stream in [&client, &a, &b, &server] {
        stream.set_nodelay(true)?;
    }
    tokio::spawn(relay.run(a, b));
    Ok((client, server))
}

/// Sends one way as much as goes; returns nanoseconds per KiB.
async fn stream(mut client: TcpStream, mut server: TcpStream) -> io::Result<f64> {
    let start = Instant::now();
    let sender = tokio::spawn(async move {
        let piece = vec![7; 256 * 1024];
        for _ in 0..STREAMED / piece.len() {
            client.write_all(&piece).await?;
        }
        client.shutdown().await
    });
    let (mut buffer, mut received) = (vec![0; 256 * 1024], 0);
    loop {
        match server.read(&mut buffer).await? {
            0 => break,
            n => received += n,
        }
    }
    sender.await??;
    assert_eq!(received, STREAMED);
    #[allow(clippy::cast_precision_loss)]
    Ok(start.elapsed().as_secs_f64() * 1e9 / (STREAMED / 1024) as f64)
}

/// Sends 64 bytes there and back; returns nanoseconds per exchange.
async fn exchange(mut client: TcpStream, mut server: TcpStream) -> io::Result<f64> {
    let mut message = [7; 64];
    let start = Instant::now();
    for _ in 0..EXCHANGES {
        client.write_all(&message).await?;
        server.read_exact(&mut message).await?;
        server.write_all(&message).await?;
        client.read_exact(&mut message).await?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(EXCHANGES))
}

/// Returns the heap that each of many idle connections holds.
async fn idle(listener: &TcpListener, relay: Relay) -> io::Result<usize> {
    let mut connections = Vec::with_capacity(IDLE);
    let before = ALLOCATOR.0.load(Relaxed);
    for _ in 0..IDLE {
        let (mut client, mut server) = connect(listener, relay.clone()).await?;
        client.write_all(b"?").await?;
        server.read_exact(&mut [0]).await?;
        connections.push((client, server));
    }
    let held = (ALLOCATOR.0.load(Relaxed) - before) / IDLE;
    // The relays must have ended before the next ones are counted.
    drop(connections);
    tokio::time::sleep(Duration::from_millis(500)).await;
    Ok(held)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Polls once and drops, as a timeout does that is not reached; returns nanoseconds per sleep.
fn sleeps<F: Future>(mut sleep: impl FnMut() -> F) -> f64 {
    let mut cx = Context::from_waker(Waker::noop());
    let start = Instant::now();
    for _ in 0..SLEEPS {
        let mut sleep = std::pin::pin!(tokio::task::unconstrained(sleep()));
        assert!(black_box(sleep.as_mut().poll(&mut cx)).is_pending());
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(SLEEPS)
}

async fn run() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    // What tokio allocates once, it allocates now.
    idle(&listener, Relay::Tokio(1)).await?;
    let relays = [
        ("tokio, 8 KiB", Relay::Tokio(8 * 1024)),
        ("tokio, 16 KiB", Relay::Tokio(16 * 1024)),
        ("tokio, 64 KiB", Relay::Tokio(64 * 1024)),
        ("pooled, 8 KiB", Relay::Pooled(BytePool::new(64, 8 * 1024))),
        ("pooled, 16 KiB", Relay::Pooled(BytePool::new(64, 16 * 1024))),
        ("pooled, 64 KiB", Relay::Pooled(BytePool::new(64, 64 * 1024))),
    ];
    let mut figures = vec![(Vec::new(), Vec::new()); relays.len()];
    for _ in 0..ROUNDS {
        for ((_, relay), (streamed, exchanged)) in relays.iter().zip(&mut figures) {
            let (client, server) = connect(&listener, relay.clone()).await?;
            streamed.push(stream(client, server).await?);
            let (client, server) = connect(&listener, relay.clone()).await?;
            exchanged.push(exchange(client, server).await?);
        }
    }
    println!("{:<16}{:>12}{:>14}{:>20}", "relay", "ns per KiB", "ns per 64 B", "heap per idle one");
    for ((name, relay), (streamed, exchanged)) in relays.into_iter().zip(figures) {
        let (streamed, exchanged) = (median(streamed), median(exchanged));
        let idle = idle(&listener, relay).await?;
        println!("{name:<16}{streamed:>12.0}{exchanged:>14.0}{idle:>20}");
    }

    let hour = Duration::from_hours(1);
    let pool = SleepPool::new(4);
    let mut figures = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        figures[0].push(sleeps(|| Box::pin(tokio::time::sleep(hour))));
        figures[1].push(sleeps(|| tokio::time::sleep(hour)));
        figures[2].push(sleeps(|| pool.get(hour)));
    }
    println!("\nns per sleep that is polled once and dropped");
    for (name, figures) in ["boxed", "on the stack", "pooled"].into_iter().zip(figures) {
        println!("{name:<16}{:>12.0}", median(figures));
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run())
}
