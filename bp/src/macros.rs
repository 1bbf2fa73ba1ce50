//! `pool!`: the typed pool of any type, with its guard.
//!
//! The public macro takes apart what is written and hands each declaration on:
//!
//! 1. `pool!` → [`__pool_declaration!`]: attributes and the head, one declaration at a time.
//! 2. [`__pool_steps!`]: the body, one stage per step, in order. A step that is missing leaves
//!    an empty slot, so that what follows need not care.
//! 3. [`__pool_emit!`]: the items, one helper each, which the derive uses as well:
//!    [`__pool_recipe!`] (`impl Recipe`), [`__pool_type!`] (the pool), [`__pool_guard!`],
//!    [`__pool_key!`] (`impl KeyedPool`).
//!
//! A typed pool is its own recipe: `struct TextPool { Pool<TextPool> }`, so a foreign type needs no
//! marker, and two pools of one type may clean it differently.

#[macro_use]
mod declaration;
#[macro_use]
mod example;
#[macro_use]
mod steps;
#[macro_use]
mod emit;
#[macro_use]
mod recipe;
#[macro_use]
mod typed;
#[macro_use]
mod guard;
#[macro_use]
mod key;
#[macro_use]
mod multi;

/// Makes typed pools: of a type that is [`Poolable`](crate::Poolable), or of any type, with the
/// steps written here.
///
/// # A type of one's own
///
/// ```
/// use bp::Poolable;
///
/// #[derive(Poolable)]
/// #[pool(config = usize)]
/// pub struct Request {
///     #[pool(create = Vec::with_capacity(*config))]
///     body: Vec<u8>,
/// }
///
/// bp::pool! {
///     /// Requests waiting for their next connection.
///     pub struct RequestPool(Request) -> RequestRef { config: usize }
/// }
///
/// let pool = RequestPool::new(64, 4096);
/// let request: RequestRef = pool.get();
/// assert!(request.body.capacity() >= 4096);
/// ```
///
/// Without the braces the config is `()`, and `new` takes the capacity alone. The derive can
/// make pool and guard too, and does so for generic types:
/// `#[pool(name = RequestPool, guard = RequestRef)]`.
///
/// # Any type
///
/// ```
/// bp::pool! {
///     /// Reusable text.
///     pub struct TextPool(String) -> TextRef {
///         config: usize,
///         create: |size| String::with_capacity(*size),
///         reset: |text, _size| text.clear(),
///         keep: |text, size| text.capacity() <= 4 * *size,
///     }
/// }
///
/// let pool = TextPool::new(64, 1024);
/// let mut text = pool.get();
/// text.push_str("a line");
/// drop(text);
/// assert_eq!(*pool.get(), "");
/// ```
///
/// # The steps
///
/// All are optional but `create`, which is what tells this form from the first. They always
/// stand in this order. `new` and `get` are closures; each of the others may also be the path of a
/// function.
///
/// | step | takes | what it is for |
/// |---|---|---|
/// | `config` | a type | what all objects of a pool share; by default `()` |
/// | `new` | `\|width: usize, ..\|` | the arguments of `new` and `builder` after the capacity, and the config made of them; by default the config itself. The types own what they hold: they are the pool's [key](crate::KeyedPool). With a return type, `-> io::Result<Self>` say, `new` returns that instead of panicking: any result whose error can be made `From<BuildError>` |
/// | `check` | `\|config\|` | refuses a config when a pool is built, with a [`BuildError`](crate::BuildError) |
/// | `open` | `\|config, capacity\|` | acquires what the objects work with, when a pool is built: a mapping, a file, a thread |
/// | `create` | `\|config\|` | makes an object |
/// | `reset` | `\|object, config\|` | cleans one that comes back; by default it stays as it is |
/// | `keep` | `\|object, config\|` | says whether one that comes back may stay; by default it may |
/// | `dispose` | `\|object, config\|` | looks at one for the last time before the pool drops it, for whatever reason |
/// | `measure` | `\|object\|` | bytes used by the last user, bytes held: for figures and [retention by use](crate::Builder::retain_by_use) |
/// | `limit` | `\|config\|` | the most bytes held, as `measure` tells them, with which an object may stay; retention by use replaces it |
/// | `admit` | `\|number: &u64, ..\|` | looks at the arguments of `get` before an object is taken, and panics where none is to be: a panic in `get` costs the object |
/// | `get` | `\|object, number: u64, ..\|` | further arguments of `get`, `try_get`, `take` (and the first of `get_with`), and what is done with them on each get |
///
/// `: Target` behind the guard's name says what the guard derefs to; the object must deref to it.
///
/// ```
/// use bp::BuildError;
///
/// pub struct LineConfig {
///     width: usize,
/// }
///
/// bp::pool! {
///     /// Numbered lines of text.
///     pub struct LinePool(String) -> LineRef: str {
///         config: LineConfig,
///         new: |width: usize| LineConfig { width },
///         check: |config| match config.width {
///             0 => Err(BuildError::new("width", 0, "at least 1")),
///             _ => Ok(()),
///         },
///         create: |config| String::with_capacity(config.width),
///         reset: |line, _config| line.clear(),
///         measure: |line| (line.len(), line.capacity()),
///         limit: |config| 2 * config.width,
///         admit: |number: &u64| assert!(*number > 0, "lines are numbered from 1"),
///         get: |line, number: u64| line.push_str(&format!("{number}: ")),
///     }
/// }
///
/// let lines = LinePool::new(8, 80);
/// assert_eq!(&*lines.get(1), "1: ");
/// assert_eq!(&*lines.get(2), "2: ");
/// assert!(LinePool::builder(8, 0).build().is_err());
/// ```
///
/// What a pool needs from outside is acquired by `open` and kept in the config:
///
/// ```
/// use std::fs::File;
/// use std::io;
/// use std::path::PathBuf;
///
/// use bp::BuildError;
///
/// pub struct LogConfig {
///     path: PathBuf,
///     file: Option<File>,
/// }
///
/// bp::pool! {
///     /// Handles to one file.
///     pub struct LogPool(File) -> LogRef {
///         config: LogConfig,
///         new: |path: PathBuf| -> io::Result<Self> { LogConfig { path, file: None } },
///         open: |config, _capacity| {
///             let file = File::open(&config.path).map_err(|error| {
///                 BuildError::new("path", config.path.display(), "a file").with_source(error)
///             })?;
///             config.file = Some(file);
///             Ok(())
///         },
///         create: |config| config.file.as_ref().expect("opened").try_clone().expect("a handle"),
///     }
/// }
///
/// let error = LogPool::new(8, PathBuf::from("no/such/file")).unwrap_err();
/// assert_eq!(error.kind(), io::ErrorKind::NotFound);
/// assert_eq!(error.to_string(), "path is no/such/file, but must be a file");
/// ```
///
/// # A process-wide pool
///
/// ```
/// use bp::BufferPool;
///
/// bp::pool! {
///     /// Scratch space for everyone.
///     pub static SCRATCH: BufferPool = BufferPool::new(1000, 128);
/// }
///
/// SCRATCH.get().extend_from_slice(b"from any thread");
/// ```
///
/// The pool is built when it is first used ([`LazyLock`](std::sync::LazyLock)).
///
/// # In general
///
/// Several declarations may stand in one call. Attributes and visibility are passed on to the
/// pool; `#[cfg(..)]` guards all that a declaration emits. Works in a function, too.
#[macro_export]
macro_rules! pool {
    () => {};

    // One declaration off the front, with the others beside it: inside of what it expands to, the
    // last of a dozen would lie too deep for the compiler.
    ($(#[$($attr:tt)*])* $vis:vis static $NAME:ident: $Pool:ty = $init:expr; $($rest:tt)*) => {
        $crate::__pool_attributes! {
            __pool_declaration [] [] $(#[$($attr)*])* $vis static $NAME: $Pool = $init;
        }
        $crate::pool! { $($rest)* }
    };
    ($(#[$($attr:tt)*])* $vis:vis struct $Pool:ident $Item:tt -> $Guard:ident $(: $Target:ty)?
        { $($body:tt)* } $($rest:tt)*) => {
        $crate::__pool_attributes! {
            __pool_declaration [] [] $(#[$($attr)*])* $vis struct $Pool $Item -> $Guard $(: $Target)? { $($body)* }
        }
        $crate::pool! { $($rest)* }
    };
    ($(#[$($attr:tt)*])* $vis:vis struct $Pool:ident $Item:tt -> $Guard:ident $(: $Target:ty)?;
        $($rest:tt)*) => {
        $crate::__pool_attributes! {
            __pool_declaration [] [] $(#[$($attr)*])* $vis struct $Pool $Item -> $Guard $(: $Target)? {}
        }
        $crate::pool! { $($rest)* }
    };

    // The last one without a semicolon, or a mistake.
    ($($declaration:tt)+) => {
        $crate::__pool_attributes! { __pool_declaration [] [] $($declaration)+ }
    };
}
