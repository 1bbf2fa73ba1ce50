//! `Subsampling`: how many pixels share one colour sample.

use std::fmt::{self, Display};

/// How many pixels share one sample of each colour, across and down.
///
/// # Examples
///
/// ```
/// use bp::Subsampling;
///
/// assert_eq!(Subsampling::S420.factors(), (2, 2));
/// assert_eq!(Subsampling::S444.to_string(), "4:4:4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subsampling {
    /// 4:4:4, each pixel has its own.
    S444,
    /// 4:2:2, shared by two in a row.
    S422,
    /// 4:2:0, shared by two in a row and two rows; what most cameras, films and JPEG files use.
    S420,
    /// 4:4:0, shared by two rows.
    S440,
    /// 4:1:1, shared by four in a row.
    S411,
    /// 4:1:0, shared by four in a row and two rows.
    S410,
}

impl Subsampling {
    /// Returns how many pixels share a sample, across and down.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Subsampling;
    ///
    /// assert_eq!(Subsampling::S422.factors(), (2, 1));
    /// ```
    pub const fn factors(self) -> (u32, u32) {
        match self {
            Subsampling::S444 => (1, 1),
            Subsampling::S422 => (2, 1),
            Subsampling::S420 => (2, 2),
            Subsampling::S440 => (1, 2),
            Subsampling::S411 => (4, 1),
            Subsampling::S410 => (4, 2),
        }
    }
}

/// Prints the ratio as it is usually written: `4:2:0`.
impl Display for Subsampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Subsampling::S444 => "4:4:4",
            Subsampling::S422 => "4:2:2",
            Subsampling::S420 => "4:2:0",
            Subsampling::S440 => "4:4:0",
            Subsampling::S411 => "4:1:1",
            Subsampling::S410 => "4:1:0",
        })
    }
}
