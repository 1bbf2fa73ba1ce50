//! Numbers that look random and are the same in every run.

/// A generator after Marsaglia (xorshift64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        // No state may be 0, and small seeds must not begin alike.
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }

    /// Returns that many bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| u8::try_from(self.below(256)).expect("8 bits")).collect()
    }
}
