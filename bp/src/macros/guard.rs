//! The guard of a typed pool: a [`Ref`](crate::Ref) with a name of its own.

/// Emits the guard's struct, its functions and its traits.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_guard {
    ([$($vis:tt)*] $Pool:ident $Guard:ident [$Item:ty] [$Target:ty]
        [$($params:tt)*] [$($args:tt)*] [$($wheres:tt)*]) => {
        #[doc = ::core::concat!("An object taken from a [`", ::core::stringify!($Pool), "`], which goes back when the guard is dropped.")]
        #[doc = $crate::__example!(type Ref)]
        #[must_use = "dropping a guard returns its object to the pool at once"]
        #[allow(deprecated)]
        $($vis)* struct $Guard<$($params)*>
        where
            $($wheres)*
        {
            __guard: $crate::Ref<$Pool<$($args)*>>,
        }

        #[allow(dead_code, deprecated)]
        impl<$($params)*> $Guard<$($args)*>
        where
            $($wheres)*
        {
            /// Moves the object out; the pool forgets it.
            #[doc = $crate::__example!(Ref::detach)]
            pub fn detach(this: Self) -> $Item {
                $crate::Ref::detach(this.__guard)
            }

            /// Drops the object instead of returning it, as one would that is broken.
            #[doc = $crate::__example!(Ref::discard)]
            pub fn discard(this: Self) {
                $crate::Ref::discard(this.__guard);
            }

            /// Returns the object, as dropping the guard does, and tells what became of it.
            ///
            /// # Errors
            ///
            /// The object and the reason, when it is not fit to be kept, or the pool is full or
            /// closed.
            #[doc = $crate::__example!(Ref::release)]
            pub fn release(
                this: Self,
            ) -> ::core::result::Result<(), $crate::PutError<$Item>> {
                $crate::Ref::release(this.__guard)
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> ::core::convert::From<$crate::Ref<$Pool<$($args)*>>> for $Guard<$($args)*>
        where
            $($wheres)*
        {
            /// Gives a guard that came from the untyped pool its type.
            #[inline]
            fn from(guard: $crate::Ref<$Pool<$($args)*>>) -> Self {
                $Guard { __guard: guard }
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> ::core::ops::Deref for $Guard<$($args)*>
        where
            $($wheres)*
        {
            type Target = $Target;

            #[inline]
            fn deref(&self) -> &Self::Target {
                let item: &$Item = &self.__guard;
                item
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> ::core::ops::DerefMut for $Guard<$($args)*>
        where
            $($wheres)*
        {
            #[inline]
            fn deref_mut(&mut self) -> &mut Self::Target {
                let item: &mut $Item = &mut self.__guard;
                item
            }
        }

        // With `for<'__a>` the bound may be one that does not hold: then there is no `Debug`.
        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> ::core::fmt::Debug for $Guard<$($args)*>
        where
            for<'__a> $Target: ::core::fmt::Debug,
            $($wheres)*
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let target: &$Target = self;
                ::core::fmt::Debug::fmt(target, f)
            }
        }
    };
}
