//! What the tour knows about one file, in an object that is worth using again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bp::Poolable;

/// The most words a report may have room for and still go back into its pool.
///
/// A huge file would leave a huge table behind, and every small file after it would pay for
/// clearing it and for words that lie far apart.
const MAX_WORDS: usize = 1 << 11;

/// What one file holds.
///
/// The derive makes `ReportPool`, and `ReportRef`, which brings a report back blank when it is
/// dropped. A blank report keeps the memory of its path and of its word table, which had to grow
/// step by step.
#[derive(Poolable)]
#[pool(name = ReportPool, guard = ReportRef)]
#[pool(keep = self.words.capacity() <= MAX_WORDS)]
pub(crate) struct Report {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    /// The length of the longest line.
    pub(crate) longest: u64,
    /// How often each word occurs, by the hash of the word.
    pub(crate) words: HashMap<u64, u64>,
    #[pool(reset = default)]
    pub(crate) checksum: Checksum,
}

impl Report {
    /// Begins the report of the file at `path`.
    pub(crate) fn begin(&mut self, path: &Path) {
        self.path.push(path);
    }

    /// Adds the next bytes of a file that is not text.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.checksum.add(bytes);
    }

    /// Adds a whole text.
    pub(crate) fn add_text(&mut self, text: &[u8]) {
        self.add_bytes(text);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            self.lines += 1;
            self.longest = self.longest.max(line.len() as u64);
            let words = line.split(|byte| !byte.is_ascii_alphanumeric());
            for word in words.filter(|word| !word.is_empty()) {
                *self.words.entry(Checksum::of(word)).or_default() += 1;
            }
        }
    }
}

/// FNV-1a, 64 bits wide: a few lines in any language, for whoever wants to check the tour.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut checksum = Checksum::default();
        checksum.add(bytes);
        checksum.value()
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}
