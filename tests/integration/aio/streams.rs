//! Streams that do exactly what they are told, and streams that do as they like.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use bp_tests::random::Random;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Polls once, with a waker that nobody waits for.
pub(crate) fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// A waker that counts.
#[derive(Default)]
pub(crate) struct Wakes(AtomicUsize);

impl Wakes {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// What a [`Scripted`] stream does next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    /// Gives these bytes to a read.
    Give(&'static [u8]),
    /// Takes up to that many bytes from a write.
    Take(usize),
    /// Is not ready.
    Wait,
    /// Fails.
    Fail(ErrorKind),
}

/// What was done to a [`Scripted`] stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Wrote(Vec<u8>),
    Flushed,
    Shut,
}

/// A stream that follows scripts; past their ends it reads as ended, takes all, and is ready.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    reads: VecDeque<Act>,
    writes: VecDeque<Act>,
    flushes: VecDeque<Act>,
    shutdowns: VecDeque<Act>,
    pub(crate) done: Vec<Done>,
}

impl Scripted {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn reads(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.reads.extend(acts);
        self
    }

    pub(crate) fn writes(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.writes.extend(acts);
        self
    }

    pub(crate) fn flushes(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.flushes.extend(acts);
        self
    }

    pub(crate) fn shutdowns(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.shutdowns.extend(acts);
        self
    }

    /// Returns all bytes that were written.
    pub(crate) fn written(&self) -> Vec<u8> {
        let wrote = |done: &Done| match done {
            Done::Wrote(bytes) => bytes.clone(),
            _ => Vec::new(),
        };
        self.done.iter().flat_map(wrote).collect()
    }
}

fn step(act: Option<Act>) -> Poll<io::Result<()>> {
    match act {
        None => Poll::Ready(Ok(())),
        Some(Act::Wait) => Poll::Pending,
        Some(Act::Fail(kind)) => Poll::Ready(Err(kind.into())),
        Some(act) => panic!("{act:?} is in the wrong script"),
    }
}

impl AsyncRead for Scripted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.reads.pop_front() {
            Some(Act::Give(bytes)) => {
                let now = bytes.len().min(buffer.remaining());
                buffer.put_slice(&bytes[..now]);
                if now < bytes.len() {
                    self.reads.push_front(Act::Give(&bytes[now..]));
                }
                Poll::Ready(Ok(()))
            }
            other => step(other),
        }
    }
}

impl AsyncWrite for Scripted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let taken = match self.writes.pop_front() {
            Some(Act::Take(n)) => n.min(bytes.len()),
            None => bytes.len(),
            other => return step(other).map_ok(|()| 0),
        };
        self.done.push(Done::Wrote(bytes[..taken].to_vec()));
        Poll::Ready(Ok(taken))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let step = step(self.flushes.pop_front());
        if let Poll::Ready(Ok(())) = step {
            self.done.push(Done::Flushed);
        }
        step
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let step = step(self.shutdowns.pop_front());
        if let Poll::Ready(Ok(())) = step {
            self.done.push(Done::Shut);
        }
        step
    }
}

/// A stream that moves a few bytes at a time, is interrupted, and is often not ready; what it
/// takes it shows only after a flush.
#[derive(Debug)]
pub(crate) struct Moody {
    random: Random,
    unread: VecDeque<u8>,
    unflushed: Vec<u8>,
    pub(crate) flushed: Vec<u8>,
    pub(crate) shut: bool,
}

impl Moody {
    pub(crate) fn new(seed: u64, to_read: &[u8]) -> Self {
        Moody {
            random: Random::new(seed),
            unread: to_read.iter().copied().collect(),
            unflushed: Vec::new(),
            flushed: Vec::new(),
            shut: false,
        }
    }

    /// Returns up to how many bytes move now.
    fn mood(&mut self, cx: &Context<'_>) -> Poll<io::Result<usize>> {
        match self.random.below(4) {
            0 => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            1 => Poll::Ready(Err(ErrorKind::Interrupted.into())),
            _ => Poll::Ready(Ok(1 + self.random.below(100))),
        }
    }
}

impl AsyncRead for Moody {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.mood(cx).map_ok(|n| {
            let n = n.min(buffer.remaining()).min(self.unread.len());
            buffer.put_slice(&self.unread.drain(..n).collect::<Vec<_>>());
        })
    }
}

impl AsyncWrite for Moody {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        assert!(!self.shut, "a write after the shutdown");
        self.mood(cx).map_ok(|n| {
            let n = n.min(bytes.len());
            self.unflushed.extend_from_slice(&bytes[..n]);
            n
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.random.below(3) == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let this = &mut *self;
        this.flushed.append(&mut this.unflushed);
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.random.below(3) == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.shut = true;
        Poll::Ready(Ok(()))
    }
}

/// Makes that many bytes that look random.
pub(crate) fn noise(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| u8::try_from(random.below(256)).expect("below 256")).collect()
}
