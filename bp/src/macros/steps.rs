//! The body of a declaration: one stage per step.

/// Takes the steps off the body in their order, each into a slot of its own:
/// `@stage head {slots..} rest-of-the-body..`. A step that is missing leaves an empty slot. The body
/// comes with a comma appended.
#[doc(hidden)]
#[macro_export]
macro_rules! __pool_steps {
    (@config $head:tt config: $Config:ty, $($rest:tt)*) => {
        $crate::__pool_steps! { @key $head [$Config] $($rest)* }
    };
    (@config $head:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @key $head [()] $($rest)* }
    };

    // A word is added to the head: whether the arguments of `new`, or the config where there is no
    // `new`, can be the key of the pool.
    (@key $head:tt $config:tt new: | $($rest:tt)*) => {
        $crate::__pool_key! { @scan $head $config [$($rest)*] new: | $($rest)* }
    };
    (@key { $($head:tt)* } $config:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @new { $($head)* keyed } $config $($rest)* }
    };

    // `new` becomes the arguments and the config made of them, and what `new` returns, where that
    // is a result. Tried first: what begins with `->` is no expression.
    (@new $head:tt $config:tt
        new: |$($arg:ident: $Arg:ty),* $(,)?| -> $Return:ty { $($make:tt)* }, $($rest:tt)*) => {
        $crate::__pool_steps! {
            @check $head { $config [($($arg: $Arg),*) { $($make)* }, $Return] } $($rest)*
        }
    };
    (@new $head:tt $config:tt new: || -> $Return:ty { $($make:tt)* }, $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head { $config [() { $($make)* }, $Return] } $($rest)* }
    };
    (@new $head:tt $config:tt new: |$($arg:ident: $Arg:ty),* $(,)?| $make:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head { $config [($($arg: $Arg),*) $make] } $($rest)* }
    };
    (@new $head:tt $config:tt new: || $make:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head { $config [() $make] } $($rest)* }
    };
    (@new $head:tt [()] $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head { [()] [() ()] } $($rest)* }
    };
    (@new $head:tt [$Config:ty] $($rest:tt)*) => {
        $crate::__pool_steps! { @check $head { [$Config] [(config: $Config) config] } $($rest)* }
    };

    (@check $head:tt { $($slots:tt)* } check: $check:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @open $head { $($slots)* [$check] } $($rest)* }
    };
    (@check $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @open $head { $($slots)* [] } $($rest)* }
    };

    (@open $head:tt { $($slots:tt)* } open: $open:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @create $head { $($slots)* [$open] } $($rest)* }
    };
    (@open $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @create $head { $($slots)* [] } $($rest)* }
    };

    // With `create`, the steps are written out; without, they are those of `Poolable`.
    (@create $head:tt { $($slots:tt)* } create: $create:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @reset $head { $($slots)* [$create] } $($rest)* }
    };
    (@create $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @measure $head { $($slots)* [] [] [] [] } $($rest)* }
    };

    (@reset $head:tt { $($slots:tt)* } reset: $reset:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @keep $head { $($slots)* [$reset] } $($rest)* }
    };
    (@reset $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @keep $head { $($slots)* [] } $($rest)* }
    };

    (@keep $head:tt { $($slots:tt)* } keep: $keep:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @dispose $head { $($slots)* [$keep] } $($rest)* }
    };
    (@keep $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @dispose $head { $($slots)* [] } $($rest)* }
    };

    (@dispose $head:tt { $($slots:tt)* } dispose: $dispose:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @measure $head { $($slots)* [$dispose] } $($rest)* }
    };
    (@dispose $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @measure $head { $($slots)* [] } $($rest)* }
    };

    (@measure $head:tt { $($slots:tt)* } measure: $measure:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @limit $head { $($slots)* [$measure] } $($rest)* }
    };
    (@measure $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @admit $head { $($slots)* [] [] } $($rest)* }
    };

    (@limit $head:tt { $($slots:tt)* } limit: $limit:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @admit $head { $($slots)* [$limit] } $($rest)* }
    };
    (@limit $head:tt { $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @admit $head { $($slots)* [] } $($rest)* }
    };

    (@admit $head:tt $slots:tt admit: $admit:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @get $head $slots [$admit] $($rest)* }
    };
    (@admit $head:tt $slots:tt $($rest:tt)*) => {
        $crate::__pool_steps! { @get $head $slots [] $($rest)* }
    };

    // `get` becomes the arguments, what must hold of them, and what is done with them.
    (@get $head:tt $slots:tt $admit:tt
        get: |$item:pat_param $(, $arg:ident: $Arg:ty)* $(,)?| $prepare:expr, $($rest:tt)*) => {
        $crate::__pool_steps! {
            @end $head $slots [($($arg: $Arg),*) $admit |$item| $prepare] $($rest)*
        }
    };
    (@get $head:tt $slots:tt [] $($rest:tt)*) => {
        $crate::__pool_steps! { @end $head $slots [() [] |_| ()] $($rest)* }
    };
    (@get { $attrs:tt $vis:tt $Pool:ident $($head:tt)* } $slots:tt $admit:tt $($rest:tt)*) => {
        $crate::private::placed! {
            $Pool ::core::compile_error! {
                "`admit` looks at the arguments of a `get` behind it, which is a closure that takes the \
                 object, then arguments with types: `get: |line, number: u64| line.number(number),`"
            }
        }
    };

    // All is taken; the comma that was appended may be left.
    (@end { $attrs:tt $vis:tt $Pool:ident $Guard:ident $Item:tt $Target:tt $key:ident }
        { $config:tt $new:tt $($steps:tt)* } $get:tt $(,)?) => {
        $crate::__pool_emit! {
            $attrs $vis $Pool $Guard $Item $config $Target $key $new $get { $($steps)* } [] [] []
        }
    };

    // Known mistakes: what is left begins with the step that was not taken. It is named twice, once
    // to be told from others and once for its place.
    (@end $head:tt $slots:tt $get:tt $step:ident: $($rest:tt)*) => {
        $crate::__pool_steps! { @left $step $step $slots $get $($rest)* }
    };
    (@end $head:tt $slots:tt $get:tt $step:ident = $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!("a step is written with a colon: `", ::core::stringify!($step), ": ..`")
            }
        }
    };
    (@end $head:tt $slots:tt $get:tt $wrong:tt $($rest:tt)*) => {
        $crate::private::placed! {
            $wrong ::core::compile_error! {
                "expected steps like `create: |config| ..`, each with a comma behind it"
            }
        }
    };

    (@left reset $step:ident { $config:tt $new:tt $check:tt $open:tt [] $($slots:tt)* } $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                "`reset` needs a `create` before it; without, the steps are those of `Poolable`"
            }
        }
    };
    (@left keep $step:ident { $config:tt $new:tt $check:tt $open:tt [] $($slots:tt)* } $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                "`keep` needs a `create` before it; without, the steps are those of `Poolable`"
            }
        }
    };
    (@left dispose $step:ident { $config:tt $new:tt $check:tt $open:tt [] $($slots:tt)* } $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                "`dispose` needs a `create` before it; a type that is `Poolable` has `Drop`"
            }
        }
    };
    (@left limit $step:ident
        { $config:tt $new:tt $check:tt $open:tt $create:tt $reset:tt $keep:tt $dispose:tt [] [] }
        $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                "`limit` needs a `measure` before it, which tells the bytes that it limits"
            }
        }
    };
    (@left new $step:ident { $config:tt [() ()] $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @wrong_new $step }
    };
    (@left new $step:ident { $config:tt [(config: $Config:ty) config] $($slots:tt)* } $($rest:tt)*) => {
        $crate::__pool_steps! { @wrong_new $step }
    };
    (@wrong_new $step:ident) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                "`new` is a closure whose arguments have types, written before `check` and `create`: \
                 `new: |width: usize| Config { width },`"
            }
        }
    };
    (@left get $step:ident $slots:tt [() [] |_| ()] $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                "`get` is a closure that takes the object, then arguments with types: \
                 `get: |line, number: u64| line.number(number),`"
            }
        }
    };
    // What is no expression cannot be asked for its comma.
    (@left config $step:ident $($rest:tt)*) => { $crate::__pool_steps! { @misplaced $step "lacks the comma behind it, or " } };
    (@left new $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left check $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left open $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left create $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left reset $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left keep $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left dispose $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left measure $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left limit $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left admit $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left get $step:ident $slots:tt $get:tt $($rest:tt)*) => { $crate::__pool_steps! { @comma $step $($rest)* } };
    (@left $word:ident $step:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!(
                    "`", ::core::stringify!($step), "` is not a step; the steps are, in this order: config, \
                     new, check, open, create, reset, keep, dispose, measure, limit, admit, get",
                )
            }
        }
    };
    (@comma $step:ident $value:expr, $($rest:tt)*) => {
        $crate::__pool_steps! { @misplaced $step "" }
    };
    (@comma $step:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!("`", ::core::stringify!($step), "` lacks the comma behind it")
            }
        }
    };
    (@misplaced $step:ident $or:literal) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!(
                    "`", ::core::stringify!($step), "` ", $or, "stands twice, or out of order; the order \
                     is: config, new, check, open, create, reset, keep, dispose, measure, limit, admit, get",
                )
            }
        }
    };
}
