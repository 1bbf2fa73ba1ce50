//! `Clear`: one field back to blank, keeping its memory.
//!
//! The derives reset a struct field by field, and this is the step they call for every field that
//! has no `reset` of its own. The trait stands apart from [`Poolable`](trait@crate::Poolable)
//! because a field has no config and no say in whether the object stays; that leaves one method,
//! which std's types can have without a decision by the user.
//!
//! The implementations keep to one rule: what can be done in place is, through `&mut` alone, so
//! no lock is taken, no borrow is checked and nothing is allocated.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::OsString;
use std::io::Cursor;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, atomic};
use std::time::Duration;

/// A value that can go back to blank in place, keeping the memory it holds.
///
/// [`#[derive(Poolable)]`](derive@crate::Poolable) calls it on every field that does not say
/// otherwise when an object comes back to its pool. It is implemented for the types of std that
/// have an obvious blank; for a struct of your own that stands inside a pooled one there is
/// [`#[derive(Clear)]`](derive@crate::Clear).
///
/// # What blank means
///
/// | type | after `clear` |
/// |---|---|
/// | integers, floats | `0` |
/// | `bool` | `false` |
/// | `char` | `'\0'` |
/// | [`Duration`] | [`Duration::ZERO`] |
/// | atomics | as the value inside; `AtomicPtr` is null |
/// | [`String`], [`PathBuf`], [`OsString`] | empty, capacity kept |
/// | [`Vec`], [`VecDeque`], [`BinaryHeap`] | empty, capacity kept |
/// | [`HashMap`], [`HashSet`] | empty, capacity and hasher kept |
/// | [`BTreeMap`], [`BTreeSet`], [`LinkedList`] | empty; std frees their nodes, there is no capacity to keep |
/// | [`Option`] | `None`; **the value inside is dropped, and its memory with it** |
/// | [`OnceCell`], [`OnceLock`] | not initialised; the value inside is dropped too |
/// | `[T; N]`, `[T]`, tuples up to twelve | as long as before, each element cleared |
/// | [`Box<T>`](Box) | the same allocation, the value inside cleared |
/// | [`Cell`], [`RefCell`] | the value inside cleared |
/// | [`Mutex`], [`RwLock`] | the value inside cleared, poison removed |
/// | [`Cursor`] | the value inside cleared, position `0` |
/// | `&str`, `&[T]` | the empty one; what it pointed to is left alone |
/// | [`Cow`] of `str` or `[T]` | borrowed: the empty one; owned: cleared, still owned |
/// | `()`, [`PhantomData`] | as before, there is nothing to clear |
///
/// A guard of a `RefCell`, `Mutex` or `RwLock` that was leaked, say with [`std::mem::forget`],
/// goes on counting as held: std has no way to undo that.
///
/// # Which memory is kept
///
/// That of the value itself, not that of elements it no longer has. An emptied `Vec<String>` keeps
/// room for its strings, but the text of each is freed; an `Option<Vec<u8>>` that becomes `None`
/// frees the bytes. Where that memory is the reason for pooling, say so on the field:
///
/// ```
/// use bp::{Pool, Poolable};
///
/// #[derive(Poolable)]
/// struct Request {
///     // Some(empty) instead of None once there was a body.
///     #[pool(reset = with(|body| if let Some(bytes) = body { bytes.clear() }))]
///     body: Option<Vec<u8>>,
///     // As many lines as before, all of them empty.
///     #[pool(reset = with(|lines| lines.iter_mut().for_each(String::clear)))]
///     lines: Vec<String>,
/// }
///
/// let pool = Pool::<Request>::new(4, ());
/// pool.get().lines.push(String::from("GET / HTTP/1.1"));
///
/// let request = pool.get();
/// assert_eq!(request.lines, [""]);
/// assert!(request.lines[0].capacity() >= 14);
/// ```
///
/// Nothing here makes a value smaller. A pool whose objects may grow bounds them with
/// `#[pool(keep = ..)]`, which also bounds the time to clear a `HashMap` or `HashSet`: it grows
/// with their capacity.
///
/// Nothing here erases bytes either. What the spare capacity of a `Vec` held before can still be
/// found in memory; for secrets see [`OnReturn`](crate::OnReturn).
///
/// # Implementing it
///
/// After `clear` the next user must not be able to tell the value from a new one, other than by
/// the capacity it has. Blank need not be zero. Clear every field, allocate nothing, and avoid
/// what can panic: a pool drops an object whose reset does.
///
/// ```
/// use bp::Clear;
///
/// /// The lowest and the highest of the values seen.
/// struct Extent {
///     low: f64,
///     high: f64,
/// }
///
/// // Not derived: with zeros, the extent of nothing would contain zero.
/// impl Clear for Extent {
///     fn clear(&mut self) {
///         self.low = f64::INFINITY;
///         self.high = f64::NEG_INFINITY;
///     }
/// }
///
/// struct Series {
///     name: String,
///     points: Vec<f64>,
///     extent: Extent,
/// }
///
/// // What `#[derive(Clear)]` would write.
/// impl Clear for Series {
///     fn clear(&mut self) {
///         // Every field is named here, so one that is added later cannot be forgotten.
///         let Series { name, points, extent } = self;
///         Clear::clear(name);
///         Clear::clear(points);
///         Clear::clear(extent);
///     }
/// }
///
/// let mut series = Series {
///     name: String::from("load"),
///     points: vec![0.5, 2.0],
///     extent: Extent { low: 0.5, high: 2.0 },
/// };
/// let memory = series.points.as_ptr();
///
/// series.clear();
/// assert!(series.name.is_empty() && series.points.is_empty());
/// assert!(series.extent.low > series.extent.high);
/// assert_eq!(series.points.as_ptr(), memory);
/// ```
///
/// The trait in scope changes no call of a collection's own `clear`: inherent methods come first.
/// It is object safe, and a `Box<dyn Clear>` clears what is in the box.
///
/// # Where it does not belong
///
/// - Shared values. An [`Arc`](std::sync::Arc) or [`Rc`](std::rc::Rc) has other owners, for whom
///   nothing may change, and a new one would cost the allocation that pooling is to save. Mostly
///   such a field is what all objects have in common: `#[pool(reset = skip)]`, or part of the
///   config. The same goes for `&T` and `&mut T` in general; `&str` and `&[T]` are here because
///   the empty ones exist for every lifetime.
/// - Values without a blank: [`NonZero`](std::num::NonZero), [`Instant`](std::time::Instant), a
///   file, a socket. Only the field knows what to do: `#[pool(reset = with(..))]`.
/// - Values whose blank depends on a size or a limit. That is a config: derive or implement
///   [`Poolable`](trait@crate::Poolable) and write `#[pool(nested)]` on the field.
/// - Values that hold no memory and have a `Default`, like the states of an enum. An
///   implementation does no harm, but `#[pool(reset = default)]` is enough.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be cleared in place",
    label = "no `Clear` for this field's type",
    note = "write `#[pool(reset = default)]`, `#[pool(reset = with(..))]` or `#[pool(reset = skip)]` on the field",
    note = "or `#[pool(nested)]`, if its type is `Poolable`",
    note = "for a type of your own derive or implement `bp::Clear`"
)]
pub trait Clear {
    /// Goes back to blank, keeping the memory held.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Clear;
    ///
    /// let mut words = vec!["one", "two"];
    /// Clear::clear(&mut words);
    /// assert!(words.is_empty() && words.capacity() >= 2);
    ///
    /// let mut count = 7;
    /// count.clear();
    /// assert_eq!(count, 0);
    /// ```
    fn clear(&mut self);
}

// === values without memory ===

macro_rules! clear_to {
    ($($blank:expr => $($value:ty),+;)+) => {$($(
        #[diagnostic::do_not_recommend]
        impl Clear for $value {
            #[inline]
            fn clear(&mut self) {
                *self = $blank;
            }
        }
    )+)+};
}

clear_to! {
    0 => u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize;
    0.0 => f32, f64;
    false => bool;
    '\0' => char;
    Duration::ZERO => Duration;
    "" => &str;
}

#[diagnostic::do_not_recommend]
impl<T> Clear for &[T] {
    #[inline]
    fn clear(&mut self) {
        *self = &[];
    }
}

#[diagnostic::do_not_recommend]
impl Clear for () {
    #[inline]
    fn clear(&mut self) {}
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Clear for PhantomData<T> {
    #[inline]
    fn clear(&mut self) {}
}

macro_rules! clear_atomics {
    ($($width:literal => $($atomic:ident),+;)+) => {$($(
        #[cfg(target_has_atomic = $width)]
        #[diagnostic::do_not_recommend]
        impl Clear for atomic::$atomic {
            #[inline]
            fn clear(&mut self) {
                self.get_mut().clear();
            }
        }
    )+)+};
}

clear_atomics! {
    "8" => AtomicBool, AtomicU8, AtomicI8;
    "16" => AtomicU16, AtomicI16;
    "32" => AtomicU32, AtomicI32;
    "64" => AtomicU64, AtomicI64;
    "ptr" => AtomicUsize, AtomicIsize;
}

#[cfg(target_has_atomic = "ptr")]
#[diagnostic::do_not_recommend]
impl<T> Clear for atomic::AtomicPtr<T> {
    #[inline]
    fn clear(&mut self) {
        *self.get_mut() = ptr::null_mut();
    }
}

// === collections: their own `clear`, without bounds on the elements ===

macro_rules! clear_collections {
    ($($collection:ident $(<$($param:ident),+>)?;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl $(<$($param),+>)? Clear for $collection $(<$($param),+>)? {
            #[inline]
            fn clear(&mut self) {
                // The inherent function, which a path prefers as well.
                $collection::clear(self);
            }
        }
    )+};
}

clear_collections! {
    String;
    PathBuf;
    OsString;
    Vec<T>;
    VecDeque<T>;
    BinaryHeap<T>;
    HashMap<K, V, S>;
    HashSet<T, S>;
    BTreeMap<K, V>;
    BTreeSet<T>;
    LinkedList<T>;
}

// === values that become absent ===

/// Becomes `None`: the value inside is dropped, and its memory with it.
///
/// Only `None` is blank for every use, because `Some` may itself be the message. To keep the
/// memory, clear the value inside with `#[pool(reset = with(..))]`, or hold the bare value where
/// empty can stand for absent.
#[diagnostic::do_not_recommend]
impl<T> Clear for Option<T> {
    #[inline]
    fn clear(&mut self) {
        *self = None;
    }
}

#[diagnostic::do_not_recommend]
impl<T> Clear for OnceCell<T> {
    #[inline]
    fn clear(&mut self) {
        self.take();
    }
}

#[diagnostic::do_not_recommend]
impl<T> Clear for OnceLock<T> {
    #[inline]
    fn clear(&mut self) {
        self.take();
    }
}

// === values around other values ===

#[diagnostic::do_not_recommend]
impl<T: Clear> Clear for [T] {
    #[inline]
    fn clear(&mut self) {
        self.iter_mut().for_each(T::clear);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clear, const N: usize> Clear for [T; N] {
    #[inline]
    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }
}

macro_rules! clear_tuples {
    () => {};
    ($first:ident $($rest:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$first: Clear, $($rest: Clear),*> Clear for ($first, $($rest,)*) {
            #[inline]
            #[expect(non_snake_case, reason = "elements are named after their types")]
            fn clear(&mut self) {
                let ($first, $($rest,)*) = self;
                $first.clear();
                $($rest.clear();)*
            }
        }
        clear_tuples!($($rest)*);
    };
}

clear_tuples!(A B C D E F G H I J K L);

/// Clears the value inside; the allocation stays.
#[diagnostic::do_not_recommend]
impl<T: Clear + ?Sized> Clear for Box<T> {
    #[inline]
    fn clear(&mut self) {
        (**self).clear();
    }
}

/// Borrowed becomes the empty borrow, owned is cleared and stays owned.
#[diagnostic::do_not_recommend]
impl<'a, B> Clear for Cow<'a, B>
where
    B: ToOwned<Owned: Clear> + ?Sized,
    &'a B: Clear,
{
    #[inline]
    fn clear(&mut self) {
        match self {
            Cow::Borrowed(borrowed) => borrowed.clear(),
            Cow::Owned(owned) => owned.clear(),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clear + ?Sized> Clear for Cell<T> {
    #[inline]
    fn clear(&mut self) {
        self.get_mut().clear();
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clear + ?Sized> Clear for RefCell<T> {
    #[inline]
    fn clear(&mut self) {
        self.get_mut().clear();
    }
}

macro_rules! clear_locks {
    ($($lock:ident),+) => {$(
        /// Clears the value inside without locking, then removes the poison.
        #[diagnostic::do_not_recommend]
        impl<T: Clear + ?Sized> Clear for $lock<T> {
            #[inline]
            fn clear(&mut self) {
                self.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
                // Last: if the value's own `clear` panics, the poison is still true.
                self.clear_poison();
            }
        }
    )+};
}

clear_locks!(Mutex, RwLock);

/// Clears the value inside and goes back to position `0`.
///
/// To keep what the cursor reads and only rewind it, write
/// `#[pool(reset = with(|cursor| cursor.set_position(0)))]`.
#[diagnostic::do_not_recommend]
impl<T: Clear> Clear for Cursor<T> {
    #[inline]
    fn clear(&mut self) {
        self.get_mut().clear();
        self.set_position(0);
    }
}

#[cfg(test)]
mod tests;
