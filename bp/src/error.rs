//! What can go wrong: a pool that cannot be built, an object that is not taken.

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::io;
use std::sync::Arc;

/// A pool cannot be built as asked: names the field, its value and the rule it breaks.
///
/// Where the system stood in the way, [`source`](Error::source) is its error. Converts into an
/// [`io::Error`] of the kind of that, else of the kind
/// [`InvalidInput`](io::ErrorKind::InvalidInput).
///
/// # Examples
///
/// ```
/// use bp::BufferPool;
///
/// let error = BufferPool::builder(16, 128).preload(2.0).build().unwrap_err();
/// assert_eq!(error.field(), "preload");
/// assert_eq!(error.to_string(), "preload is 2, but must be from 0 to 1");
/// ```
#[derive(Clone)]
pub struct BuildError {
    field: &'static str,
    value: String,
    rule: &'static str,
    /// Shared, since an `io::Error` cannot be cloned.
    source: Option<Arc<io::Error>>,
}

impl BuildError {
    /// Makes the error for `field`, which has `value` and must be as `rule` says.
    ///
    /// The rule completes the sentence "must be …": "at least 1", "finite".
    ///
    /// # Examples
    ///
    /// ```
    /// let error = bp::BuildError::new("width", 0, "at least 1");
    /// assert_eq!(error.to_string(), "width is 0, but must be at least 1");
    /// ```
    pub fn new(field: &'static str, value: impl Display, rule: &'static str) -> Self {
        BuildError { field, value: value.to_string(), rule, source: None }
    }

    /// Adds the error of the system that stood in the way.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::error::Error;
    /// use std::io;
    ///
    /// let refused = io::Error::from(io::ErrorKind::OutOfMemory);
    /// let error = bp::BuildError::new("size", "8 TiB", "available").with_source(refused);
    /// assert_eq!(error.to_string(), "size is 8 TiB, but must be available");
    /// assert_eq!(error.source().unwrap().to_string(), "out of memory");
    /// assert_eq!(io::Error::from(error).kind(), io::ErrorKind::OutOfMemory);
    /// ```
    pub fn with_source(mut self, source: io::Error) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Returns the name of the field that was refused.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = bp::BufferPool::builder(8, 0).build().unwrap_err();
    /// assert_eq!(error.field(), "size");
    /// ```
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// Returns the refused value, as text.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = bp::BufferPool::builder(8, 64).preload(1.5).build().unwrap_err();
    /// assert_eq!((error.field(), error.value()), ("preload", "1.5"));
    /// ```
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns what the value must be.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = bp::BufferPool::builder(8, 64).preload(1.5).build().unwrap_err();
    /// assert_eq!(error.to_string(), format!("preload is 1.5, but must be {}", error.rule()));
    /// ```
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    fn kind(&self) -> Option<io::ErrorKind> {
        self.source.as_ref().map(|source| source.kind())
    }
}

impl Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, but must be {}", self.field, self.value, self.rule)
    }
}

/// Prints as [`Display`] does, with the source, so that `expect` and a `main` that returns it
/// read well.
impl Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "BuildError({self}: {source})"),
            None => write!(f, "BuildError({self})"),
        }
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// Sources are equal where their kinds are.
impl PartialEq for BuildError {
    fn eq(&self, other: &Self) -> bool {
        (self.field, &self.value, self.rule, self.kind())
            == (other.field, &other.value, other.rule, other.kind())
    }
}

impl Eq for BuildError {}

impl From<BuildError> for io::Error {
    fn from(error: BuildError) -> Self {
        io::Error::new(error.kind().unwrap_or(io::ErrorKind::InvalidInput), error)
    }
}

/// Why a pool did not take an object back.
///
/// # Examples
///
/// ```
/// use bp::{BytePool, PutReason};
///
/// let pool = BytePool::new(8, 64);
/// let error = pool.put(vec![0; 3]).unwrap_err();
/// assert_eq!(error.reason, PutReason::Unfit);
/// assert_eq!(error.into_item(), [0; 3]); // comes back
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PutReason {
    /// As many objects are idle as the pool may keep.
    Full,
    /// The pool's `keep` step refused the object, or it holds too much.
    Unfit,
    /// The pool was closed.
    Closed,
}

impl Display for PutReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PutReason::Full => "the pool is full",
            PutReason::Unfit => "the object is not fit to be kept",
            PutReason::Closed => "the pool is closed",
        })
    }
}

/// An object that a pool did not take, handed back with the reason.
///
/// # Examples
///
/// ```
/// use bp::{BufferPool, PutReason};
///
/// let pool = BufferPool::new(1, 128);
/// let small = pool.put(b"small".to_vec()).unwrap_err();
/// assert_eq!((small.reason, small.item), (PutReason::Unfit, b"small".to_vec()));
///
/// pool.put(Vec::with_capacity(128))?;
/// let second = pool.put(Vec::with_capacity(128)).unwrap_err();
/// assert_eq!(second.reason, PutReason::Full);
/// # Ok::<(), bp::PutError<Vec<u8>>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PutError<T> {
    /// Why the object was not taken.
    pub reason: PutReason,
    /// The object. It was not reset, unless the pool filled up or closed meanwhile.
    pub item: T,
}

impl<T> PutError<T> {
    pub(crate) fn new(reason: PutReason, item: T) -> Self {
        PutError { reason, item }
    }

    /// Returns the object, for callers that do not ask why.
    ///
    /// # Examples
    ///
    /// ```
    /// let pool = bp::BytePool::new(8, 64);
    /// let refused = pool.put(vec![1, 2, 3]).unwrap_err();
    /// assert_eq!(refused.into_item(), [1, 2, 3]);
    /// ```
    pub fn into_item(self) -> T {
        self.item
    }
}

/// Does not ask for `T: Debug`, so that any result of a `put` can be unwrapped.
impl<T> Debug for PutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PutError").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<T> Display for PutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "object not taken: {}", self.reason)
    }
}

impl<T> Error for PutError<T> {}
