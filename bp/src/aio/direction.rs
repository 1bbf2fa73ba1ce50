//! One direction of a copy: from a reader to a writer, with a buffer only while it holds data.
//!
//! Each turn reads into a block from the pool and writes all of it before it reads again. So at
//! any moment there is at most one block, and:
//!
//! * Whenever a poll returns `Pending`, a block is held if and only if it has bytes in it that the
//!   writer did not take yet.
//! * Nothing that was read is lost to an error of the reader: it was written before.
//!
//! tokio's copy tops its buffer up while the writer is busy, and loses what it holds when the
//! reader fails then. Tried and dropped: over loopback it was no faster (`benches/aio`).

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::builtin::claim::moved;
use crate::{BytePool, ByteRef};

/// How many blocks move in one poll before other tasks get their turn. tokio's own streams have
/// their own budget; this is for those that are always ready.
const TURNS: usize = 32;

/// The state of one direction.
pub(super) struct Direction<'a> {
    pool: &'a BytePool,
    phase: Phase,
    /// Whether the writer ends with what was read.
    shuts_down: bool,
    /// What was read and is not written yet.
    held: Option<Held>,
    /// How many bytes the writer took.
    copied: u64,
    /// Whether the writer took bytes since it was flushed.
    unflushed: bool,
}

/// What is left to do, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Copying,
    /// The reader ended, and all is written.
    Flushing,
    ShuttingDown,
    Done,
}

/// A block with bytes in it: `start < end`.
struct Held {
    block: ByteRef,
    start: usize,
    end: usize,
}

impl<'a> Direction<'a> {
    /// Ends when all is written and flushed.
    pub(super) fn new(pool: &'a BytePool) -> Self {
        let phase = Phase::Copying;
        Direction { pool, phase, shuts_down: false, held: None, copied: 0, unflushed: false }
    }

    /// Ends when the writer is shut down, too.
    pub(super) fn with_shutdown(pool: &'a BytePool) -> Self {
        Direction { shuts_down: true, ..Direction::new(pool) }
    }

    /// Copies until the reader ends, then ends the writer, and tells how many bytes that were; also
    /// if it is asked again.
    pub(super) fn poll_copy<R, W>(
        &mut self,
        cx: &mut Context<'_>,
        reader: Pin<&mut R>,
        mut writer: Pin<&mut W>,
    ) -> Poll<io::Result<u64>>
    where
        R: AsyncRead + ?Sized,
        W: AsyncWrite + ?Sized,
    {
        if self.phase == Phase::Copying {
            ready!(self.poll_until_end(cx, reader, writer.as_mut()))?;
            self.phase = Phase::Flushing;
        }
        if self.phase == Phase::Flushing {
            ready!(writer.as_mut().poll_flush(cx))?;
            self.phase = if self.shuts_down { Phase::ShuttingDown } else { Phase::Done };
        }
        if self.phase == Phase::ShuttingDown {
            ready!(writer.poll_shutdown(cx))?;
            self.phase = Phase::Done;
        }
        Poll::Ready(Ok(self.copied))
    }

    /// Copies until the reader ends.
    fn poll_until_end<R, W>(
        &mut self,
        cx: &mut Context<'_>,
        mut reader: Pin<&mut R>,
        mut writer: Pin<&mut W>,
    ) -> Poll<io::Result<()>>
    where
        R: AsyncRead + ?Sized,
        W: AsyncWrite + ?Sized,
    {
        for _ in 0..TURNS {
            // Something is held here only if the writer was waited for in an earlier poll.
            let held = match &mut self.held {
                Some(held) => held,
                none => match Held::poll_read(self.pool, cx, reader.as_mut()) {
                    Poll::Ready(Ok(Some(held))) => none.insert(held),
                    Poll::Ready(Ok(None)) => return Poll::Ready(Ok(())),
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                    Poll::Pending => {
                        // The peer may wait for what a buffering writer keeps back, and the
                        // reader for the peer.
                        if self.unflushed {
                            ready!(writer.poll_flush(cx))?;
                            self.unflushed = false;
                        }
                        return Poll::Pending;
                    }
                },
            };
            ready!(held.poll_write(cx, writer.as_mut(), &mut self.copied))?;
            self.held = None;
            self.unflushed = true;
        }
        // Not waiting for anything, so asks to be polled again.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Held {
    /// Reads once, but for interruptions; `None` where the reader has ended.
    fn poll_read<R>(
        pool: &BytePool,
        cx: &mut Context<'_>,
        mut reader: Pin<&mut R>,
    ) -> Poll<io::Result<Option<Self>>>
    where
        R: AsyncRead + ?Sized,
    {
        let mut block = pool.get();
        let given = block.len();
        loop {
            let mut buffer = ReadBuf::new(&mut block);
            match ready!(reader.as_mut().poll_read(cx, &mut buffer)) {
                Ok(()) => {
                    // Safe code can put a `ReadBuf` of its own, and longer, in the place of ours.
                    let end = moved(buffer.filled().len(), given)?;
                    let held = (end > 0).then_some(Held { block, start: 0, end });
                    return Poll::Ready(Ok(held));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// Writes all that is held, and counts it.
    fn poll_write<W>(
        &mut self,
        cx: &mut Context<'_>,
        mut writer: Pin<&mut W>,
        copied: &mut u64,
    ) -> Poll<io::Result<()>>
    where
        W: AsyncWrite + ?Sized,
    {
        while self.start < self.end {
            let rest = &self.block[self.start..self.end];
            match ready!(writer.as_mut().poll_write(cx, rest)) {
                Ok(0) => return Poll::Ready(Err(ErrorKind::WriteZero.into())),
                Ok(claimed) => {
                    let written = moved(claimed, rest.len())?;
                    self.start += written;
                    *copied += written as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }
}
