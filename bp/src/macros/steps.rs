//! The body of a declaration: one stage per step.

/// Takes the steps off the body in their order, each into a slot of its own:
/// `@stage head slots.. rest-of-the-body..`. The body comes with a comma appended.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_steps {
    (@config $head:tt config: $Config:ty, $($rest:tt)*) => {
        $crate::__pool_steps! { @new $head [$Config] $($rest)* }
    };
    (@config $head:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @new $head [()] $($rest)* }
    };

    // `new` becomes the arguments and the config made of them, and what `new` returns, where that
    // is a result. Tried first: what begins with `->` is no expression.
    (@new $head:tt $config:tt
        new: |$($arg:ident: $Arg:ty),* $(,)?| -> $Return:ty { $($make:tt)* }, $($rest:tt)*) => {
        $crate::__pool_steps! {
            @check $head $config [($($arg: $Arg),*) { $($make)* }, $Return] $($rest)*
        }
    };
    (@new $head:tt $config:tt new: || -> $Return:ty { $($make:tt)* }, $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head $config [() { $($make)* }, $Return] $($rest)* }
    };
    (@new $head:tt $config:tt new: |$($arg:ident: $Arg:ty),* $(,)?| $make:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head $config [($($arg: $Arg),*) $make] $($rest)* }
    };
    (@new $head:tt $config:tt new: || $make:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head $config [() $make] $($rest)* }
    };
    (@new $head:tt [()] $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head [()] [() ()] $($rest)* }
    };
    (@new $head:tt [$Config:ty] $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head [$Config] [(config: $Config) config] $($rest)* }
    };

    (@check $head:tt $config:tt $new:tt check: $check:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @open $head $config $new [$check] $($rest)* }
    };
    (@check $head:tt $config:tt $new:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @open $head $config $new [] $($rest)* }
    };

    // From here on one slot holds both steps that run when a pool is built.
    (@open $head:tt $config:tt $new:tt $check:tt open: $open:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @create $head $config $new [$check [$open]] $($rest)* }
    };
    (@open $head:tt $config:tt $new:tt $check:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @create $head $config $new [$check []] $($rest)* }
    };

    // With `create`, the steps are written out; without, they are those of `Poolable`.
    (@create $head:tt $config:tt $new:tt $check:tt create: $create:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @reset $head $config $new $check [$create] $($rest)* }
    };
    (@create $head:tt $config:tt $new:tt $check:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @measure $head $config $new $check [] [] [] $($rest)* }
    };

    (@reset $head:tt $config:tt $new:tt $check:tt $create:tt reset: $reset:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @keep $head $config $new $check $create [$reset] $($rest)* }
    };
    (@reset $head:tt $config:tt $new:tt $check:tt $create:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @keep $head $config $new $check $create [] $($rest)* }
    };

    (@keep $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt keep: $keep:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @measure $head $config $new $check $create $reset [$keep] $($rest)* }
    };
    (@keep $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @measure $head $config $new $check $create $reset [] $($rest)* }
    };

    (@measure $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt measure: $measure:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @limit $head $config $new $check $create $reset $keep [$measure] $($rest)* }
    };
    (@measure $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @get $head $config $new $check $create $reset $keep [] [] $($rest)* }
    };

    (@limit $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt limit: $limit:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @get $head $config $new $check $create $reset $keep $measure [$limit] $($rest)* }
    };
    (@limit $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @get $head $config $new $check $create $reset $keep $measure [] $($rest)* }
    };

    // `get` becomes the arguments and what is done with them.
    (@get $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt
        get: |$item:pat_param $(, $arg:ident: $Arg:ty)* $(,)?| $prepare:expr, $($rest:tt)*) => {
        $crate::__pool_steps! {
            @end $head $config $new $check $create $reset $keep $measure $limit
            [($($arg: $Arg),*) |$item| $prepare] $($rest)*
        }
    };
    (@get $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $($rest:tt)*) => {
        $crate::__pool_steps! {
            @end $head $config $new $check $create $reset $keep $measure $limit [() |_| ()] $($rest)*
        }
    };

    // All is taken; the comma that was appended may be left.
    (@end { $attrs:tt $vis:tt $Pool:ident $Guard:ident $Item:tt $Target:tt } $config:tt $new:tt
        $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $get:tt $(,)?) => {
        $crate::__pool_emit! {
            $attrs $vis $Pool $Guard $Item $config $Target $new $get
            { $check $create $reset $keep $measure $limit } [] [] []
        }
    };

    // Known mistakes: what is left begins with the step that was not taken.
    (@end $head:tt $config:tt $new:tt $check:tt [] $reset:tt $keep:tt $measure:tt $limit:tt $get:tt reset: $($rest:tt)*) => {
        ::core::compile_error! { "`reset` needs a `create` before it; without, the steps are those of `Poolable`" }
    };
    (@end $head:tt $config:tt $new:tt $check:tt [] $reset:tt $keep:tt $measure:tt $limit:tt $get:tt keep: $($rest:tt)*) => {
        ::core::compile_error! { "`keep` needs a `create` before it; without, the steps are those of `Poolable`" }
    };
    (@end $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt [] $limit:tt $get:tt limit: $($rest:tt)*) => {
        ::core::compile_error! { "`limit` needs a `measure` before it, which tells the bytes that it limits" }
    };
    (@end $head:tt $config:tt [() ()] $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $get:tt new: $($rest:tt)*) => {
        $crate::__pool_steps! { @wrong_new }
    };
    (@end $head:tt $config:tt [(config: $Config:ty) config] $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $get:tt new: $($rest:tt)*) => {
        $crate::__pool_steps! { @wrong_new }
    };
    (@wrong_new) => {
        ::core::compile_error! {
            "`new` is a closure whose arguments have types, written before `check` and `create`: \
             `new: |width: usize| Config { width },`"
        }
    };
    (@end $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt [() |_| ()] get: $($rest:tt)*) => {
        ::core::compile_error! {
            "`get` is a closure that takes the object, then arguments with types: \
             `get: |line, number: u64| line.number(number),`"
        }
    };
    (@end $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $get:tt $step:ident: $($rest:tt)*) => {
        $crate::__pool_steps! { @left $step }
    };
    (@end $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $get:tt $step:ident = $($rest:tt)*) => {
        ::core::compile_error! {
            ::core::concat!("a step is written with a colon: `", ::core::stringify!($step), ": ..`")
        }
    };
    (@end $head:tt $config:tt $new:tt $check:tt $create:tt $reset:tt $keep:tt $measure:tt $limit:tt $get:tt $($rest:tt)*) => {
        ::core::compile_error! {
            "expected steps like `create: |config| ..`, each with a comma behind it"
        }
    };

    (@left config) => { $crate::__pool_steps! { @misplaced config } };
    (@left new) => { $crate::__pool_steps! { @misplaced new } };
    (@left check) => { $crate::__pool_steps! { @misplaced check } };
    (@left open) => { $crate::__pool_steps! { @misplaced open } };
    (@left create) => { $crate::__pool_steps! { @misplaced create } };
    (@left reset) => { $crate::__pool_steps! { @misplaced reset } };
    (@left keep) => { $crate::__pool_steps! { @misplaced keep } };
    (@left measure) => { $crate::__pool_steps! { @misplaced measure } };
    (@left limit) => { $crate::__pool_steps! { @misplaced limit } };
    (@left get) => { $crate::__pool_steps! { @misplaced get } };
    (@left $step:ident) => {
        ::core::compile_error! {
            ::core::concat!(
                "`", ::core::stringify!($step), "` is not a step; the steps are, in this order: config, \
                 new, check, open, create, reset, keep, measure, limit, get",
            )
        }
    };
    (@misplaced $step:ident) => {
        ::core::compile_error! {
            ::core::concat!(
                "`", ::core::stringify!($step), "` lacks the comma behind it, or stands twice, or out of \
                 order; the order is: config, new, check, open, create, reset, keep, measure, limit, get",
            )
        }
    };
}
