//! The head of a declaration: attributes, names, what the guard derefs to.

/// Takes the attributes off a declaration and calls the macro `next` with
/// `[cfg attributes] [other attributes] declaration without`.
///
/// `cfg` is told apart since it must guard everything that the declaration emits.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_attributes {
    // A page of documentation is one attribute a line, and each step lies in the one before; so
    // lines are taken by eight.
    ($next:ident $cfg:tt [$($attrs:tt)*]
        #[doc $($a:tt)*] #[doc $($b:tt)*] #[doc $($c:tt)*] #[doc $($d:tt)*]
        #[doc $($e:tt)*] #[doc $($f:tt)*] #[doc $($g:tt)*] #[doc $($h:tt)*]
        $($rest:tt)*) => {
        $crate::__pool_attributes! {
            $next $cfg
            [$($attrs)*
                #[doc $($a)*] #[doc $($b)*] #[doc $($c)*] #[doc $($d)*]
                #[doc $($e)*] #[doc $($f)*] #[doc $($g)*] #[doc $($h)*]]
            $($rest)*
        }
    };
    ($next:ident [$($cfg:tt)*] $attrs:tt #[cfg $condition:tt] $($rest:tt)*) => {
        $crate::__pool_attributes! { $next [$($cfg)* #[cfg $condition]] $attrs $($rest)* }
    };
    ($next:ident $cfg:tt [$($attrs:tt)*] #[$($attr:tt)*] $($rest:tt)*) => {
        $crate::__pool_attributes! { $next $cfg [$($attrs)* #[$($attr)*]] $($rest)* }
    };
    ($next:ident $cfg:tt $attrs:tt $($rest:tt)*) => {
        $crate::$next! { $cfg $attrs $($rest)* }
    };
}

/// Takes one declaration apart: `[cfg attributes] [other attributes] declaration without`.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_declaration {
    // A process-wide pool.
    ([$($cfg:tt)*] [$($attrs:tt)*] $vis:vis static $NAME:ident: $Pool:ty = $init:expr;) => {
        $($cfg)* $($attrs)*
        $vis static $NAME: $crate::private::LazyLock<$Pool> =
            $crate::private::LazyLock::new(|| $init);
    };

    // A typed pool: with a body, or as the last one without even a semicolon.
    ([$($cfg:tt)*] $attrs:tt $vis:vis struct $Pool:ident($Item:ty) -> $Guard:ident: $Target:ty { $($body:tt)* }) => {
        $($cfg)* $crate::__pool_steps! {
            @config { $attrs [$vis] $Pool $Guard [$Item] [$Target] } $($body)* ,
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident($Item:ty) -> $Guard:ident: $Target:ty) => {
        $crate::__pool_declaration! { $cfg $attrs $vis struct $Pool($Item) -> $Guard: $Target {} }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident($Item:ty) -> $Guard:ident $({ $($body:tt)* })?) => {
        $crate::__pool_declaration! {
            $cfg $attrs $vis struct $Pool($Item) -> $Guard: $Item { $($($body)*)? }
        }
    };

    // Known mistakes.
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident<$($rest:tt)*) => {
        $crate::private::placed! {
            $Pool ::core::compile_error! {
                "`pool!` makes no generic pools; \
                 `#[derive(Poolable)] #[pool(name = .., guard = ..)]` on the object's type does"
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident($Item:ty) -> $Guard:ident, $($rest:tt)*) => {
        $crate::private::placed! {
            $Guard ::core::compile_error! { "declarations in `pool!` end with `;`, not `,`" }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident($Item:ty) -> $Guard:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $Guard ::core::compile_error! {
                ::core::concat!(
                    "behind the guard's name stands `;`, or the steps in braces: `-> ",
                    ::core::stringify!($Guard), " { create: |_| .. }`",
                )
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident($Item:ty) => $($rest:tt)*) => {
        $crate::private::placed! {
            $Pool ::core::compile_error! { "the guard's name stands behind `->`, not `=>`" }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident($Item:ty) $($rest:tt)*) => {
        $crate::private::placed! {
            $Pool ::core::compile_error! {
                ::core::concat!(
                    "the guard's name is missing: write `struct ", ::core::stringify!($Pool), "(",
                    ::core::stringify!($Item), ") -> NameOfTheGuard`",
                )
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Pool:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $Pool ::core::compile_error! {
                ::core::concat!(
                    "the type of the objects is missing: write `struct ", ::core::stringify!($Pool),
                    "(TypeOfTheObjects) -> NameOfTheGuard`",
                )
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis static $NAME:ident: $Pool:ty = $init:expr) => {
        $crate::private::placed! {
            $NAME ::core::compile_error! { "a `static` in `pool!` ends with `;`" }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis static $NAME:ident = $($rest:tt)*) => {
        $crate::private::placed! {
            $NAME ::core::compile_error! {
                "a `static` in `pool!` names its type: `static NAME: BufferPool = BufferPool::new(..);`"
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis static mut $($rest:tt)*) => {
        ::core::compile_error! { "a pool is shared as it is; write `static` without `mut`" }
    };
    ($cfg:tt $attrs:tt $vis:vis enum $Pool:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $Pool ::core::compile_error! { "a pool is a `struct`, also where its objects are an enum" }
        }
    };
    ($cfg:tt $attrs:tt) => {
        ::core::compile_error! { "no declaration stands behind these attributes" }
    };
    ($cfg:tt $attrs:tt $wrong:tt $($rest:tt)*) => {
        $crate::private::placed! {
            $wrong ::core::compile_error! {
                "expected `struct MyPool(Object) -> MyRef;`, \
                 `struct MyPool(Object) -> MyRef { config: .., create: .., .. }` or \
                 `static MY_POOL: MyPool = MyPool::new(..);`"
            }
        }
    };
}
