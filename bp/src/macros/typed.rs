//! The typed pool: a [`Pool`](crate::Pool) with names of its own.

/// Emits the pool's struct, its methods and its traits.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_type {
    ([$($attrs:tt)*] [$($vis:tt)*] $Pool:ident $Guard:ident [$Item:ty] [$Config:ty]
        [($($new_arg:ident: $NewArg:ty),*) $make:expr $(, $Return:ty)?]
        [($($get_arg:ident: $GetArg:ty),*) $admit:tt |$object:pat_param| $prepare:expr]
        [$($params:tt)*] [$($args:tt)*] [$($wheres:tt)*]) => {
        $($attrs)*
        ///
        #[doc = ::core::concat!("Hands out [`", ::core::stringify!($Guard), "`] guards.")]
        $($vis)* struct $Pool<$($params)*>
        where
            $($wheres)*
        {
            __pool: $crate::Pool<$Pool<$($args)*>>,
        }

        #[allow(
            dead_code,
            deprecated,
            clippy::needless_question_mark,
            clippy::new_ret_no_self,
            clippy::unused_unit
        )]
        impl<$($params)*> $Pool<$($args)*>
        where
            $($wheres)*
        {
            $crate::__pool_type! { @new $Pool ($($new_arg: $NewArg),*) $($Return)? }

            /// Starts a pool with more to set than `new` takes.
            #[doc = $crate::__example!(Pool::builder)]
            pub fn builder(
                capacity: ::core::primitive::usize $(, $new_arg: $NewArg)*
            ) -> $crate::Builder<Self> {
                $crate::Builder::<Self>::new(capacity, $make)
            }

            /// Returns an object behind a guard: an idle one, or a new one if nothing is idle.
            ///
            /// Does not wait for an object to come back: creates one instead.
            #[doc = $crate::__example!($Pool)]
            #[inline]
            pub fn get(&self $(, $get_arg: $GetArg)*) -> $Guard<$($args)*> {
                $crate::__pool_admit! { $admit ($($get_arg),*) }
                let mut guard = self.__pool.get();
                $crate::private::prepare::<$Item, _>(&mut *guard, |$object| $prepare);
                $Guard { __guard: guard }
            }

            /// Returns an idle object behind a guard, or `None` if nothing is idle.
            #[doc = $crate::__example!(Pool::try_get)]
            #[inline]
            pub fn try_get(
                &self $(, $get_arg: $GetArg)*
            ) -> ::core::option::Option<$Guard<$($args)*>> {
                $crate::__pool_admit! { $admit ($($get_arg),*) }
                match self.__pool.try_get() {
                    ::core::option::Option::Some(mut guard) => {
                        $crate::private::prepare::<$Item, _>(&mut *guard, |$object| $prepare);
                        ::core::option::Option::Some($Guard { __guard: guard })
                    }
                    ::core::option::Option::None => ::core::option::Option::None,
                }
            }

            /// Returns an idle object behind a guard, or what `create` makes if nothing is idle.
            #[doc = $crate::__example!(Pool::get_with)]
            pub fn get_with(
                &self, $($get_arg: $GetArg,)*
                create: impl ::core::ops::FnOnce() -> $Item
            ) -> $Guard<$($args)*> {
                $crate::__pool_admit! { $admit ($($get_arg),*) }
                let mut guard = self.__pool.get_with(create);
                $crate::private::prepare::<$Item, _>(&mut *guard, |$object| $prepare);
                $Guard { __guard: guard }
            }

            /// Returns an idle object behind a guard, or what `create` makes if nothing is idle.
            ///
            /// # Errors
            ///
            /// What `create` returns; the pool is as before then.
            #[doc = $crate::__example!(Pool::try_get_with)]
            pub fn try_get_with<__Error>(
                &self, $($get_arg: $GetArg,)*
                create: impl ::core::ops::FnOnce() -> ::core::result::Result<$Item, __Error>
            ) -> ::core::result::Result<$Guard<$($args)*>, __Error> {
                $crate::__pool_admit! { $admit ($($get_arg),*) }
                match self.__pool.try_get_with(create) {
                    ::core::result::Result::Ok(mut guard) => {
                        $crate::private::prepare::<$Item, _>(&mut *guard, |$object| $prepare);
                        ::core::result::Result::Ok($Guard { __guard: guard })
                    }
                    ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
                }
            }

            /// Moves an object out: an idle one, or a new one if nothing is idle.
            ///
            /// Nothing brings it back, unless `put` is asked to.
            #[doc = $crate::__example!(Pool::take)]
            #[must_use = "an object that was taken and is not used could have stayed idle"]
            #[inline]
            pub fn take(&self $(, $get_arg: $GetArg)*) -> $Item {
                $crate::__pool_admit! { $admit ($($get_arg),*) }
                let mut item = self.__pool.take();
                $crate::private::prepare::<$Item, _>(&mut item, |$object| $prepare);
                item
            }

            /// Stores an object from anywhere, after it was found fit and was cleaned.
            ///
            /// For what was taken, or never came from a pool. A guard is not put: dropping it
            /// returns its object.
            ///
            /// # Errors
            ///
            /// The object and the reason, when it is not fit to be kept, or the pool is full or
            /// closed.
            #[doc = $crate::__example!(Pool::put)]
            #[inline]
            pub fn put(
                &self,
                item: $Item,
            ) -> ::core::result::Result<(), $crate::PutError<$Item>> {
                self.__pool.put(item)
            }

            /// Returns how many objects are idle; never above the capacity.
            #[doc = $crate::__example!(Pool::len)]
            pub fn len(&self) -> ::core::primitive::usize {
                self.__pool.len()
            }

            /// Returns whether nothing is idle.
            #[doc = $crate::__example!(Pool::is_empty)]
            pub fn is_empty(&self) -> ::core::primitive::bool {
                self.__pool.is_empty()
            }

            /// Returns the most objects that the pool keeps idle.
            #[doc = $crate::__example!(Pool::capacity)]
            pub fn capacity(&self) -> ::core::primitive::usize {
                self.__pool.capacity()
            }

            /// Returns what all objects of this pool share.
            #[doc = $crate::__example!(Pool::config)]
            pub fn config(&self) -> &$Config {
                self.__pool.config()
            }

            /// Returns the figures of this pool.
            ///
            /// To be read now and then, not on each use: where objects are measured, it adds up
            /// their bytes under locks.
            #[doc = $crate::__example!(Pool::stats)]
            pub fn stats(&self) -> $crate::PoolStats {
                self.__pool.stats()
            }

            /// Drops what has been idle since before the last trim, and returns how many objects
            /// that were.
            #[doc = $crate::__example!(Pool::trim)]
            pub fn trim(&self) -> ::core::primitive::usize {
                self.__pool.trim()
            }

            /// Drops everything that is idle now, and returns how many objects that were.
            #[doc = $crate::__example!(Pool::clear)]
            pub fn clear(&self) -> ::core::primitive::usize {
                self.__pool.clear()
            }

            /// Closes the pool for all its handles: drops what is idle, and from now on what is
            /// returned. A get still works, by creating.
            #[doc = $crate::__example!(Pool::close)]
            pub fn close(&self) {
                self.__pool.close();
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> $crate::TypedPool for $Pool<$($args)*>
        where
            $($wheres)*
        {
            type Recipe = Self;

            fn from_pool(pool: $crate::Pool<Self>) -> Self {
                $Pool { __pool: pool }
            }

            #[inline]
            fn as_pool(&self) -> &$crate::Pool<Self> {
                &self.__pool
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> ::core::clone::Clone for $Pool<$($args)*>
        where
            $($wheres)*
        {
            /// Makes another handle to the same pool.
            fn clone(&self) -> Self {
                $Pool { __pool: ::core::clone::Clone::clone(&self.__pool) }
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> ::core::fmt::Debug for $Pool<$($args)*>
        where
            $($wheres)*
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(::core::stringify!($Pool))
                    .field("len", &self.len())
                    .field("capacity", &self.capacity())
                    .finish_non_exhaustive()
            }
        }
    };
    (@new $Pool:ident ($($arg:ident: $Arg:ty),*)) => {
        /// Makes an empty pool that keeps up to `capacity` idle objects.
        ///
        /// # Panics
        ///
        /// Panics if the config is not one that the pool can work with; `builder` returns
        /// that as an error.
        #[doc = $crate::__example!($Pool)]
        #[track_caller]
        pub fn new(capacity: ::core::primitive::usize $(, $arg: $Arg)*) -> Self {
            Self::builder(capacity $(, $arg)*).build_or_panic()
        }
    };
    (@new $Pool:ident ($($arg:ident: $Arg:ty),*) $Return:ty) => {
        /// Makes an empty pool that keeps up to `capacity` idle objects.
        ///
        /// # Errors
        ///
        /// When the config is not one that the pool can work with, or something that it needs
        /// could not be had; `builder` returns the same as a `BuildError`.
        #[doc = $crate::__example!($Pool)]
        pub fn new(capacity: ::core::primitive::usize $(, $arg: $Arg)*) -> $Return {
            ::core::result::Result::Ok(Self::builder(capacity $(, $arg)*).build()?)
        }
    };
}

/// Looks at the arguments of a get before an object is taken, where there is an `admit` step.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_admit {
    ([] $args:tt) => {};
    ([$admit:expr] ($($arg:ident),*)) => {
        let admit = $admit;
        admit($(&$arg),*);
    };
}
