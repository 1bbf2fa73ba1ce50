//! `multi_pool!`: one typed pool for objects of many sizes.
//!
//! As in `pool!`, the public macro hands each declaration on to [`__multi_declaration!`], that its
//! body to [`__multi_steps!`], one stage per step, and that the parts to [`__multi_emit!`]. All
//! that is not a name or a step is plain code, in [`Multi`](crate::Multi).

/// Makes multi pools: size classes over a pool made by [`pool!`](crate::pool!), behind one handle.
///
/// ```
/// bp::pool! {
///     /// Reusable text.
///     pub struct TextPool(String) -> TextRef {
///         config: usize,
///         create: |size| String::with_capacity(*size),
///         reset: |text, _size| text.clear(),
///     }
/// }
/// bp::multi_pool! {
///     /// Text by size.
///     pub struct MultiTextPool(TextPool) -> TextRef {
///         size: |text| text.capacity(),
///         fit: |text, size| text.reserve(*size),
///     }
/// }
///
/// let pool = MultiTextPool::builder().class(64, 100).class(8, 10_000).build()?;
/// let text: TextRef = pool.get(80);
/// assert!(text.capacity() >= 80);
/// # Ok::<(), bp::BuildError>(())
/// ```
///
/// In the parentheses stands the pool of which each class gets one, behind the arrow the guard of
/// that pool. A request names its size by the key of the pool: what its `new` takes after the
/// capacity, as a tuple if that is several ([`KeyedPool`](crate::KeyedPool)).
///
/// # The steps
///
/// They stand in this order. Each may be a closure or the path of a function.
///
/// | step | takes | what it is for |
/// |---|---|---|
/// | `class` | `\|config\|` | optional: changes the config of every class, `&mut` |
/// | `need` | `\|key\|` | how large a request is, `Option<usize>`, `None` on overflow; by default what [`SizeKey`](crate::SizeKey) says |
/// | `size` | `\|object\|` | the largest request that an object can serve, in the unit of `need` |
/// | `fit` | `\|object, key\|` | makes an object serve a request; run on each get, hit and miss |
///
/// # A key of several parts
///
/// ```
/// pub struct Table {
///     width: usize,
///     cells: Vec<f64>,
/// }
///
/// bp::pool! {
///     /// Tables of numbers.
///     pub struct TablePool(Table) -> TableRef {
///         config: (usize, usize),
///         new: |width: usize, height: usize| (width, height),
///         create: |&(width, height)| Table { width, cells: vec![0.0; width * height] },
///         reset: |table, _| table.cells.clear(),
///     }
/// }
/// bp::multi_pool! {
///     /// Tables by area.
///     pub struct MultiTablePool(TablePool) -> TableRef {
///         size: |table| table.cells.capacity(),
///         fit: |table, &(width, height)| {
///             table.width = width;
///             table.cells.resize(width * height, 0.0);
///         },
///     }
/// }
///
/// let tables = MultiTablePool::builder().class(8, (10, 10)).class(8, (100, 100)).build()?;
/// let table = tables.get((40, 2));
/// assert_eq!((table.width, table.cells.len()), (40, 80));
/// # Ok::<(), bp::BuildError>(())
/// ```
///
/// # In general
///
/// The multi pool has the methods of [`Multi`](crate::Multi), its builder is a
/// [`MultiBuilder`](crate::MultiBuilder). Several declarations may stand in one call. Attributes
/// and visibility are passed on to the pool; `#[cfg(..)]` guards all that a declaration emits.
#[macro_export]
macro_rules! multi_pool {
    () => {};
    // One declaration off the front, with the others beside it, as in `pool!`.
    ($(#[$($attr:tt)*])* $vis:vis struct $Multi:ident $Pool:tt -> $Guard:ty { $($body:tt)* }
        $($rest:tt)*) => {
        $crate::__pool_attributes! {
            __multi_declaration [] [] $(#[$($attr)*])* $vis struct $Multi $Pool -> $Guard { $($body)* }
        }
        $crate::multi_pool! { $($rest)* }
    };
    // A mistake.
    ($($declaration:tt)+) => {
        $crate::__pool_attributes! { __multi_declaration [] [] $($declaration)+ }
    };
}

/// Takes one declaration apart: `[cfg attributes] [other attributes] declaration without`.
#[doc(hidden)]
#[macro_export]
macro_rules! __multi_declaration {
    ([$($cfg:tt)*] $attrs:tt $vis:vis struct $Multi:ident($Pool:ty) -> $Guard:ty { $($body:tt)* }) => {
        $($cfg)* $crate::__multi_steps! {
            @class { $attrs [$vis] $Multi [$Pool] [$Guard] } $($body)* ,
        }
    };

    // Known mistakes.
    ($cfg:tt $attrs:tt $vis:vis struct $Multi:ident($Pool:ty) -> $Guard:ty $(; $($rest:tt)*)?) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! {
                "a multi pool needs the steps `size` and `fit`: \
                 `{ size: |buffer| buffer.capacity(), fit: |buffer, size| buffer.reserve(*size) }`"
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Multi:ident<$($rest:tt)*) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! { "`multi_pool!` makes no generic pools" }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Multi:ident($Pool:ty) -> $Guard:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $Guard ::core::compile_error! {
                ::core::concat!(
                    "behind the guard's name stand the steps in braces: `-> ",
                    ::core::stringify!($Guard), " { size: .., fit: .. }`",
                )
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Multi:ident($Pool:ty) => $($rest:tt)*) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! { "the guard's name stands behind `->`, not `=>`" }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Multi:ident($Pool:ty) $($rest:tt)*) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! {
                ::core::concat!(
                    "the guard's name is missing: write `struct ", ::core::stringify!($Multi), "(",
                    ::core::stringify!($Pool), ") -> GuardOfThatPool`",
                )
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis struct $Multi:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! {
                ::core::concat!(
                    "the pool of the classes is missing: write `struct ", ::core::stringify!($Multi),
                    "(PoolOfOneSize) -> GuardOfThatPool`",
                )
            }
        }
    };
    ($cfg:tt $attrs:tt $vis:vis static $($rest:tt)*) => {
        ::core::compile_error! { "a `static` stands in `pool!`, also where it is a multi pool" }
    };
    ($cfg:tt $attrs:tt) => {
        ::core::compile_error! { "no declaration stands behind these attributes" }
    };
    ($cfg:tt $attrs:tt $wrong:tt $($rest:tt)*) => {
        $crate::private::placed! {
            $wrong ::core::compile_error! {
                "expected `struct MyMultiPool(MyPool) -> MyRef { size: .., fit: .. }`"
            }
        }
    };
}

/// Takes the steps off the body in their order, each into a slot of its own:
/// `@stage head slots.. rest-of-the-body..`. The body comes with a comma appended.
#[doc(hidden)]
#[macro_export]
macro_rules! __multi_steps {
    (@class $head:tt class: $class:expr, $($rest:tt)*) => {
        $crate::__multi_steps! { @need $head [$class] $($rest)* }
    };
    (@class $head:tt $($rest:tt)*) => {
        $crate::__multi_steps! { @need $head [] $($rest)* }
    };

    (@need $head:tt $class:tt need: $need:expr, $($rest:tt)*) => {
        $crate::__multi_steps! { @size $head $class [$need] $($rest)* }
    };
    (@need $head:tt $class:tt $($rest:tt)*) => {
        $crate::__multi_steps! { @size $head $class [] $($rest)* }
    };

    (@size $head:tt $class:tt $need:tt size: $size:expr, $($rest:tt)*) => {
        $crate::__multi_steps! { @fit $head $class $need [$size] $($rest)* }
    };
    (@size { $attrs:tt $vis:tt $Multi:ident $($head:tt)* } $class:tt $need:tt fit: $($rest:tt)*) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! {
                "`size` is missing before `fit`: the largest request that an object can serve, \
                 as in `size: |buffer| buffer.capacity(),`"
            }
        }
    };
    (@size $head:tt $class:tt $need:tt $($rest:tt)*) => {
        $crate::__multi_steps! { @wrong $head $($rest)* }
    };

    (@fit $head:tt $class:tt $need:tt $size:tt fit: $fit:expr, $($rest:tt)*) => {
        $crate::__multi_steps! { @end $head $class $need $size [$fit] $($rest)* }
    };
    (@fit { $attrs:tt $vis:tt $Multi:ident $($head:tt)* } $class:tt $need:tt $size:tt $(,)?) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! {
                "`fit` is missing behind `size`: what makes an object serve a request, \
                 as in `fit: |buffer, size| buffer.reserve(*size),`"
            }
        }
    };
    (@fit $head:tt $class:tt $need:tt $size:tt $($rest:tt)*) => {
        $crate::__multi_steps! { @wrong $head $($rest)* }
    };

    // All is taken; the comma that was appended may be left.
    (@end { $attrs:tt $vis:tt $Multi:ident $Pool:tt $Guard:tt } $class:tt $need:tt $size:tt $fit:tt $(,)?) => {
        $crate::__multi_emit! { $attrs $vis $Multi $Pool $Guard { $class $need $size $fit } }
    };
    (@end $head:tt $class:tt $need:tt $size:tt $fit:tt $($rest:tt)*) => {
        $crate::__multi_steps! { @wrong $head $($rest)* }
    };

    // Known mistakes: what is left begins with the step that was not taken. It is named twice, once
    // to be told from others and once for its place.
    (@wrong $head:tt $step:ident: $($rest:tt)*) => {
        $crate::__multi_steps! { @left $step $step $($rest)* }
    };
    (@wrong $head:tt $step:ident = $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!("a step is written with a colon: `", ::core::stringify!($step), ": ..`")
            }
        }
    };
    // The name stands for the body: that may be empty, or begin with the comma that was appended.
    (@wrong { $attrs:tt $vis:tt $Multi:ident $($head:tt)* } $($rest:tt)*) => {
        $crate::private::placed! {
            $Multi ::core::compile_error! {
                "expected the steps `size: |object| ..` and `fit: |object, key| ..`, each with a comma \
                 behind it"
            }
        }
    };

    (@left class $step:ident $($rest:tt)*) => { $crate::__multi_steps! { @comma $step $($rest)* } };
    (@left need $step:ident $($rest:tt)*) => { $crate::__multi_steps! { @comma $step $($rest)* } };
    (@left size $step:ident $($rest:tt)*) => { $crate::__multi_steps! { @comma $step $($rest)* } };
    (@left fit $step:ident $($rest:tt)*) => { $crate::__multi_steps! { @comma $step $($rest)* } };
    (@left $word:ident $step:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!(
                    "`", ::core::stringify!($step), "` is not a step of a multi pool; the steps are, in \
                     this order: class, need, size, fit; those of its objects stand in the pool of one \
                     size",
                )
            }
        }
    };
    (@comma $step:ident $value:expr, $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!(
                    "`", ::core::stringify!($step), "` stands twice, or out of order; the order is: \
                     class, need, size, fit",
                )
            }
        }
    };
    (@comma $step:ident $($rest:tt)*) => {
        $crate::private::placed! {
            $step ::core::compile_error! {
                ::core::concat!("`", ::core::stringify!($step), "` lacks the comma behind it")
            }
        }
    };
}

/// Emits the multi pool, its methods and its traits.
///
/// `[attributes] [visibility] Multi [Pool] [Guard] {[class] [need] [size] [fit]}`.
#[doc(hidden)]
#[macro_export]
macro_rules! __multi_emit {
    ([$($attrs:tt)*] [$($vis:tt)*] $Multi:ident [$Pool:ty] [$Guard:ty]
        { [$($class:expr)?] [$($need:expr)?] [$size:expr] [$fit:expr] }) => {
        $($attrs)*
        ///
        #[doc = ::core::concat!("Has a [`", ::core::stringify!($Pool), "`] for each class, and hands out its guards, [`", ::core::stringify!($Guard), "`].")]
        #[allow(deprecated)]
        $($vis)* struct $Multi {
            __multi: $crate::Multi<$Multi>,
        }

        #[allow(dead_code, deprecated, clippy::needless_pass_by_value)]
        impl $Multi {
            /// Starts a multi pool without classes; add some, in any order.
            #[doc = $crate::__example!($Multi)]
            pub fn builder() -> $crate::MultiBuilder<Self> {
                $crate::Multi::builder()
            }

            /// Returns an object that serves a request: an idle one, or a new one.
            ///
            /// Asks the smallest class that can hold the request; where nothing is idle there, the
            /// next one, if it is no more than four times as large; and creates only then. A
            /// request that is larger than all classes gets an object of its own, which is
            /// dropped on return.
            ///
            /// # Panics
            ///
            /// Where a request above all classes is one that no pool can be built for, such as of
            /// more than `isize::MAX` bytes.
            #[doc = $crate::__example!(Multi::get)]
            #[inline]
            pub fn get(&self, size: <Self as $crate::MultiPool>::Key) -> <Self as $crate::MultiPool>::Guard {
                self.__multi.get(&size)
            }

            /// Returns an idle object that serves a request, or `None` if nothing is idle in its
            /// class and in the one that would lend.
            #[doc = $crate::__example!(Multi::try_get)]
            #[inline]
            pub fn try_get(
                &self,
                size: <Self as $crate::MultiPool>::Key,
            ) -> ::core::option::Option<<Self as $crate::MultiPool>::Guard> {
                self.__multi.try_get(&size)
            }

            /// Returns an idle object that serves a request, or what `create` makes of the size of
            /// the request's class; of the request itself, if it is larger than all classes.
            ///
            /// # Errors
            ///
            /// What `create` returns; the pool is as before then.
            ///
            /// # Panics
            ///
            /// Where `create` succeeds for a request above all classes that no pool can be built
            /// for.
            #[doc = $crate::__example!(Multi::try_get_with)]
            pub fn try_get_with<__Error>(
                &self,
                size: <Self as $crate::MultiPool>::Key,
                create: impl ::core::ops::FnOnce(
                    &<Self as $crate::MultiPool>::Key,
                ) -> ::core::result::Result<
                    <Self as $crate::MultiPool>::Item,
                    __Error,
                >,
            ) -> ::core::result::Result<<Self as $crate::MultiPool>::Guard, __Error> {
                self.__multi.try_get_with(&size, create)
            }

            /// Moves an object out that serves a request.
            ///
            /// Nothing brings it back, unless `put` is asked to.
            ///
            /// # Panics
            ///
            /// As `get`.
            #[doc = $crate::__example!(Multi::take)]
            #[must_use = "an object that was taken and is not used could have stayed idle"]
            #[inline]
            pub fn take(
                &self,
                size: <Self as $crate::MultiPool>::Key,
            ) -> <Self as $crate::MultiPool>::Item {
                self.__multi.take(&size)
            }

            /// Stores an object from anywhere in the largest class whose requests it can serve,
            /// after it was found fit and was cleaned.
            ///
            /// # Errors
            ///
            /// The object and the reason: it is too small for the smallest class or not fit for
            /// its own, or its class is full, or the pool closed.
            #[doc = $crate::__example!(Multi::put)]
            #[inline]
            pub fn put(
                &self,
                item: <Self as $crate::MultiPool>::Item,
            ) -> ::core::result::Result<(), $crate::PutError<<Self as $crate::MultiPool>::Item>>
            {
                self.__multi.put(item)
            }

            /// Returns how many objects are idle, in all classes; never above the capacity.
            #[doc = $crate::__example!(Multi::len)]
            pub fn len(&self) -> ::core::primitive::usize {
                self.__multi.len()
            }

            /// Returns whether nothing is idle.
            #[doc = $crate::__example!(Multi::is_empty)]
            pub fn is_empty(&self) -> ::core::primitive::bool {
                self.__multi.is_empty()
            }

            /// Returns the most objects that are kept idle, in all classes.
            #[doc = $crate::__example!(Multi::capacity)]
            pub fn capacity(&self) -> ::core::primitive::usize {
                self.__multi.capacity()
            }

            /// Returns the figures of all classes, added up, and of what was larger than all of
            /// them.
            #[doc = $crate::__example!(Multi::stats)]
            pub fn stats(&self) -> $crate::PoolStats {
                self.__multi.stats()
            }

            /// Returns size, capacity, length and figures of each class, the smallest first.
            #[doc = $crate::__example!(Multi::classes)]
            pub fn classes(
                &self,
            ) -> $crate::private::Vec<$crate::SizeClass<<Self as $crate::MultiPool>::Key>> {
                self.__multi.classes()
            }

            /// Returns the size of the largest class. A request that is larger is not served from
            /// the pool.
            #[doc = $crate::__example!(Multi::largest)]
            pub fn largest(&self) -> &<Self as $crate::MultiPool>::Key {
                self.__multi.largest()
            }

            /// Drops what has been idle since before the last trim, in every class, and returns
            /// how many objects that were.
            #[doc = $crate::__example!(Multi::trim)]
            pub fn trim(&self) -> ::core::primitive::usize {
                self.__multi.trim()
            }

            /// Drops everything that is idle now, and returns how many objects that were.
            #[doc = $crate::__example!(Multi::clear)]
            pub fn clear(&self) -> ::core::primitive::usize {
                self.__multi.clear()
            }

            /// Closes all classes for all handles: drops what is idle, and from now on what is
            /// returned. A get still works, by creating.
            #[doc = $crate::__example!(Multi::close)]
            pub fn close(&self) {
                self.__multi.close();
            }
        }

        #[allow(deprecated, clippy::redundant_closure_for_method_calls)]
        #[automatically_derived]
        impl $crate::MultiPool for $Multi {
            type Pool = $Pool;
            type Guard = $Guard;
            type Item = <$Pool as $crate::Recipe>::Item;
            type Key = <$Pool as $crate::KeyedPool>::Key;

            $(fn class(config: &mut <$Pool as $crate::Recipe>::Config) {
                $crate::private::prepare::<<$Pool as $crate::Recipe>::Config, _>(config, $class);
            })?

            #[inline]
            fn need(
                key: &Self::Key,
            ) -> ::core::option::Option<::core::primitive::usize> {
                $crate::__multi_emit! { @need key [$($need)?] }
            }

            #[inline]
            fn size(item: &Self::Item) -> ::core::primitive::usize {
                $crate::private::make::<Self::Item, _>(item, $size)
            }

            #[inline]
            fn fit(
                item: &mut Self::Item,
                key: &Self::Key,
            ) {
                $crate::private::reset::<
                    Self::Item,
                    Self::Key,
                >(item, key, $fit);
            }

            fn from_multi(multi: $crate::Multi<Self>) -> Self {
                $Multi { __multi: multi }
            }

            #[inline]
            fn as_multi(&self) -> &$crate::Multi<Self> {
                &self.__multi
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl $crate::AnyPool for $Multi {
            fn len(&self) -> ::core::primitive::usize {
                self.__multi.len()
            }

            fn capacity(&self) -> ::core::primitive::usize {
                self.__multi.capacity()
            }

            fn stats(&self) -> $crate::PoolStats {
                self.__multi.stats()
            }

            fn trim(&self) -> ::core::primitive::usize {
                self.__multi.trim()
            }

            fn clear(&self) -> ::core::primitive::usize {
                self.__multi.clear()
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl ::core::clone::Clone for $Multi {
            /// Makes another handle to the same pools.
            fn clone(&self) -> Self {
                $Multi { __multi: ::core::clone::Clone::clone(&self.__multi) }
            }
        }

        #[allow(deprecated)]
        #[automatically_derived]
        impl ::core::fmt::Debug for $Multi {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(::core::stringify!($Multi))
                    .field("len", &self.len())
                    .field("capacity", &self.capacity())
                    .finish_non_exhaustive()
            }
        }
    };
    (@need $key:ident [$need:expr]) => {
        $crate::private::make::<Self::Key, _>($key, $need)
    };
    (@need $key:ident []) => {
        $crate::SizeKey::size($key)
    };
}
