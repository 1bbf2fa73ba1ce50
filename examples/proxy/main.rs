//! A TCP proxy that holds no buffer for a connection with nothing to say.
//!
//! ```text
//! cargo run --release --example proxy [connections]
//! ```
//!
//! Opens connections to itself over loopback, through the proxy to an echo server; lets them idle;
//! then sends data through some of them and checks what comes back. The proxy itself is `serve`:
//! it has a pool and one call that tokio's users know, and nothing else to do with buffers.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use bp::BytePool;
use bp::aio::{copy, copy_bidirectional_with};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How many connections are opened unless told otherwise.
const CONNECTIONS: usize = 2000;

/// How many of them send data in the end, and how much each.
const BUSY: usize = 100;
const PUSHED: usize = 256 * 1024;

/// Each connection is four sockets of this process: both ends of both of its legs.
const SOCKETS: usize = 4;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The proxy: passes each connection on to the server, until either hangs up.
async fn serve(listener: TcpListener, server: SocketAddr, pool: BytePool) -> io::Result<()> {
    loop {
        let (mut client, _) = listener.accept().await?;
        let pool = pool.clone();
        tokio::spawn(async move {
            let mut server = TcpStream::connect(server).await?;
            copy_bidirectional_with(&pool, &mut client, &mut server).await
        });
    }
}

/// The server behind it: says what it hears. Its buffers come from the process-wide pool.
async fn echo(listener: TcpListener) -> io::Result<()> {
    loop {
        let (mut stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            let (mut reader, mut writer) = stream.split();
            copy(&mut reader, &mut writer).await
        });
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proxy: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let wanted = match env::args().nth(1) {
        Some(number) => number.parse().map_err(|_| format!("`{number}` is not a number"))?,
        None => CONNECTIONS,
    };
    let connections = wanted.min(most_connections());

    let pool = BytePool::new(64, 16 * 1024);
    let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let (front, back) = (TcpListener::bind(loopback).await?, TcpListener::bind(loopback).await?);
    let (proxy, server) = (front.local_addr()?, back.local_addr()?);
    tokio::spawn(echo(back));
    tokio::spawn(serve(front, server, pool.clone()));

    // A byte there and back shows that each connection stands.
    let mut clients = Vec::with_capacity(connections);
    for _ in 0..connections {
        let mut client = TcpStream::connect(proxy).await?;
        client.write_all(b"?").await?;
        client.read_exact(&mut [0]).await?;
        clients.push(client);
    }
    // What a thread polls just now may hold a buffer for that moment.
    let deadline = Instant::now() + Duration::from_secs(10);
    while pool.stats().in_use > 0 && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    println!("idle connections      {connections}");
    println!("buffers held by them  {}", pool.stats().in_use);

    let mut busy = JoinSet::new();
    for (index, client) in clients.drain(..BUSY.min(connections)).enumerate() {
        busy.spawn(push(client, index));
    }
    let mut checked = 0;
    while let Some(pushed) = busy.join_next().await {
        checked += pushed??;
    }
    println!("bytes checked         {checked}");

    let stats = pool.stats();
    println!("buffers ever made     {}, used {} times", stats.misses, stats.hits + stats.misses);
    Ok(())
}

/// Sends a pattern, and tells how many bytes came back as they were sent.
async fn push(mut client: TcpStream, index: usize) -> Result<usize> {
    // A prime, so that no buffer's size is a multiple of it.
    let sent: Vec<u8> = (0_u8..251).cycle().skip(index).take(PUSHED).collect();
    let mut received = vec![0; PUSHED];
    let (mut reader, mut writer) = client.split();
    tokio::try_join!(writer.write_all(&sent), reader.read_exact(&mut received))?;
    if received != sent {
        return Err(format!("connection {index} got other bytes than it sent").into());
    }
    Ok(received.len())
}

/// Returns how many connections this process may open, if the system tells.
fn most_connections() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let files = line.and_then(|line| line.split_whitespace().next());
    let files = files.map_or(1024, |soft| soft.parse().unwrap_or(usize::MAX));
    // Some are open already: standard streams, listeners, what the runtime needs.
    files.saturating_sub(64) / SOCKETS
}
