//! `Ref`, the guard: one object in use, on its way back from the moment it is dropped.

use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

use crate::store::{Node, Store};
use crate::{PutError, Recipe};

/// An object taken from a pool, which goes back when the guard is dropped.
///
/// One pointer wide, as is `Option<Ref<_>>`; `'static` where the recipe is, so it may be stored,
/// sent to another thread and dropped there, and may outlive every handle of its pool. Its own
/// functions are associated (`Ref::detach(guard)`), so that they never hide a method of the
/// object.
///
/// On drop the object is judged (`keep`), cleaned (`reset`) and stored; or dropped, when it is
/// not fit, when the pool is full or closed, or when the thread is panicking. A guard that is
/// forgotten leaks its object; the pool's bound still holds.
///
/// # Examples
///
/// ```
/// use bp::{Poolable, Pool};
///
/// #[derive(Poolable)]
/// struct Line {
///     text: String,
/// }
///
/// let pool = Pool::<Line>::new(8, ());
/// let mut line = pool.get();
/// line.text.push_str("GET / HTTP/1.1");
/// drop(line); // cleaned, and kept for the next get
/// assert_eq!(pool.len(), 1);
/// assert_eq!(pool.get().text, "");
/// ```
#[must_use = "dropping a guard returns its object to the pool at once"]
pub struct Ref<R: Recipe> {
    /// Owned by the guard (I1), and not spare.
    node: NonNull<Node<R>>,
    _owns: PhantomData<R::Item>,
}

// SAFETY: dropping a guard on another thread runs `reset` and `keep` there, with the object
// (Item: Send) and the config that other threads use at the same time (Config: Sync); it may free
// the store with its idle objects (Item: Send) and the config (Config: Send).
unsafe impl<R: Recipe> Send for Ref<R>
where
    R::Item: Send,
    R::Config: Send + Sync,
{
}

// SAFETY: a shared guard gives out `&Item` only. The config's bound is asked for all the same, so
// that a shared guard may come to show its config.
unsafe impl<R: Recipe> Sync for Ref<R>
where
    R::Item: Sync,
    R::Config: Sync,
{
}

impl<R: Recipe> UnwindSafe for Ref<R>
where
    R::Item: UnwindSafe,
    R::Config: RefUnwindSafe,
{
}

impl<R: Recipe> RefUnwindSafe for Ref<R>
where
    R::Item: RefUnwindSafe,
    R::Config: RefUnwindSafe,
{
}

impl<R: Recipe> Ref<R> {
    /// # Safety
    ///
    /// The caller owns the node, which is not spare, and gives it to the guard.
    #[inline]
    pub(crate) unsafe fn from_node(node: NonNull<Node<R>>) -> Self {
        Ref { node, _owns: PhantomData }
    }

    #[inline]
    fn into_node(self) -> NonNull<Node<R>> {
        ManuallyDrop::new(self).node
    }

    /// Moves the object out; the pool forgets it.
    ///
    /// The object is not reset. It may still be given back later, with [`Pool::put`].
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{BufferPool, BufferRef};
    ///
    /// let pool = BufferPool::new(8, 64);
    /// let mut buffer = pool.get();
    /// buffer.extend_from_slice(b"mine now");
    /// let bytes: Vec<u8> = BufferRef::detach(buffer);
    /// assert_eq!(bytes, b"mine now");
    /// assert_eq!(pool.len(), 0);
    /// ```
    ///
    /// [`Pool::put`]: crate::Pool::put
    pub fn detach(this: Self) -> R::Item {
        // SAFETY: the guard owned the node and is gone.
        unsafe { Store::detach(this.into_node()) }
    }

    /// Drops the object instead of returning it, as one would that is broken.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{BufferPool, BufferRef};
    ///
    /// let pool = BufferPool::new(8, 64);
    /// BufferRef::discard(pool.get());
    /// assert_eq!(pool.len(), 0);
    /// assert_eq!(pool.stats().discarded_by_user, 1);
    /// ```
    pub fn discard(this: Self) {
        // SAFETY: the guard owned the node and is gone.
        unsafe { Store::discard_by_user(this.into_node()) }
    }

    /// Returns the object, as dropping the guard does, and tells what became of it.
    ///
    /// Unlike a drop, it returns the object also while the thread is panicking, and it looks for
    /// room before it resets.
    ///
    /// # Errors
    ///
    /// The object and the reason, when it is not fit to be kept, or the pool is full or closed.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{BufferPool, BufferRef, PutReason};
    ///
    /// let pool = BufferPool::new(1, 64);
    /// let (one, two) = (pool.get(), pool.get());
    /// assert!(BufferRef::release(one).is_ok());
    /// assert_eq!(BufferRef::release(two).unwrap_err().reason, PutReason::Full);
    /// ```
    pub fn release(this: Self) -> Result<(), PutError<R::Item>> {
        // SAFETY: the guard owned the node and is gone.
        unsafe { Store::release_node(this.into_node()) }
    }
}

impl<R: Recipe> Drop for Ref<R> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the guard owns the node, and nothing uses the guard after this.
        unsafe { Store::give_back(self.node) }
    }
}

impl<R: Recipe> Deref for Ref<R> {
    type Target = R::Item;

    #[inline]
    fn deref(&self) -> &R::Item {
        // SAFETY: the guard owns the node, shared for as long as `self` is.
        let node = unsafe { self.node.as_ref() };
        // SAFETY: a guard's node is not spare.
        unsafe { node.item() }
    }
}

impl<R: Recipe> DerefMut for Ref<R> {
    #[inline]
    fn deref_mut(&mut self) -> &mut R::Item {
        // SAFETY: the guard owns the node, borrowed for as long as `self` is.
        let node = unsafe { self.node.as_mut() };
        // SAFETY: a guard's node is not spare.
        unsafe { node.item_mut() }
    }
}

impl<R: Recipe> Debug for Ref<R>
where
    R::Item: Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&**self, f)
    }
}

impl<R: Recipe> Display for Ref<R>
where
    R::Item: Display,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&**self, f)
    }
}
