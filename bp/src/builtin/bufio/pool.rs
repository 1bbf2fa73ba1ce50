//! What the pools of readers and of writers have in common: all but `get`.

/// Declares a pool of buffered streams over a `BytePool`, and the settings of its builder.
macro_rules! bufio_pool {
    ($(#[$attr:meta])* $Pool:ident) => {
        $(#[$attr])*
        #[derive(Clone)]
        pub struct $Pool {
            blocks: $crate::BytePool,
        }

        impl $Pool {
            /// Makes an empty pool that keeps up to `capacity` idle buffers of 4096 bytes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("let pool = bp::", stringify!($Pool), "::new(16);")]
            /// assert_eq!((pool.capacity(), pool.size()), (16, 4096));
            /// ```
            pub fn new(capacity: usize) -> Self {
                Self::with_size(capacity, super::DEFAULT_SIZE)
            }

            /// Makes an empty pool that keeps up to `capacity` idle buffers of `size` bytes.
            ///
            /// # Panics
            ///
            /// Panics if the size is 0 or more than `isize::MAX`; [`builder`](Self::builder)
            /// returns that as an error.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("let pool = bp::", stringify!($Pool), "::with_size(16, 64 * 1024);")]
            /// assert_eq!(pool.size(), 64 * 1024);
            /// ```
            #[track_caller]
            pub fn with_size(capacity: usize, size: usize) -> Self {
                Self::builder(capacity).size(size).build_or_panic()
            }

            /// Starts a pool with more to set than `new` takes.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use bp::", stringify!($Pool), ";")]
            ///
            #[doc = concat!(
                "let pool = ", stringify!($Pool), "::builder(16).size(64 * 1024).preload(0.25).build()?;"
            )]
            /// assert_eq!(pool.len(), 4);
            #[doc = concat!("assert!(", stringify!($Pool), "::builder(16).size(0).build().is_err());")]
            /// # Ok::<(), bp::BuildError>(())
            /// ```
            pub fn builder(capacity: usize) -> $crate::Builder<Self> {
                $crate::Builder::new(capacity, $crate::ByteConfig::new(super::DEFAULT_SIZE))
            }

            /// Returns how many bytes each buffer holds.
            ///
            /// # Examples
            ///
            /// See [`with_size`](Self::with_size).
            pub fn size(&self) -> usize {
                self.blocks.config().size()
            }

            /// Returns how many buffers are idle; never above the capacity.
            ///
            /// # Examples
            ///
            /// See [`Pool::len`](crate::Pool::len).
            pub fn len(&self) -> usize {
                self.blocks.len()
            }

            /// Returns whether no buffer is idle.
            ///
            /// # Examples
            ///
            /// See [`Pool::is_empty`](crate::Pool::is_empty).
            pub fn is_empty(&self) -> bool {
                self.blocks.is_empty()
            }

            /// Returns the most buffers that the pool keeps idle.
            ///
            /// # Examples
            ///
            /// See [`Pool::capacity`](crate::Pool::capacity).
            pub fn capacity(&self) -> usize {
                self.blocks.capacity()
            }

            /// Returns the figures of this pool; what they count is buffers.
            ///
            /// # Examples
            ///
            /// See [`Pool::stats`](crate::Pool::stats).
            pub fn stats(&self) -> $crate::PoolStats {
                self.blocks.stats()
            }

            /// Drops what has been idle since before the last trim, and returns how many buffers
            /// that were.
            ///
            /// # Examples
            ///
            /// See [`Pool::trim`](crate::Pool::trim).
            pub fn trim(&self) -> usize {
                self.blocks.trim()
            }

            /// Drops everything that is idle now, and returns how many buffers that were.
            ///
            /// # Examples
            ///
            /// See [`Pool::clear`](crate::Pool::clear).
            pub fn clear(&self) -> usize {
                self.blocks.clear()
            }

            /// Closes the pool for all its handles: drops what is idle, and from now on what is
            /// returned. A get still works, by creating.
            ///
            /// # Examples
            ///
            /// See [`Pool::close`](crate::Pool::close).
            pub fn close(&self) {
                self.blocks.close();
            }
        }

        /// The pool beneath is one of byte blocks.
        impl $crate::TypedPool for $Pool {
            type Recipe = $crate::BytePool;

            fn from_pool(pool: $crate::Pool<$crate::BytePool>) -> Self {
                $Pool { blocks: $crate::BytePool::from_pool(pool) }
            }

            fn as_pool(&self) -> &$crate::Pool<$crate::BytePool> {
                self.blocks.as_pool()
            }
        }

        impl ::std::fmt::Debug for $Pool {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($Pool))
                    .field("len", &self.len())
                    .field("capacity", &self.capacity())
                    .field("size", &self.size())
                    .finish_non_exhaustive()
            }
        }

        impl $crate::Builder<$Pool> {
            /// Sets how many bytes each buffer holds.
            ///
            /// By default 4096. Must be at least 1.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("let pool = bp::", stringify!($Pool), "::builder(16).size(512).build()?;")]
            /// assert_eq!(pool.size(), 512);
            /// # Ok::<(), bp::BuildError>(())
            /// ```
            pub fn size(self, size: usize) -> Self {
                self.configure(|config| config.resize(size))
            }

            /// Sets what becomes of the contents of a buffer that is returned.
            ///
            /// By default they stay in memory, where no later user sees them.
            ///
            /// # Examples
            ///
            /// See [`OnReturn`](crate::OnReturn).
            pub fn on_return(self, on_return: $crate::OnReturn) -> Self {
                self.configure(|config| config.treat_on_return(on_return))
            }
        }
    };
}
