//! `OnReturn`: what becomes of the contents of memory that comes back.

use std::hint::black_box;
use std::mem::MaybeUninit;

/// What becomes of the contents of a buffer, block or image that is returned.
///
/// What is not [`Leave`](Self::Leave) is done when an object is stored, and when the pool drops it
/// instead, whether as unfit, for want of room, by a panicking thread, by `discard`, `trim`, `clear`
/// or closing. What leaves by `take`, `detach`, or a refused `put` or `release` leaves as it is:
/// whoever has it then has the contents too. Out of reach are a guard that is forgotten, and memory
/// that a buffer gave up when it grew; make buffers large enough for secrets.
///
/// # Examples
///
/// ```
/// use bp::{BufferPool, OnReturn};
///
/// let pool = BufferPool::builder(8, 64).on_return(OnReturn::Zero).build()?;
/// let mut token = pool.get();
/// token.extend_from_slice(b"secret");
/// drop(token); // wiped, then stored
/// # Ok::<(), bp::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnReturn {
    /// They stay. The next user of a [`BytePool`](crate::BytePool) or of an image sees them; of a
    /// [`BufferPool`](crate::BufferPool), which empties its buffers, nobody does.
    #[default]
    Leave,
    /// All of the memory is set to 0.
    Zero,
    /// *Needs feature `zeroize`.* All of the memory is set to 0 by the zeroize crate, whose writes no
    /// compiler may leave out.
    #[cfg(feature = "zeroize")]
    Zeroize,
}

/// What memory may consist of to be wiped: plain values, of which 0 is one.
#[cfg(not(feature = "zeroize"))]
pub(super) trait Plain: Copy + Default {}
#[cfg(not(feature = "zeroize"))]
impl<T: Copy + Default> Plain for T {}

/// What memory may consist of to be wiped: plain values, of which 0 is one.
#[cfg(feature = "zeroize")]
pub(super) trait Plain: zeroize::DefaultIsZeroes {}
#[cfg(feature = "zeroize")]
impl<T: zeroize::DefaultIsZeroes> Plain for T {}

impl OnReturn {
    /// Wipes a vector's whole capacity, if asked to: what lies above the length may have been used
    /// before. The length stays.
    #[inline]
    pub(super) fn treat<T: Plain>(self, items: &mut Vec<T>) {
        if self != OnReturn::Leave {
            self.wipe(items);
        }
    }

    /// Wipes memory of which all is initialised, if asked to.
    #[cfg(feature = "mmap")]
    #[inline]
    pub(super) fn treat_slice(self, bytes: &mut [u8]) {
        if self != OnReturn::Leave {
            self.wipe_slice(bytes);
        }
    }

    #[cold]
    fn wipe<T: Plain>(self, items: &mut Vec<T>) {
        self.wipe_slice(items);
        let spare = items.spare_capacity_mut();
        match self {
            OnReturn::Leave => {}
            OnReturn::Zero => {
                spare.fill(MaybeUninit::new(T::default()));
                black_box(spare);
            }
            #[cfg(feature = "zeroize")]
            OnReturn::Zeroize => zeroize::Zeroize::zeroize(spare),
        }
    }

    #[cold]
    fn wipe_slice<T: Plain>(self, items: &mut [T]) {
        match self {
            OnReturn::Leave => {}
            OnReturn::Zero => {
                items.fill(T::default());
                // The memory may be freed next, and writes to it be left out if nobody looks.
                black_box(items);
            }
            #[cfg(feature = "zeroize")]
            OnReturn::Zeroize => zeroize::Zeroize::zeroize(items),
        }
    }
}
