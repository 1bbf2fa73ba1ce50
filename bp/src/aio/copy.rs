//! `copy` and `copy_bidirectional`: what a proxy does all day, without a buffer while it waits.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite};

use super::direction::Direction;
use crate::BytePool;

/// The size of the blocks of the process-wide pool. 64 KiB move up to a fifth faster over loopback,
/// but a peer that is slow holds a block, and tokio's 8 KiB cost 1.4 times as much
/// (`benches/aio`).
const SHARED_SIZE: usize = 16 * 1024;

crate::pool! {
    /// At most 4 MiB idle: a block is out for no longer than one poll, unless a writer is slow.
    static SHARED: BytePool = BytePool::new(256, SHARED_SIZE);
}

/// Returns the process-wide pool that [`copy`] and [`copy_bidirectional`] use: up to 256 idle
/// blocks of 16 KiB.
///
/// To be watched and trimmed like any other pool.
///
/// # Examples
///
/// ```
/// let stats = bp::aio::shared_pool().stats();
/// println!("{} copy buffers hold data, {} are idle", stats.in_use, stats.idle);
/// bp::aio::shared_pool().trim();
/// ```
pub fn shared_pool() -> &'static BytePool {
    &SHARED
}

/// Copies all of a reader to a writer, and returns how many bytes that were; with blocks from a
/// process-wide pool.
///
/// A block is held only while there are bytes in it that the writer did not take yet: neither
/// while the reader has nothing, nor while the writer is flushed. The writer is flushed in the
/// end, and whenever the reader has nothing to read.
///
/// # Cancel safety
///
/// Dropping the future returns the block. Bytes that were read and not written are lost then, and
/// only those: nothing is read ahead.
///
/// # Readers that lie
///
/// Blocks are not wiped between copies. A reader that claims bytes which it did not write passes on
/// what another copy, of another connection perhaps, left in the block. Where readers are not
/// trusted that far, use [`copy_with`] and a pool that wipes.
///
/// # Errors
///
/// The first error of the reader or the writer, other than an interruption of a read or a write,
/// which is retried. All that was read before an error of the reader has been written, though
/// perhaps not flushed. `WriteZero` if the writer takes nothing more, `InvalidData` if a stream
/// claims more bytes than it was given.
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let mut reader = "from a socket".as_bytes();
/// let mut writer = Vec::new();
/// assert_eq!(bp::aio::copy(&mut reader, &mut writer).await?, 13);
/// # Ok(()) }
/// ```
pub async fn copy<R, W>(reader: &mut R, writer: &mut W) -> io::Result<u64>
where
    R: AsyncRead + Unpin + ?Sized,
    W: AsyncWrite + Unpin + ?Sized,
{
    copy_with(&SHARED, reader, writer).await
}

/// Copies all of a reader to a writer, with blocks from a pool of one's own; otherwise as
/// [`copy`].
///
/// What moves at a time is one block. A slow writer holds one, so with many of those the size of
/// the blocks bounds the memory.
///
/// A reader that claims bytes it did not write passes on what an earlier copy left in the block.
/// Where readers are not trusted that far, pass a pool that is built with
/// [`on_return(OnReturn::Zero)`](crate::Builder::on_return).
///
/// # Errors
///
/// As [`copy`].
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let pool = bp::BytePool::new(16, 4096);
/// let mut writer = Vec::new();
/// bp::aio::copy_with(&pool, &mut "from a socket".as_bytes(), &mut writer).await?;
/// assert_eq!(writer, b"from a socket");
/// assert_eq!(pool.stats().in_use, 0);
/// # Ok(()) }
/// ```
pub async fn copy_with<R, W>(pool: &BytePool, reader: &mut R, writer: &mut W) -> io::Result<u64>
where
    R: AsyncRead + Unpin + ?Sized,
    W: AsyncWrite + Unpin + ?Sized,
{
    let mut direction = Direction::new(pool);
    poll_fn(|cx| direction.poll_copy(cx, Pin::new(&mut *reader), Pin::new(&mut *writer))).await
}

/// Copies both ways between two streams until both have ended, and returns how many bytes went
/// from `a` to `b` and from `b` to `a`; with blocks from a process-wide pool.
///
/// When one stream ends, the other is shut down for writing, and the other direction goes on: what
/// tokio's function of this name does. Each direction holds a block only while there are bytes in
/// it that its writer did not take yet.
///
/// # Cancel safety, readers that lie
///
/// As [`copy`]; [`copy_bidirectional_with`] takes a pool.
///
/// # Errors
///
/// The first error of either stream, of reading, writing, flushing or shutting down; both
/// directions end with it. Otherwise as [`copy`].
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// // Each end reads what it has to say, and collects what it is told.
/// let mut client = tokio::io::join("a request".as_bytes(), Vec::new());
/// let mut server = tokio::io::join("an answer".as_bytes(), Vec::new());
/// assert_eq!(bp::aio::copy_bidirectional(&mut client, &mut server).await?, (9, 9));
/// assert_eq!(client.writer(), b"an answer");
/// assert_eq!(server.writer(), b"a request");
/// # Ok(()) }
/// ```
pub async fn copy_bidirectional<A, B>(a: &mut A, b: &mut B) -> io::Result<(u64, u64)>
where
    A: AsyncRead + AsyncWrite + Unpin + ?Sized,
    B: AsyncRead + AsyncWrite + Unpin + ?Sized,
{
    copy_bidirectional_with(&SHARED, a, b).await
}

/// Copies both ways between two streams, with blocks from a pool of one's own; otherwise as
/// [`copy_bidirectional`].
///
/// # Errors
///
/// As [`copy_bidirectional`].
///
/// # Examples
///
/// A proxy in one line per connection:
///
/// ```no_run
/// # async fn run() -> std::io::Result<()> {
/// # use tokio::net::{TcpListener, TcpStream};
/// let pool = bp::BytePool::new(64, 16 * 1024);
/// let listener = TcpListener::bind("127.0.0.1:8080").await?;
/// loop {
///     let (mut client, _) = listener.accept().await?;
///     let pool = pool.clone();
///     tokio::spawn(async move {
///         let mut server = TcpStream::connect("127.0.0.1:80").await?;
///         bp::aio::copy_bidirectional_with(&pool, &mut client, &mut server).await
///     });
/// }
/// # }
/// ```
pub async fn copy_bidirectional_with<A, B>(
    pool: &BytePool,
    a: &mut A,
    b: &mut B,
) -> io::Result<(u64, u64)>
where
    A: AsyncRead + AsyncWrite + Unpin + ?Sized,
    B: AsyncRead + AsyncWrite + Unpin + ?Sized,
{
    let mut there = Direction::with_shutdown(pool);
    let mut back = Direction::with_shutdown(pool);
    poll_fn(|cx| {
        // Both are polled before either is waited for; an error of one ends both.
        let a_to_b = there.poll_copy(cx, Pin::new(&mut *a), Pin::new(&mut *b))?;
        let b_to_a = back.poll_copy(cx, Pin::new(&mut *b), Pin::new(&mut *a))?;
        Poll::Ready(Ok((ready!(a_to_b), ready!(b_to_a))))
    })
    .await
}
