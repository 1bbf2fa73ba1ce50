//! The recipe of a typed pool.

/// Emits `impl Recipe for Pool`.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_recipe {
    // Without `create`: the steps of a type that is `Poolable`.
    ($Pool:ident [$Item:ty] [$Config:ty]
        { [$($check:expr)?] [$($open:expr)?] [] [] [] [] [$($measure:expr)?] [$($limit:expr)?] }
        [$($params:tt)*] [$($args:tt)*] [$($wheres:tt)*]) => {
        // `|_|` is how every step says that it needs no config, also where that is `()`.
        #[allow(deprecated, clippy::ignored_unit_patterns)]
        #[automatically_derived]
        impl<$($params)*> $crate::Recipe for $Pool<$($args)*>
        where
            $($wheres)*
        {
            $crate::__pool_recipe! {
                @types [$Item] [$Config] [$($check)?] [$($open)?] [$($measure)?] [$($limit)?]
            }

            #[inline]
            fn create(config: &Self::Config) -> Self::Item {
                let (create, ..) = $crate::private::steps_of::<$Item, $Config>();
                create(config)
            }

            #[inline]
            fn reset(item: &mut Self::Item, config: &Self::Config) {
                let (_, reset, _) = $crate::private::steps_of::<$Item, $Config>();
                reset(item, config);
            }

            #[inline]
            fn keep(item: &Self::Item, config: &Self::Config) -> ::core::primitive::bool {
                let (.., keep) = $crate::private::steps_of::<$Item, $Config>();
                keep(item, config)
            }
        }
    };

    // With `create`: the steps as written.
    ($Pool:ident [$Item:ty] [$Config:ty]
        { [$($check:expr)?] [$($open:expr)?] [$create:expr] [$($reset:expr)?] [$($keep:expr)?]
        [$($dispose:expr)?] [$($measure:expr)?] [$($limit:expr)?] }
        [$($params:tt)*] [$($args:tt)*] [$($wheres:tt)*]) => {
        #[allow(deprecated, clippy::ignored_unit_patterns)]
        #[automatically_derived]
        impl<$($params)*> $crate::Recipe for $Pool<$($args)*>
        where
            $($wheres)*
        {
            $crate::__pool_recipe! {
                @types [$Item] [$Config] [$($check)?] [$($open)?] [$($measure)?] [$($limit)?]
            }

            #[inline]
            fn create(config: &Self::Config) -> Self::Item {
                $crate::private::make::<$Config, $Item>(config, $create)
            }

            #[inline]
            fn reset(item: &mut Self::Item, config: &Self::Config) {
                let _ = (&item, config);
                $($crate::private::reset::<$Item, $Config>(item, config, $reset);)?
            }

            $(#[inline]
            fn keep(item: &Self::Item, config: &Self::Config) -> ::core::primitive::bool {
                $crate::private::keep::<$Item, $Config>(item, config, $keep)
            })?

            $(fn dispose(item: &mut Self::Item, config: &Self::Config) {
                $crate::private::reset::<$Item, $Config>(item, config, $dispose);
            })?
        }
    };

    (@types [$Item:ty] [$Config:ty] [$($check:expr)?] [$($open:expr)?] [$($measure:expr)?]
        [$($limit:expr)?]) => {
        type Item = $Item;
        type Config = $Config;

        $(fn check(
            config: &Self::Config,
        ) -> ::core::result::Result<(), $crate::BuildError> {
            $crate::private::check::<$Config>(config, $check)
        })?

        $(fn open(
            config: &mut Self::Config,
            capacity: ::core::primitive::usize,
        ) -> ::core::result::Result<(), $crate::BuildError> {
            $crate::private::open::<$Config>(config, capacity, $open)
        })?

        $(const MEASURED: ::core::primitive::bool = true;

        #[inline]
        fn measure(
            item: &Self::Item,
        ) -> (::core::primitive::usize, ::core::primitive::usize) {
            $crate::private::measure::<$Item>(item, $measure)
        })?

        $(#[inline]
        fn limit(config: &Self::Config) -> ::core::primitive::usize {
            $crate::private::make::<$Config, ::core::primitive::usize>(config, $limit)
        })?
    };
}
