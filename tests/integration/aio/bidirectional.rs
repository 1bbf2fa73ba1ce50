//! Both ways: `copy_bidirectional` and `copy_bidirectional_with`.

use std::io::{self, ErrorKind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use bp::BytePool;
use bp::aio::{copy_bidirectional, copy_bidirectional_with};
use bp_tests::random::Random;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::streams::Act::{self, Fail, Give, Take, Wait};
use super::streams::Done::{Flushed, Shut, Wrote};
use super::streams::{Moody, Scripted, noise, poll_once};

type Copying = JoinHandle<io::Result<(u64, u64)>>;

/// Starts a proxy between two streams.
fn between<A, B>(pool: &BytePool, mut a: A, mut b: B) -> Copying
where
    A: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
    B: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let pool = pool.clone();
    tokio::spawn(async move { copy_bidirectional_with(&pool, &mut a, &mut b).await })
}

/// Makes a connection over loopback: both of its ends.
async fn connection(listener: &TcpListener) -> io::Result<(TcpStream, TcpStream)> {
    let connecting = TcpStream::connect(listener.local_addr()?);
    let (near, far) = tokio::join!(connecting, listener.accept());
    Ok((near?, far?.0))
}

/// A client and a server with a proxy between them.
async fn proxied(
    pool: &BytePool,
    listener: &TcpListener,
) -> io::Result<(TcpStream, TcpStream, Copying)> {
    let (client, a) = connection(listener).await?;
    let (b, server) = connection(listener).await?;
    Ok((client, server, between(pool, a, b)))
}

/// Waits until no block is held; what a poll holds for a moment is none of anyone's business.
async fn until_none_is_held(pool: &BytePool) {
    for _ in 0..1000 {
        if pool.stats().in_use == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{} blocks are held", pool.stats().in_use);
}

#[tokio::test]
async fn bytes_arrive_both_ways_as_they_were_read() -> io::Result<()> {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let lens = (random.below(4000), random.below(4000));
        let (from_a, from_b) = (noise(&mut random, lens.0), noise(&mut random, lens.1));
        let pool = BytePool::new(2, 1 + random.below(200));
        let mut a = Moody::new(seed + 1000, &from_a);
        let mut b = Moody::new(seed + 2000, &from_b);
        let copied = copy_bidirectional_with(&pool, &mut a, &mut b).await?;
        assert_eq!(copied, (from_a.len() as u64, from_b.len() as u64));
        assert!(b.flushed == from_a && a.flushed == from_b, "seed {seed}");
        assert!(a.shut && b.shut);
        assert_eq!(pool.stats().in_use, 0);
        assert!(pool.stats().misses <= 2, "one block each way");
    }
    Ok(())
}

/// Writes in pieces of random sizes, and ends.
async fn send(
    stream: &mut (impl AsyncWriteExt + Unpin),
    bytes: &[u8],
    seed: u64,
) -> io::Result<()> {
    let mut random = Random::new(seed);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (now, later) = rest.split_at((1 + random.below(100_000)).min(rest.len()));
        stream.write_all(now).await?;
        rest = later;
    }
    stream.shutdown().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_pass_tcp_as_they_were_sent() -> io::Result<()> {
    let pool = BytePool::new(16, 16 * 1024);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let lens = (random.below(3_000_000), random.below(3_000_000));
        let (there, back) = (noise(&mut random, lens.0), noise(&mut random, lens.1));
        let (mut client, mut server, proxy) = proxied(&pool, &listener).await?;

        let (mut client_in, mut client_out) = client.split();
        let (mut server_in, mut server_out) = server.split();
        let (mut at_server, mut at_client) = (Vec::new(), Vec::new());
        tokio::try_join!(
            send(&mut client_out, &there, seed + 1),
            send(&mut server_out, &back, seed + 2),
            server_in.read_to_end(&mut at_server),
            client_in.read_to_end(&mut at_client),
        )?;
        assert!(at_server == there && at_client == back, "seed {seed}");
        let copied = proxy.await??;
        assert_eq!(copied, (there.len() as u64, back.len() as u64));
        assert_eq!(pool.stats().in_use, 0);
    }
    Ok(())
}

#[tokio::test]
async fn after_one_end_the_other_way_goes_on() -> io::Result<()> {
    let pool = BytePool::new(4, 1024);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (mut client, mut server, proxy) = proxied(&pool, &listener).await?;

    client.write_all(b"that is all").await?;
    client.shutdown().await?;
    let mut request = Vec::new();
    server.read_to_end(&mut request).await?;
    assert_eq!(request, b"that is all");

    // The client said that it ends, and can still be answered.
    let mut answer = [0; 6];
    server.write_all(b"answer").await?;
    client.read_exact(&mut answer).await?;
    assert_eq!(&answer, b"answer");
    until_none_is_held(&pool).await;
    assert!(!proxy.is_finished());

    server.write_all(b", and an end").await?;
    drop(server);
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).await?;
    assert_eq!(rest, b", and an end");
    assert_eq!(proxy.await??, (11, 18));
    Ok(())
}

#[test]
fn each_writer_is_flushed_then_shut_once() {
    let pool = BytePool::new(4, 16);
    let mut a = Scripted::new().reads([Give(b"ask")]).shutdowns([Wait]);
    let mut b = Scripted::new().reads([Wait, Wait, Give(b"tell")]).shutdowns([Wait, Wait]);
    {
        let mut copying = pin!(copy_bidirectional_with(&pool, &mut a, &mut b));
        let mut polls = 0;
        while poll_once(copying.as_mut()).is_pending() {
            polls += 1;
            assert!(polls < 10, "does not end");
            assert_eq!(pool.stats().in_use, 0);
        }
    }
    assert_eq!(b.done, [Wrote(b"ask".into()), Flushed, Shut]);
    assert_eq!(a.done, [Wrote(b"tell".into()), Flushed, Shut]);
}

/// Copies both ways, with the streams on either side, until that ends; within a few polls.
fn copied(
    pool: &BytePool,
    mut first: Scripted,
    mut second: Scripted,
    swapped: bool,
) -> (io::Result<(u64, u64)>, Scripted, Scripted) {
    let (a, b) = if swapped { (&mut second, &mut first) } else { (&mut first, &mut second) };
    let result = {
        let mut copying = pin!(copy_bidirectional_with(pool, a, b));
        let polled = (0..10).find_map(|_| match poll_once(copying.as_mut()) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        });
        polled.expect("an end")
    };
    (result, first, second)
}

/// Makes a stream that acts so at some point.
type Breaking = fn(Act) -> Scripted;

#[test]
fn an_error_of_either_side_ends_both_ways() {
    let fail = Fail(ErrorKind::ConnectionReset);
    // How a stream is broken, and what of "data" reaches it all the same.
    let broken: [(&str, Breaking, &[u8]); 4] = [
        ("read", |fail| Scripted::new().reads([Give(b"some"), fail]), b"data"),
        (
            "write",
            |fail| Scripted::new().reads([Give(b"some"), Wait]).writes([Take(2), fail]),
            b"da",
        ),
        ("flush", |fail| Scripted::new().reads([Give(b"some"), Wait]).flushes([fail]), b"data"),
        (
            "shutdown",
            |fail| Scripted::new().reads([Give(b"some"), Wait]).shutdowns([fail]),
            b"data",
        ),
    ];
    for (what, broken, arrived) in broken {
        for swapped in [false, true] {
            let pool = BytePool::new(4, 16);
            let healthy = Scripted::new().reads([Give(b"data")]);
            let (result, broken, healthy) = copied(&pool, broken(fail), healthy, swapped);
            let error = result.expect_err(what);
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{what}");
            assert_eq!(pool.stats().in_use, 0, "{what}");

            // The direction that failed wrote what it had read; the other may not have begun.
            let (told, heard) = (healthy.written(), broken.written());
            assert!(told.is_empty() || told == b"some", "{what}: {told:?}");
            assert!(heard.is_empty() || heard == arrived, "{what}: {heard:?}");
            let failed = if what == "read" { told } else { heard };
            assert!(!failed.is_empty(), "{what}");
        }
    }
}

#[test]
fn dropping_both_ways_at_any_point_returns_the_blocks() {
    let mut most = 0;
    for polls in 0.. {
        let pool = BytePool::new(4, 4);
        let side = || {
            Scripted::new()
                .reads([Wait, Give(b"abcdef"), Wait, Give(b"gh"), Wait])
                .writes([Wait, Take(1), Wait, Take(3), Wait])
                .flushes([Wait, Wait])
                .shutdowns([Wait])
        };
        let (mut a, mut b) = (side(), side());
        let mut copying = Box::pin(copy_bidirectional_with(&pool, &mut a, &mut b));
        let ended = (0..polls).any(|_| poll_once(copying.as_mut()).is_ready());
        most = most.max(pool.stats().in_use);
        drop(copying);
        assert_eq!(pool.stats().in_use, 0, "after {polls} polls");
        if ended {
            break;
        }
    }
    assert_eq!(most, 2, "each way held a block at some point");
}

#[tokio::test]
async fn a_writer_that_is_stuck_holds_one_block_until_it_is_dropped() -> io::Result<()> {
    let pool = BytePool::new(4, 1024);
    let (mut client, a) = duplex(64);
    let (b, mut server) = duplex(64);
    let proxy = between(&pool, a, b);
    // Nobody reads at the server: 64 bytes lie there, and the rest is in a block.
    client.write_all(&[1; 128]).await?;
    while pool.stats().in_use == 0 {
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
        assert_eq!(pool.stats().in_use, 1);
    }
    server.read_exact(&mut [0; 128]).await?;
    until_none_is_held(&pool).await;

    client.write_all(&[1; 128]).await?;
    while pool.stats().in_use == 0 {
        tokio::task::yield_now().await;
    }
    proxy.abort();
    assert!(proxy.await.is_err_and(|error| error.is_cancelled()));
    assert_eq!(pool.stats().in_use, 0);
    Ok(())
}

/// Sends through every connection, one after the other, and says whether all arrived.
async fn echo_through<S>(clients: &mut [S], servers: &mut [S]) -> io::Result<()>
where
    S: AsyncReadExt + AsyncWriteExt + Unpin,
{
    for (index, (client, server)) in clients.iter_mut().zip(servers).enumerate() {
        let sent = format!("connection {index}").repeat(10);
        let mut received = vec![0; sent.len()];
        client.write_all(sent.as_bytes()).await?;
        server.read_exact(&mut received).await?;
        assert_eq!(received, sent.as_bytes());
        server.write_all(&received).await?;
        client.read_exact(&mut received).await?;
        assert_eq!(received, sent.as_bytes());
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn case_34_idle_connections_hold_no_buffer() -> io::Result<()> {
    let pool = BytePool::new(64, 64 * 1024);

    let mut memory: (Vec<DuplexStream>, Vec<DuplexStream>) = Default::default();
    let mut tcp: (Vec<TcpStream>, Vec<TcpStream>) = Default::default();
    let mut proxies = Vec::new();
    for _ in 0..2000 {
        let ((client, a), (b, server)) = (duplex(256), duplex(256));
        memory.0.push(client);
        memory.1.push(server);
        proxies.push(between(&pool, a, b));
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    for _ in 0..100 {
        let (client, server, proxy) = proxied(&pool, &listener).await?;
        tcp.0.push(client);
        tcp.1.push(server);
        proxies.push(proxy);
    }

    // Never used, then used, then idle once more.
    until_none_is_held(&pool).await;
    for _ in 0..2 {
        echo_through(&mut memory.0, &mut memory.1).await?;
        echo_through(&mut tcp.0, &mut tcp.1).await?;
        until_none_is_held(&pool).await;
    }
    // Two threads, each in one poll at a time.
    assert!(pool.stats().misses <= 4, "{:?}", pool.stats());
    assert!(proxies.iter().all(|proxy| !proxy.is_finished()));

    drop((memory, tcp));
    for proxy in proxies {
        proxy.await??;
    }
    Ok(())
}

#[tokio::test]
async fn without_a_pool_the_shared_one_is_used() -> io::Result<()> {
    let mut a = tokio::io::join(&b"to b"[..], Vec::new());
    let mut b = tokio::io::join(&b"to a!"[..], Vec::new());
    assert_eq!(copy_bidirectional(&mut a, &mut b).await?, (4, 5));
    assert_eq!((&a.writer()[..], &b.writer()[..]), (&b"to a!"[..], &b"to b"[..]));
    Ok(())
}
