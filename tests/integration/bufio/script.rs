//! Sources and sinks that misbehave on purpose, in an order that a seed fixes.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic;

use bp_tests::random::Random;

/// What was asked of a source or sink, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Read(usize),
    Write(Vec<u8>),
    Flush,
    Seek(SeekFrom),
}

/// A file in memory that reads and writes short, fails, is interrupted and panics, as its seed
/// has it.
#[derive(Clone)]
pub(crate) struct Scripted {
    pub(crate) data: Vec<u8>,
    pub(crate) position: usize,
    pub(crate) calls: Vec<Call>,
    random: Random,
    panics: bool,
}

impl Scripted {
    pub(crate) fn new(data: Vec<u8>, seed: u64) -> Self {
        Scripted { data, position: 0, calls: Vec::new(), random: Random::new(seed), panics: false }
    }

    pub(crate) fn with_panics(self) -> Self {
        Scripted { panics: true, ..self }
    }

    /// Says how many of `len` bytes move now, if any.
    fn act(&mut self, len: usize) -> io::Result<usize> {
        match self.random.below(16) {
            0 => Err(io::ErrorKind::Interrupted.into()),
            1 => Err(io::ErrorKind::ConnectionReset.into()),
            // Quietly: no hook prints it.
            2 if self.panics => panic::resume_unwind(Box::new("scripted")),
            3..8 => Ok(self.random.below(len + 1)),
            _ => Ok(len),
        }
    }
}

impl Read for Scripted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.calls.push(Call::Read(out.len()));
        let rest = &self.data[self.position.min(self.data.len())..];
        let len = rest.len().min(out.len());
        // None at all would be the end.
        let len = self.act(len)?.max(len.min(1));
        out[..len].copy_from_slice(&self.data[self.position..][..len]);
        self.position += len;
        Ok(len)
    }
}

impl Write for Scripted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls.push(Call::Write(bytes.to_vec()));
        let len = self.act(bytes.len())?;
        let end = self.position + len;
        self.data.resize(end.max(self.data.len()), 0);
        self.data[self.position..end].copy_from_slice(&bytes[..len]);
        self.position = end;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.calls.push(Call::Flush);
        self.act(0).map(drop)
    }
}

impl Seek for Scripted {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.calls.push(Call::Seek(target));
        self.act(0)?;
        let (base, offset) = match target {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::End(offset) => (self.data.len() as u64, offset),
            SeekFrom::Current(offset) => (self.position as u64, offset),
        };
        // Sparse beyond a mebibyte would only cost memory here.
        let position = base.checked_add_signed(offset).filter(|position| *position <= 1 << 20);
        let position = position.ok_or(io::ErrorKind::InvalidInput)?;
        self.position = usize::try_from(position).expect("at most a mebibyte");
        Ok(position)
    }
}

/// Claims to have moved one byte more than it was given.
pub(crate) struct Overclaiming;

impl Read for Overclaiming {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Ok(out.len() + 1)
    }
}

impl Write for Overclaiming {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len() + 1)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
