//! Connections whose other side is written down.

use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind, Read, Write};

use bp::MultiBytePool;
use bp_examples::memcached::{Buffers, Client};

/// A connection that gives one answer to each request, whatever was asked.
#[derive(Debug)]
pub(crate) struct Script {
    /// The answers to the requests that were not made yet.
    pub(crate) answers: VecDeque<Vec<u8>>,
    pub(crate) answer: Cursor<Vec<u8>>,
    /// The most bytes that one read returns.
    pub(crate) chunk: usize,
    /// What a read gets after the end of an answer; the end of the stream if nothing else.
    pub(crate) error: Option<ErrorKind>,
    /// Whether each read fails once before it succeeds.
    pub(crate) interrupts: bool,
    pub(crate) interrupted: bool,
    /// The requests.
    pub(crate) sent: Vec<u8>,
}

impl Script {
    pub(crate) fn new(answers: &[&[u8]]) -> Self {
        Script {
            answers: answers.iter().map(|answer| answer.to_vec()).collect(),
            answer: Cursor::default(),
            chunk: usize::MAX,
            error: None,
            interrupts: false,
            interrupted: false,
            // Enough for the tests that count what the client allocates.
            sent: Vec::with_capacity(4096),
        }
    }
}

impl Read for Script {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.interrupts {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
        }
        let room = out.len().min(self.chunk);
        match (self.answer.read(&mut out[..room])?, self.error) {
            (0, Some(error)) if room > 0 => Err(error.into()),
            (read, _) => Ok(read),
        }
    }
}

impl Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sent.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Ends a request.
    fn flush(&mut self) -> io::Result<()> {
        if let Some(answer) = self.answers.pop_front() {
            self.answer = Cursor::new(answer);
        }
        Ok(())
    }
}

/// Connects to a script.
pub(crate) fn client(script: Script) -> (Client<Script>, Buffers) {
    let buffers = Buffers::new(4);
    (Client::new(script, &buffers), buffers)
}

/// A pool whose largest class is smaller than the longest value.
pub(crate) fn pool() -> MultiBytePool {
    let classes = MultiBytePool::builder().class(8, 64).class(8, 1024).class(8, 4096);
    classes.build().expect("classes differ")
}
