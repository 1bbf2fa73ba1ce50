//! Pools that can be made for a key, and the sizes that keys stand for: what a multi pool is
//! made of.

use std::fmt::Debug;

use crate::{Builder, TypedPool};

/// A typed pool that is made of a capacity and one key: size, dimensions, whatever its `new`
/// takes.
///
/// [`pool!`](crate::pool!) and the derive implement it. Where `new` takes one argument after the
/// capacity, that is the key; where it takes several, a tuple of them. A pool whose `new` takes
/// nothing else, borrows (other than for `'static`) or takes `impl Trait`, and a pool with a `get`
/// step, has [`NoKey`]. A type that borrows must show its lifetime, as `Cow<'_, str>` does; the
/// compiler asks for one that is hidden, as in `Cow<str>`. A [`multi_pool!`](crate::multi_pool!)
/// makes one pool of each of several keys.
///
/// # Examples
///
/// ```
/// use bp::{BufferPool, BuildError, KeyedPool};
///
/// fn per_core<P: KeyedPool>(cores: usize, key: P::Key) -> Result<Vec<P>, BuildError>
/// where
///     P::Key: Clone,
/// {
///     (0..cores).map(|_| P::builder_for(16, key.clone()).build()).collect()
/// }
///
/// let pools = per_core::<BufferPool>(4, 1024)?;
/// assert!(pools[3].get().capacity() >= 1024);
/// # Ok::<(), BuildError>(())
/// ```
pub trait KeyedPool: TypedPool {
    /// What the pool is made of, beside its capacity.
    type Key;

    /// Starts a pool for a key; what the pool's own `builder` does.
    fn builder_for(capacity: usize, key: Self::Key) -> Builder<Self>;
}

/// The key of a pool that has none, as [`KeyedPool`] says; there is no value of it.
///
/// # Examples
///
/// ```
/// use bp::{KeyedPool, NoKey};
///
/// fn key_of<P: KeyedPool<Key = NoKey>>(_pool: &P) {}
///
/// bp::pool! {
///     /// Does something on each get.
///     pub struct LinePool(String) -> LineRef {
///         create: |_| String::new(),
///         get: |line, number: u64| line.push_str(&format!("{number}: ")),
///     }
/// }
/// key_of(&LinePool::new(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoKey {}

/// A key that tells how large it is, so that multi pools can put keys in order.
///
/// The unit is that of the objects: bytes for buffers, pixels for images. Implemented for `u8` to
/// `u64` and `usize`, and for tuples of what implements it, whose size is the product: an image
/// of `(width, height)` is as large as its area. For other keys write the `need` step of
/// [`multi_pool!`](crate::multi_pool!), or implement this for a key of your own.
///
/// # Examples
///
/// ```
/// use bp::SizeKey;
///
/// assert_eq!(1000_usize.size(), Some(1000));
/// assert_eq!((1920_u32, 1080_u32).size(), Some(2_073_600));
/// assert_eq!((usize::MAX, 2_usize).size(), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not tell its size",
    label = "not a `SizeKey`",
    note = "say how large it is with a step before `size`: `need: |key| Some(key.width),`",
    note = "or implement `bp::SizeKey` for it, if it is a type of your own",
    note = "`NoKey` is that of a pool whose `new` takes the capacity alone, or borrows, or that has a \
            `get` step; such a pool has no sizes to choose from"
)]
pub trait SizeKey: Clone + Debug {
    /// Returns the size, or `None` if it is more than a `usize` can tell.
    fn size(&self) -> Option<usize>;
}

macro_rules! size_key_of_integers {
    ($($Int:ty)*) => {
        $(impl SizeKey for $Int {
            #[inline]
            fn size(&self) -> Option<usize> {
                usize::try_from(*self).ok()
            }
        })*
    };
}

size_key_of_integers! { u8 u16 u32 u64 usize }

impl<A: SizeKey, B: SizeKey> SizeKey for (A, B) {
    #[inline]
    fn size(&self) -> Option<usize> {
        self.0.size()?.checked_mul(self.1.size()?)
    }
}

impl<A: SizeKey, B: SizeKey, C: SizeKey> SizeKey for (A, B, C) {
    #[inline]
    fn size(&self) -> Option<usize> {
        let (a, b, c) = self;
        a.size()?.checked_mul(b.size()?)?.checked_mul(c.size()?)
    }
}
