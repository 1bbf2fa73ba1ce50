//! What a pool that is built around another one passes on to it.

/// Gives a struct around a pool that `pool!` made what every pool has, beside the ways to make it
/// and to get something out of it, which are what it is there for. The methods stand in the same
/// block as those, so that its page shows them behind.
macro_rules! pool_around {
    (methods: $field:ident of $objects:literal) => {
        #[doc = concat!("Returns how many ", $objects, " are idle; never above the capacity.")]
        ///
        /// # Examples
        ///
        /// See [`Pool::len`](crate::Pool::len).
        pub fn len(&self) -> usize {
            self.$field.len()
        }

        #[doc = concat!("Returns whether no ", $objects, " are idle.")]
        ///
        /// # Examples
        ///
        /// See [`Pool::is_empty`](crate::Pool::is_empty).
        pub fn is_empty(&self) -> bool {
            self.$field.is_empty()
        }

        #[doc = concat!("Returns the most ", $objects, " that the pool keeps idle.")]
        ///
        /// # Examples
        ///
        /// See [`Pool::capacity`](crate::Pool::capacity).
        pub fn capacity(&self) -> usize {
            self.$field.capacity()
        }

        #[doc = concat!("Returns the figures of this pool; what they count is ", $objects, ".")]
        ///
        /// # Examples
        ///
        /// See [`Pool::stats`](crate::Pool::stats).
        pub fn stats(&self) -> $crate::PoolStats {
            self.$field.stats()
        }

        /// Drops what has been idle since before the last trim, and returns how many
        #[doc = concat!($objects, " that were.")]
        ///
        /// # Examples
        ///
        /// See [`Pool::trim`](crate::Pool::trim).
        pub fn trim(&self) -> usize {
            self.$field.trim()
        }

        /// Drops everything that is idle now, and returns how many
        #[doc = concat!($objects, " that were.")]
        ///
        /// # Examples
        ///
        /// See [`Pool::clear`](crate::Pool::clear).
        pub fn clear(&self) -> usize {
            self.$field.clear()
        }

        /// Closes the pool for all its handles: drops what is idle, and from now on what is
        /// returned. Everything still works, by creating.
        ///
        /// # Examples
        ///
        /// See [`Pool::close`](crate::Pool::close).
        pub fn close(&self) {
            self.$field.close();
        }
    };
    (traits: $Pool:ident { $field:ident: $Beneath:ty $(, $shown:ident())? }) => {
        impl $crate::TypedPool for $Pool {
            type Recipe = $Beneath;

            fn from_pool(pool: $crate::Pool<$Beneath>) -> Self {
                $Pool { $field: <$Beneath>::from_pool(pool) }
            }

            fn as_pool(&self) -> &$crate::Pool<$Beneath> {
                self.$field.as_pool()
            }
        }

        impl ::std::fmt::Debug for $Pool {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($Pool))
                    .field("len", &self.len())
                    .field("capacity", &self.capacity())
                    $(.field(stringify!($shown), &self.$shown()))?
                    .finish_non_exhaustive()
            }
        }
    };
}
