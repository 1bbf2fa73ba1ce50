//! From a declaration that was taken apart to the items that it stands for.

/// Emits recipe, pool, guard and key.
///
/// `[attributes] [visibility] Pool Guard [Item] [Config] [Target] keyed|keyless [(new args) config, returns]
/// [(get args) [admit] |item| step] {[check] [open] [create] [reset] [keep] [dispose] [measure] [limit]}
/// [generics as declared] [generics as used] [where predicates]`; `, returns` may be missing.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_emit {
    ($attrs:tt $vis:tt $Pool:ident $Guard:ident $Item:tt $Config:tt $Target:tt $key:ident $new:tt
        $get:tt $steps:tt $params:tt $args:tt $wheres:tt) => {
        $crate::__pool_recipe! { $Pool $Item $Config $steps $params $args $wheres }
        $crate::__pool_type! {
            $attrs $vis $Pool $Guard $Item $Config $new $get $params $args $wheres
        }
        $crate::__pool_guard! { $vis $Pool $Guard $Item $Target $params $args $wheres }
        $crate::__pool_key! { $key $Pool $new $get $params $args $wheres }
    };
}

/// Emits the typed pool of a type that derives `Poolable`; what the derive calls.
///
/// `[attributes] [visibility] Pool Guard [Item] [Config] [unit or config] [generics as declared]
/// [generics as used] [where predicates]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __poolable_pool {
    ($attrs:tt $vis:tt $Pool:ident $Guard:ident $Item:tt $Config:tt [unit] $params:tt $args:tt
        $wheres:tt) => {
        $crate::__pool_emit! {
            $attrs $vis $Pool $Guard $Item $Config $Item keyed [() ()] [() [] |_| ()]
            { [] [] [] [] [] [] [] [] } $params $args $wheres
        }
    };
    ($attrs:tt $vis:tt $Pool:ident $Guard:ident $Item:tt [$Config:ty] [config] $params:tt $args:tt
        $wheres:tt) => {
        $crate::__pool_emit! {
            $attrs $vis $Pool $Guard $Item [$Config] $Item keyed [(config: $Config) config] [() [] |_| ()]
            { [] [] [] [] [] [] [] [] } $params $args $wheres
        }
    };
}
