//! Examples of what the macros emit.

/// Names the example of a method, which stands beside the untyped one: the link is the same for
/// every typed pool.
///
/// In the docs of this crate alone. In those of another crate `crate::Pool` is something else, and
/// a full example would be one more test there, of what is not its own. `cfg(doc)` tells them apart:
/// it holds while this crate is documented, not while it is compiled for the docs of another.
#[cfg(doc)]
#[doc(hidden)]
#[macro_export]
macro_rules! __example {
    ($Type:ident::$method:ident) => {
        ::core::concat!(
            "\n# Examples\n\nSee [`",
            ::core::stringify!($Type),
            "::",
            ::core::stringify!($method),
            "`](crate::",
            ::core::stringify!($Type),
            "::",
            ::core::stringify!($method),
            ")."
        )
    };
    // The type itself shows it.
    ($Type:ident) => {
        ::core::concat!("\n# Examples\n\nSee [`", ::core::stringify!($Type), "`](Self#examples).")
    };
    (type $Type:ident) => {
        ::core::concat!(
            "\n# Examples\n\nSee [`",
            ::core::stringify!($Type),
            "`](crate::",
            ::core::stringify!($Type),
            ")."
        )
    };
}

/// Leaves out the example; see the other one.
#[cfg(not(doc))]
#[doc(hidden)]
#[macro_export]
macro_rules! __example {
    ($($of:tt)*) => {
        ""
    };
}
