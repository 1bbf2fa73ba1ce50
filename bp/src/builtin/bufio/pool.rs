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

            pool_around! { methods: blocks of "buffers" }
        }

        pool_around! { traits: $Pool { blocks: $crate::BytePool, size() } }

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
            /// By default they stay in memory, where no later user sees them; but a reader is given
            /// the buffer to write to, and one that claims bytes it did not write passes on what
            /// stood there. Where readers are not trusted that far, set this to `Zero`.
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
