//! One way: `copy` and `copy_with`.

use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bp::aio::{copy, copy_with, shared_pool};
use bp::{BytePool, OnReturn};
use bp_tests::allocations::{Allocated, allocated_by};
use bp_tests::random::Random;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::streams::Act::{Fail, Give, Take, Wait};
use super::streams::Done::{Flushed, Wrote};
use super::streams::{Moody, Scripted, Wakes, noise, poll_once};

/// Polls until it is ready, however often that is.
fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    for _ in 0..1_000_000 {
        if let Poll::Ready(output) = poll_once(future.as_mut()) {
            return output;
        }
    }
    panic!("does not end");
}

#[test]
fn bytes_arrive_as_they_were_read() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let len = random.below(5000);
        let sent = noise(&mut random, len);
        let pool = BytePool::new(2, 1 + random.below(300));
        let mut reader = Moody::new(seed + 1000, &sent);
        let mut writer = Moody::new(seed + 2000, &[]);

        let copied = finish(copy_with(&pool, &mut reader, &mut writer)).expect("no error");
        assert_eq!(copied, sent.len() as u64);
        assert!(writer.flushed == sent, "seed {seed}");
        assert!(!writer.shut);
        assert_eq!(pool.stats().in_use, 0);
        assert!(pool.stats().misses <= 1, "one block at a time");
    }
}

#[test]
fn a_block_is_held_only_while_it_has_unwritten_bytes() {
    let pool = BytePool::new(2, 8);
    let mut reader = Scripted::new().reads([Wait, Give(b"abcdef"), Wait, Give(b"g"), Wait]);
    let mut writer =
        Scripted::new().writes([Wait, Take(2), Wait, Take(3), Wait]).flushes([Wait, Wait]);
    let mut copying = Box::pin(copy_with(&pool, &mut reader, &mut writer));

    let mut held = Vec::new();
    while poll_once(copying.as_mut()).is_pending() {
        held.push(pool.stats().in_use);
    }
    // Nothing to read; three waits for the writer; a wait for a flush after each piece.
    assert_eq!(held, [0, 1, 1, 1, 0, 0]);
    assert_eq!(pool.stats().in_use, 0);
    drop(copying);
    assert_eq!(writer.written(), b"abcdefg");
}

#[test]
fn the_writer_is_flushed_before_the_reader_is_waited_for() {
    let pool = BytePool::new(2, 8);
    let mut reader = Scripted::new().reads([Wait, Give(b"ask"), Wait, Wait, Give(b"more"), Wait]);
    let mut writer = Scripted::new();
    {
        let mut copying = pin!(copy_with(&pool, &mut reader, &mut writer));
        while poll_once(copying.as_mut()).is_pending() {}
    }
    // Once for each piece, never without one, and in the end.
    let wrote = |text: &str| Wrote(text.into());
    assert_eq!(writer.done, [wrote("ask"), Flushed, wrote("more"), Flushed, Flushed]);
}

#[test]
fn a_flush_that_waits_is_asked_again() {
    let pool = BytePool::new(2, 8);
    let mut reader = Scripted::new().reads([Give(b"ask"), Wait, Wait, Wait]);
    let mut writer = Scripted::new().flushes([Wait, Wait]);
    let mut copying = Box::pin(copy_with(&pool, &mut reader, &mut writer));
    assert!(poll_once(copying.as_mut()).is_pending());
    assert!(poll_once(copying.as_mut()).is_pending());
    assert!(poll_once(copying.as_mut()).is_pending());
    drop(copying);
    assert_eq!(writer.done, [Wrote(b"ask".into()), Flushed]);
}

#[test]
fn what_was_read_before_an_error_is_written() {
    let pool = BytePool::new(2, 4);
    let mut reader = Scripted::new().reads([
        Give(b"before the "),
        Wait,
        Give(b"end"),
        Fail(ErrorKind::TimedOut),
    ]);
    let mut writer = Scripted::new().writes([Take(1), Wait, Take(2)]);
    let error = finish(copy_with(&pool, &mut reader, &mut writer)).expect_err("the reader fails");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert_eq!(writer.written(), b"before the end");
    assert_eq!(pool.stats().in_use, 0);
}

#[test]
fn an_error_of_the_writer_ends_the_copy() {
    let pool = BytePool::new(2, 4);
    let mut reader = Scripted::new().reads([Give(b"abcdefgh")]);
    let mut writer = Scripted::new().writes([Take(3), Fail(ErrorKind::BrokenPipe)]);
    let error = finish(copy_with(&pool, &mut reader, &mut writer)).expect_err("the writer fails");
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    assert_eq!(writer.written(), b"abc");
    assert_eq!(pool.stats().in_use, 0);

    for pieces in [vec![], vec![Give(b"x")]] {
        let mut reader = Scripted::new().reads(pieces);
        let mut writer = Scripted::new().flushes([Fail(ErrorKind::StorageFull)]);
        let error = finish(copy_with(&pool, &mut reader, &mut writer)).expect_err("flush fails");
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }
}

#[test]
fn a_writer_that_takes_nothing_is_an_error() {
    let pool = BytePool::new(2, 4);
    let mut reader = Scripted::new().reads([Give(b"ab")]);
    let mut writer = Scripted::new().writes([Take(1), Take(0)]);
    let error = finish(copy_with(&pool, &mut reader, &mut writer)).expect_err("nothing taken");
    assert_eq!(error.kind(), ErrorKind::WriteZero);
    assert_eq!(pool.stats().in_use, 0);
}

/// Claims more than it was given: the reader by a longer buffer in the place of the one it was
/// lent.
struct Liar;

impl AsyncRead for Liar {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        *buffer = ReadBuf::new(Box::leak(vec![7; 100].into()));
        buffer.advance(100);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Liar {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len() + 1))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[test]
fn streams_that_claim_too_much_are_an_error() {
    let pool = BytePool::new(2, 8);
    let mut writer = Vec::new();
    let error = finish(copy_with(&pool, &mut Liar, &mut writer)).expect_err("a lie");
    assert_eq!((error.kind(), writer.len()), (ErrorKind::InvalidData, 0));

    let error = finish(copy_with(&pool, &mut &b"truth"[..], &mut Liar)).expect_err("a lie");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!(pool.stats().in_use, 0);
}

/// Claims all that it is given, and writes none of it.
struct Claiming(usize);

impl AsyncRead for Claiming {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let claimed = out.initialize_unfilled().len().min(self.0);
        out.advance(claimed);
        self.0 -= claimed;
        Poll::Ready(Ok(()))
    }
}

#[test]
fn bytes_that_a_reader_only_claims_are_those_of_no_other_where_the_pool_wipes() {
    for (on_return, shown) in [(OnReturn::Leave, *b"a secret"), (OnReturn::Zero, [0; 8])] {
        let pool = BytePool::builder(1, 8).on_return(on_return).build().expect("a size");
        finish(copy_with(&pool, &mut &b"a secret"[..], &mut Vec::new())).expect("no error");
        let mut seen = Vec::new();
        let copied = finish(copy_with(&pool, &mut Claiming(8), &mut seen)).expect("no error");
        assert_eq!((copied, seen.as_slice()), (8, &shown[..]), "{on_return:?}");
    }
}

#[test]
fn dropping_the_copy_at_any_point_returns_the_block() {
    let mut points = 0;
    for polls in 0.. {
        let pool = BytePool::new(2, 4);
        let mut reader = Scripted::new().reads([Wait, Give(b"abcdef"), Wait, Give(b"gh"), Wait]);
        let mut writer = Scripted::new()
            .writes([Wait, Take(1), Wait, Take(3), Wait])
            .flushes([Wait, Wait, Wait]);
        let mut copying = Box::pin(copy_with(&pool, &mut reader, &mut writer));
        let ended = (0..polls).any(|_| poll_once(copying.as_mut()).is_ready());
        drop(copying);
        let stats = pool.stats();
        assert_eq!((stats.in_use, stats.discarded_panic), (0, 0), "after {polls} polls");
        assert!(b"abcdefgh".starts_with(&writer.written()), "after {polls} polls");
        if ended {
            break;
        }
        points += 1;
    }
    assert!(points >= 8, "{points}");
}

#[test]
fn a_panic_of_a_stream_costs_one_block() {
    let pool = BytePool::new(2, 4);
    // `Take` is nothing that a reader can do.
    let mut reader = Scripted::new().reads([Give(b"a"), Take(1)]);
    let mut writer = tokio::io::sink();
    let copying = copy_with(&pool, &mut reader, &mut writer);
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| finish(copying)));
    assert!(panic.is_err());
    assert_eq!((pool.stats().in_use, pool.stats().discarded_panic), (0, 1));
}

#[test]
fn streams_that_are_always_ready_let_others_run() {
    let pool = BytePool::new(2, 1024);
    let (mut reader, mut writer) = (tokio::io::repeat(7), Vec::new());
    let mut copying = Box::pin(copy_with(&pool, &mut reader, &mut writer));
    let count = Arc::new(Wakes::default());
    let waker = Waker::from(Arc::clone(&count));
    for poll in 1..10 {
        assert!(copying.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(count.get(), poll, "asks to be polled again");
        assert_eq!(pool.stats().in_use, 0);
    }
    drop(copying);
    assert!(writer.len() >= 9 * 1024);
}

#[test]
fn a_closed_or_empty_pool_serves_all_the_same() {
    for (capacity, closed) in [(0, false), (4, true)] {
        let pool = BytePool::new(capacity, 16);
        if closed {
            pool.close();
        }
        let mut writer = Vec::new();
        assert_eq!(finish(copy_with(&pool, &mut &[9; 100][..], &mut writer)).ok(), Some(100));
        assert_eq!(writer, [9; 100]);
        assert_eq!((pool.stats().in_use, pool.len()), (0, 0));
    }
}

#[test]
fn a_warm_copy_allocates_nothing() {
    let pool = BytePool::new(2, 1024);
    let sent = [5; 10_000];
    let mut received = Vec::with_capacity(sent.len());
    let mut run = || {
        received.clear();
        assert_eq!(finish(copy_with(&pool, &mut &sent[..], &mut received)).ok(), Some(10_000));
    };
    run();
    assert_eq!(allocated_by(run), Allocated::NOTHING);
}

#[test]
fn without_a_pool_the_shared_one_is_used() {
    let before = shared_pool().stats();
    let mut writer = Vec::new();
    assert_eq!(finish(copy(&mut &b"shared"[..], &mut writer)).ok(), Some(6));
    let after = shared_pool().stats();
    assert_eq!(writer, b"shared");
    assert!(after.hits + after.misses > before.hits + before.misses);
}

/// A future that is spawned must be `Send`.
#[test]
fn copies_are_send_where_their_streams_are() {
    fn send(_: impl Send) {}
    let pool = BytePool::new(2, 16);
    send(copy_with(&pool, &mut &b""[..], &mut Vec::new()));
    send(copy(&mut &b""[..], &mut Vec::new()));
}
