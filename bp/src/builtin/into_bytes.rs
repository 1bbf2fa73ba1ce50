//! Guards as [`Bytes`]: pooled memory handed to a network stack without a copy.

use bytes::buf::UninitSlice;
use bytes::{BufMut, Bytes};

#[cfg(feature = "mmap")]
use super::MmapByteRef;
use super::{BufferRef, ByteRef};

macro_rules! into_bytes {
    ($($Guard:ident)+) => {$(
        impl $Guard {
            /// *Needs feature `bytes`.* Turns the guard into [`Bytes`], without copying.
            ///
            /// The memory is back in its pool when the last clone or slice of the `Bytes` is
            /// dropped, on whichever thread that is. What the `Bytes` shows is fixed here, so
            /// shorten first. Costs one small allocation, as `Bytes` must keep the owner.
            ///
            /// A small slice that is kept for long keeps the whole of the memory: copy it instead
            /// ([`Bytes::copy_from_slice`]).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bp::", into_bytes!(@pool $Guard), ";")]
            ///
            #[doc = concat!("let pool = ", into_bytes!(@pool $Guard), "::builder(8, 4096).build()?;")]
            /// let body = pool.get().into_bytes();
            /// let copy = body.clone();
            /// drop(body);
            /// assert_eq!(pool.len(), 0);
            /// drop(copy);
            /// assert_eq!(pool.len(), 1);
            /// # Ok::<(), bp::BuildError>(())
            /// ```
            pub fn into_bytes(self) -> Bytes {
                Bytes::from_owner(self)
            }
        }

        /// *Needs feature `bytes`.* Without copying; see `into_bytes`.
        impl From<$Guard> for Bytes {
            fn from(guard: $Guard) -> Self {
                guard.into_bytes()
            }
        }
    )+};
    (@pool ByteRef) => { "BytePool" };
    (@pool BufferRef) => { "BufferPool" };
    (@pool MmapByteRef) => { "MmapBytePool" };
}

into_bytes! { ByteRef BufferRef }
#[cfg(feature = "mmap")]
into_bytes! { MmapByteRef }

/// *Needs feature `bytes`.* Writes to the end of the buffer, which grows.
// SAFETY: every call goes to `Vec<u8>`'s own implementation, on one and the same vector.
unsafe impl BufMut for BufferRef {
    #[inline]
    fn remaining_mut(&self) -> usize {
        Vec::<u8>::remaining_mut(self)
    }

    #[inline]
    unsafe fn advance_mut(&mut self, n: usize) {
        // SAFETY: what the caller promises of this buffer it promises of the vector.
        unsafe { Vec::<u8>::advance_mut(self, n) }
    }

    #[inline]
    fn chunk_mut(&mut self) -> &mut UninitSlice {
        Vec::<u8>::chunk_mut(self)
    }

    // The vector's own forms of the two that are used most: they reserve once.
    #[inline]
    fn put_slice(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn put_bytes(&mut self, byte: u8, n: usize) {
        Vec::<u8>::put_bytes(self, byte, n);
    }
}
