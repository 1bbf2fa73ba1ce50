//! The derive macros of the `bp` crate, which re-exports them: depend on that, not on this.
//!
//! A derive goes through `ast` (the type and the settings on it, read by `attr`), `check` (rules
//! about several settings), then `expand`, or `fallback` after a mistake. `place` is for the
//! mistakes that `pool!` finds. Only this file knows `proc_macro`, so that the tests can call
//! everything else.
#![forbid(unsafe_code)]

mod ast;
mod attr;
mod check;
mod errors;
mod expand;
mod fallback;
mod place;
mod scope;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

use crate::ast::Derive;

/// Writes the lifecycle of a type: how a pool makes one, cleans it and judges it.
///
/// Without any attribute a new object has the default of every field, and an object that comes
/// back has every field cleared by its `Clear` impl: nothing that one user
/// leaves is seen by the next, and the memory of collections stays. No field is forgotten: one
/// that should survive has to say so.
///
/// ```
/// use bp::{Pool, Poolable};
///
/// #[derive(Poolable)]
/// struct Request {
///     path: String,
///     body: Vec<u8>,
/// }
///
/// let pool = Pool::<Request>::new(16, ());
/// let mut request = pool.get();
/// request.body.extend_from_slice(b"secret");
/// drop(request);
///
/// let request = pool.get();
/// assert!(request.body.is_empty() && request.body.capacity() >= 6);
/// ```
///
/// # Settings of a field
///
/// All go into `#[pool(..)]`, several into one with commas or each into its own. In every
/// expression `config` is the config of the pool, by reference.
///
/// | setting | the field |
/// |---|---|
/// | `create = expr` | is made by this expression; by default by `Default`, arrays of any length by that of their elements |
/// | `reset = default` | gets a fresh default value; for types that are not `Clear` |
/// | `reset = with(f)` | is handed to this function or closure, as `&mut` |
/// | `reset = skip` | stays as the last user left it |
/// | `nested` | is `Poolable` itself, without a config: its own steps make, reset and judge it |
/// | `nested = &config.inner` | is `Poolable` itself and gets this config |
///
/// # Settings of the type
///
/// | setting | means |
/// |---|---|
/// | `config = Type` | what all objects of one pool share; `()` by default |
/// | `keep = expr` | whether an object that comes back may stay, with `self` and `config` in scope; asked before it is reset. By default it may. Nested objects are asked too |
/// | `create = expr` | makes the whole object, in place of its fields' steps |
/// | `reset = default`, `reset = with(f)` | resets the whole object, in place of its fields' steps |
/// | `name = FooPool, guard = FooRef` | also makes a pool type and its guard, as `pool!` does: with the visibility and the generics of the type |
/// | `crate = path` | where `bp` is, if it is known under another name |
///
/// ```
/// use bp::Poolable;
///
/// struct Limits {
///     body: usize,
///     max_body: usize,
/// }
///
/// #[derive(Poolable)]
/// #[pool(name = RequestPool, guard = RequestRef, config = Limits)]
/// #[pool(keep = self.body.capacity() <= config.max_body)]
/// struct Request {
///     #[pool(create = Vec::with_capacity(config.body))]
///     body: Vec<u8>,
///     #[pool(reset = skip)]
///     served: u64,
///     #[pool(reset = with(|tags| tags.truncate(1)))]
///     tags: Vec<&'static str>,
///     #[pool(nested)]
///     scratch: Scratch,
/// }
///
/// #[derive(Poolable)]
/// struct Scratch(Vec<u32>);
///
/// let pool = RequestPool::new(16, Limits { body: 512, max_body: 4096 });
/// let mut request: RequestRef = pool.get();
/// request.served += 1;
/// request.body.resize(10_000, 0);
/// drop(request);
///
/// // It had grown past `max_body`, so this is another one.
/// assert_eq!(pool.get().served, 0);
/// assert_eq!(pool.stats().discarded_unfit, 1);
/// ```
///
/// # Enums and generics
///
/// An enum has no field by field steps, since it has to become some variant: it says `create`
/// and `reset` as a whole. A union cannot be derived for.
///
/// ```
/// use bp::Poolable;
///
/// #[derive(Poolable, Default)]
/// #[pool(create = Self::default(), reset = default)]
/// enum State {
///     #[default]
///     Idle,
///     Reading { bytes: usize },
/// }
/// # let _ = State::Reading { bytes: 1 };
/// ```
///
/// A field whose type mentions a type parameter adds what its steps need to the where clause of
/// the impl: `T: Default` and `T: Clear` for a plain field `T`. What the user's own expressions
/// need, the user writes down, and so also what a `nested = ..` field needs.
#[proc_macro_derive(Poolable, attributes(pool))]
pub fn derive_poolable(input: TokenStream) -> TokenStream {
    expand::derive(Derive::Poolable, &parse_macro_input!(input as DeriveInput)).into()
}

/// Writes `Clear` for a type: every field back to blank, keeping its memory.
///
/// For types that stand as plain fields inside pooled ones. A type with a config or a step of
/// its own to make it derives [`Poolable`](derive@Poolable) and stands inside others as
/// `#[pool(nested)]`.
///
/// | setting of a field | the field |
/// |---|---|
/// | none | is cleared by its own `Clear` |
/// | `reset = default` | gets a fresh default value; for types that are not `Clear` |
/// | `reset = with(f)` | is handed to this function or closure, as `&mut` |
/// | `reset = skip` | stays as it is |
///
/// Above the type stand `reset = default` or `reset = with(f)`, which clear it as a whole and
/// which an enum needs, and `crate = path`, where `bp` is known under another name.
///
/// ```
/// use bp::{Clear, Poolable};
///
/// #[derive(Clear, Default)]
/// struct Headers {
///     names: Vec<String>,
///     total: usize,
///     #[pool(reset = with(|latest| *latest = 11))]
///     version: u8,
/// }
///
/// #[derive(Poolable)]
/// struct Request {
///     headers: Headers,
///     body: Vec<u8>,
/// }
///
/// let mut headers = Headers { names: vec!["host".to_owned()], total: 4, version: 10 };
/// headers.clear();
/// assert_eq!((headers.names.len(), headers.total, headers.version), (0, 0, 11));
/// ```
#[proc_macro_derive(Clear, attributes(pool))]
pub fn derive_clear(input: TokenStream) -> TokenStream {
    expand::derive(Derive::Clear, &parse_macro_input!(input as DeriveInput)).into()
}

/// Puts what stands behind the first token where that token is; what the mistakes of `pool!` are
/// told with.
#[doc(hidden)]
#[proc_macro]
pub fn placed(input: TokenStream) -> TokenStream {
    place::placed(input.into()).into()
}
