//! What the pools of timers have in common: all but `new` and `get`.

/// Declares a pool of timers around one made by `pool!`, which looks at the runtime before it
/// takes anything out.
macro_rules! timer_pool {
    ($(#[$attr:meta])* $Pool:ident { $inner:ident -> $Guard:ident }) => {
        $(#[$attr])*
        #[derive(Clone)]
        pub struct $Pool {
            $inner: beneath::$Pool,
        }

        impl $Pool {
            /// Returns an object of this runtime. Objects of others that are met on the way are
            /// dropped: they would fire by another clock, or not at all.
            #[track_caller]
            fn of_this_runtime(&self, create: impl Fn(Home) -> <beneath::$Pool as Recipe>::Item) -> $Guard {
                // Panics before anything is taken.
                let home = Home::current();
                loop {
                    let guard = self.$inner.get_with(|| create(home));
                    if guard.home == home {
                        return guard;
                    }
                    $Guard::discard(guard);
                }
            }

            /// Returns how many timers are idle; never above the capacity.
            ///
            /// # Examples
            ///
            /// See [`Pool::len`](crate::Pool::len).
            pub fn len(&self) -> usize {
                self.$inner.len()
            }

            /// Returns whether no timer is idle.
            ///
            /// # Examples
            ///
            /// See [`Pool::is_empty`](crate::Pool::is_empty).
            pub fn is_empty(&self) -> bool {
                self.$inner.is_empty()
            }

            /// Returns the most timers that the pool keeps idle.
            ///
            /// # Examples
            ///
            /// See [`Pool::capacity`](crate::Pool::capacity).
            pub fn capacity(&self) -> usize {
                self.$inner.capacity()
            }

            /// Returns the figures of this pool.
            ///
            /// Timers of another runtime that a get met count as hits, and as `discarded_by_user`.
            ///
            /// # Examples
            ///
            /// See [`Pool::stats`](crate::Pool::stats).
            pub fn stats(&self) -> PoolStats {
                self.$inner.stats()
            }

            /// Drops what has been idle since before the last trim, and returns how many timers
            /// that were.
            ///
            /// # Examples
            ///
            /// See [`Pool::trim`](crate::Pool::trim).
            pub fn trim(&self) -> usize {
                self.$inner.trim()
            }

            /// Drops everything that is idle now, and returns how many timers that were.
            ///
            /// # Examples
            ///
            /// See [`Pool::clear`](crate::Pool::clear).
            pub fn clear(&self) -> usize {
                self.$inner.clear()
            }

            /// Closes the pool for all its handles: drops what is idle, and from now on what is
            /// returned. A get still works, by creating.
            ///
            /// # Examples
            ///
            /// See [`Pool::close`](crate::Pool::close).
            pub fn close(&self) {
                self.$inner.close();
            }
        }

        impl TypedPool for $Pool {
            type Recipe = beneath::$Pool;

            fn from_pool(pool: Pool<beneath::$Pool>) -> Self {
                $Pool { $inner: beneath::$Pool::from_pool(pool) }
            }

            fn as_pool(&self) -> &Pool<beneath::$Pool> {
                self.$inner.as_pool()
            }
        }

        impl Debug for $Pool {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Pool))
                    .field("len", &self.len())
                    .field("capacity", &self.capacity())
                    .finish_non_exhaustive()
            }
        }
    };
}
