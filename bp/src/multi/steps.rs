//! `MultiPool`: what is special to one kind of multi pool.

use std::fmt::Debug;

use super::{Multi, RecipeOf};
use crate::{KeyedPool, Recipe, Ref, TypedPool};

/// The steps of a multi pool: which requests are larger, which an object can serve, and how it
/// comes to serve one.
///
/// Written by [`multi_pool!`](crate::multi_pool!), whose pools are what a
/// [`MultiBuilder`](crate::MultiBuilder) builds.
///
/// # Examples
///
/// ```
/// use bp::{MultiBufferPool, MultiBytePool, MultiPool};
///
/// /// Warms up any multi pool by one request.
/// fn request_once<M: MultiPool>(pool: &M, size: &M::Key) {
///     drop(pool.as_multi().get(size));
/// }
///
/// let blocks = MultiBytePool::builder().class(4, 64).build()?;
/// let buffers = MultiBufferPool::builder().class(4, 64).build()?;
/// request_once(&blocks, &10);
/// request_once(&buffers, &10);
/// assert_eq!((blocks.len(), buffers.len()), (1, 1));
/// # Ok::<(), bp::BuildError>(())
/// ```
pub trait MultiPool: Sized {
    /// The pool of one class.
    type Pool: KeyedPool<Key = Self::Key, Recipe: Recipe<Item = Self::Item>> + 'static;

    /// The guard of that pool.
    type Guard: From<Ref<<Self::Pool as TypedPool>::Recipe>>;

    /// The objects of that pool.
    type Item;

    /// What a request names its size by: the key of that pool.
    type Key: Clone + Debug;

    /// Changes the config of a class, as its pool serves many sizes here.
    fn class(config: &mut <RecipeOf<Self> as Recipe>::Config) {
        let _ = config;
    }

    /// Returns how large a request is, or `None` if it is more than a `usize` can tell.
    fn need(key: &Self::Key) -> Option<usize>;

    /// Returns the largest request that an object can serve, in the unit of `need`.
    fn size(item: &Self::Item) -> usize;

    /// Makes an object serve a request that is not larger than its class. Runs on each get, for
    /// idle objects and for new ones.
    fn fit(item: &mut Self::Item, key: &Self::Key);

    /// Gives a multi pool its type.
    fn from_multi(multi: Multi<Self>) -> Self;

    /// Returns the multi pool without its type.
    fn as_multi(&self) -> &Multi<Self>;
}
