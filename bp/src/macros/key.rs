//! The key of a typed pool: what its `new` takes beside the capacity.

/// Emits `impl KeyedPool for Pool`, where `new` takes arguments and `get` is as it comes.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_key {
    ($Pool:ident [() $make:expr] $get:tt $params:tt $args:tt $wheres:tt) => {};
    ($Pool:ident [($key:ident: $Key:ty) $make:expr] [() |_| ()] $params:tt $args:tt $wheres:tt) => {
        $crate::__pool_key! { @emit $Pool [$Key] [$key] [$key] $params $args $wheres }
    };
    ($Pool:ident [($($key:ident: $Key:ty),*) $make:expr] [() |_| ()] $params:tt $args:tt
        $wheres:tt) => {
        $crate::__pool_key! {
            @emit $Pool [($($Key),*)] [($($key),*)] [$($key),*] $params $args $wheres
        }
    };
    // A `get` step wants to be run on each get, perhaps with arguments of its own.
    ($Pool:ident $new:tt $get:tt $params:tt $args:tt $wheres:tt) => {};

    (@emit $Pool:ident [$Key:ty] [$pattern:pat] [$($arg:ident),*]
        [$($params:tt)*] [$($args:tt)*] [$($wheres:tt)*]) => {
        #[automatically_derived]
        impl<$($params)*> $crate::KeyedPool for $Pool<$($args)*>
        where
            $($wheres)*
        {
            type Key = $Key;

            fn builder_for(
                capacity: ::core::primitive::usize,
                key: Self::Key,
            ) -> $crate::Builder<Self> {
                let $pattern = key;
                Self::builder(capacity, $($arg),*)
            }
        }
    };
}
