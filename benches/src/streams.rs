//! Readers and writers for measurements, of types that std and `bp` know nothing about.

use std::hint::black_box;
use std::io::{self, Read, Write};

/// Claims to have read so many bytes, and moves none; what is measured is all the rest.
#[derive(Clone, Copy, Debug)]
pub struct Claims(pub usize);

impl Read for Claims {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = to.len().min(self.0);
        self.0 -= read;
        Ok(read)
    }
}

/// Reads from memory, as a decoder does.
#[derive(Clone, Copy, Debug)]
pub struct Decodes<'a>(pub &'a [u8]);

impl Read for Decodes<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.read(to)
    }
}

/// Takes everything, and does nothing with it.
#[derive(Clone, Copy, Debug)]
pub struct Swallows;

impl Write for Swallows {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        Ok(black_box(from).len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
