//! The key of a typed pool: what its `new` takes beside the capacity.

/// Emits `impl KeyedPool for Pool`; with a key where the head says `keyed` and `get` is as it comes.
///
/// With `@scan`, finds out what the head is to say: goes over the arguments of `new`, `[..]`, then
/// on to the steps. An associated type cannot name the lifetime of an argument that borrows, nor
/// be `impl Trait`. A lifetime that is hidden, as in `Cow<str>`, cannot be seen here; the compiler
/// asks for it in `Key`.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_key {
    (@scan $head:tt $config:tt [& 'static $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @scan $head $config [$($args)*] $($body)* }
    };
    (@scan $head:tt $config:tt [& $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @steps $head $config keyless $($body)* }
    };
    (@scan $head:tt $config:tt ['static $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @scan $head $config [$($args)*] $($body)* }
    };
    (@scan $head:tt $config:tt [$borrowed:lifetime $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @steps $head $config keyless $($body)* }
    };
    (@scan $head:tt $config:tt [impl $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @steps $head $config keyless $($body)* }
    };
    // The end of the arguments.
    (@scan $head:tt $config:tt [| $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @steps $head $config keyed $($body)* }
    };
    (@scan $head:tt $config:tt [($($inner:tt)*) $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @scan $head $config [$($inner)* $($args)*] $($body)* }
    };
    (@scan $head:tt $config:tt [[$($inner:tt)*] $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @scan $head $config [$($inner)* $($args)*] $($body)* }
    };
    (@scan $head:tt $config:tt [$other:tt $($args:tt)*] $($body:tt)*) => {
        $crate::__pool_key! { @scan $head $config [$($args)*] $($body)* }
    };
    // No end: the steps say what is wrong.
    (@scan $head:tt $config:tt [] $($body:tt)*) => {
        $crate::__pool_key! { @steps $head $config keyless $($body)* }
    };
    (@steps { $($head:tt)* } $config:tt $key:ident $($body:tt)*) => {
        $crate::__pool_steps! { @new { $($head)* $key } $config $($body)* }
    };

    (keyed $Pool:ident [($arg:ident: $Arg:ty) $make:expr $(, $Return:ty)?] [() [] |_| ()] $params:tt
        $args:tt $wheres:tt) => {
        $crate::__pool_key! { @emit $Pool [$Arg] [$arg] [$arg] $params $args $wheres }
    };
    (keyed $Pool:ident [($($arg:ident: $Arg:ty),+) $make:expr $(, $Return:ty)?] [() [] |_| ()]
        $params:tt $args:tt $wheres:tt) => {
        $crate::__pool_key! {
            @emit $Pool [($($Arg),+)] [($($arg),+)] [$($arg),+] $params $args $wheres
        }
    };
    // Nothing that a key could be, or a `get` step, which wants to run on each get, perhaps with
    // arguments of its own.
    ($key:ident $Pool:ident $new:tt $get:tt $params:tt $args:tt $wheres:tt) => {
        $crate::__pool_key! {
            @impl $Pool [$crate::NoKey] _capacity key [match key {}] $params $args $wheres
        }
    };

    (@emit $Pool:ident [$Key:ty] [$key:pat] [$($arg:ident),+] $params:tt $args:tt $wheres:tt) => {
        $crate::__pool_key! {
            @impl $Pool [$Key] capacity key
            [{
                let $key = key;
                Self::builder(capacity, $($arg),+)
            }]
            $params $args $wheres
        }
    };
    (@impl $Pool:ident [$Key:ty] $capacity:ident $key:ident [$($builder:tt)*]
        [$($params:tt)*] [$($args:tt)*] [$($wheres:tt)*]) => {
        #[allow(deprecated)]
        #[automatically_derived]
        impl<$($params)*> $crate::KeyedPool for $Pool<$($args)*>
        where
            $($wheres)*
        {
            type Key = $Key;

            fn builder_for(
                $capacity: ::core::primitive::usize,
                $key: Self::Key,
            ) -> $crate::Builder<Self> {
                $($builder)*
            }
        }
    };
}
