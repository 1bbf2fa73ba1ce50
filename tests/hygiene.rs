//! `pool!` where nothing is what it is called: no prelude, and every name taken by something else.
//!
//! What is emitted must name all it uses by its full path, and bring no lint with it.

#![no_implicit_prelude]
#![deny(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    private_bounds,
    private_interfaces,
    unused,
    unsafe_code,
    nonstandard_style,
    rust_2018_idioms
)]

/// Types and traits with names of the prelude, and nothing of what those can do.
mod shadows {
    #![allow(dead_code, non_camel_case_types, missing_debug_implementations)]

    macro_rules! shadow {
        (types $($Type:ident)*; traits $($Trait:ident)*) => {
            $(pub(crate) struct $Type;)*
            $(pub(crate) trait $Trait {})*
        };
    }

    shadow! {
        types Option Some None Result Ok Err Box Vec String LazyLock bool u8 usize str
            BuildError Builder Multi MultiBuilder SizeClass Pool PoolStats PutError Ref Formatter Ordering;
        traits Clone Copy Debug Default Deref DerefMut Drop Eq Fn FnMut FnOnce From Into Iterator
            PartialEq Poolable Recipe KeyedPool SizeKey MultiPool Send Sized Sync ToOwned ToString TypedPool Unpin AnyPool
    }
}

/// Crates that are none.
mod alloc {}
mod core {}
mod std {}

/// Macros that nothing emitted may come to.
macro_rules! shadowed_macros {
    ($d:tt $($name:ident)*) => {
        $(
            #[allow(unused_macros)]
            macro_rules! $name {
                ($d($d anything:tt)*) => {
                    this is not what was meant
                };
            }
        )*
    };
}
shadowed_macros! { $
    vec concat stringify panic assert assert_eq format matches unreachable compile_error
    __pool_declaration __pool_steps __pool_emit __pool_recipe __pool_type __pool_guard __pool_key pool
    __multi_declaration __multi_steps __multi_emit multi_pool
}

#[allow(unused_imports, reason = "in the way is all that they should be")]
use shadows::*;

/// What the objects of a pool share.
#[derive(::core::fmt::Debug)]
pub(crate) struct Config {
    /// The least capacity.
    pub(crate) size: ::core::primitive::usize,
}

/// A type of one's own.
#[derive(::core::fmt::Debug)]
pub(crate) struct Own {
    value: ::core::primitive::u8,
}

impl ::bp::Poolable for Own {
    type Config = ();

    fn create((): &()) -> Self {
        Own { value: 1 }
    }

    fn reset(&mut self, (): &()) {
        self.value = 2;
    }
}

::bp::pool! {
    /// A type that is `Poolable`.
    pub(crate) struct OwnPool(Own) -> OwnRef;

    /// A foreign type, with every step.
    pub(crate) struct TextPool(::std::string::String) -> TextRef: ::core::primitive::str {
        config: Config,
        new: |size: ::core::primitive::usize| Config { size },
        check: |config| if config.size == 0 {
            ::core::result::Result::Err(::bp::BuildError::new("size", 0, "at least 1"))
        } else {
            ::core::result::Result::Ok(())
        },
        create: |config| ::std::string::String::with_capacity(config.size),
        reset: |text, _config| text.clear(),
        keep: |text, config| text.capacity() <= 4 * config.size,
        measure: |text| (text.len(), text.capacity()),
        limit: |config| 2 * config.size,
        get: |text, start: ::core::primitive::char| text.push(start),
    }

    /// For the whole process.
    pub(crate) static OWN: OwnPool = OwnPool::new(2);
}

::bp::pool! {
    /// A foreign type, with a key.
    pub(crate) struct WordsPool(::std::vec::Vec<::core::primitive::u8>) -> WordsRef {
        config: Config,
        new: |size: ::core::primitive::usize| Config { size },
        create: |config| ::std::vec::Vec::with_capacity(config.size),
        reset: |words, _config| words.clear(),
    }
}

::bp::multi_pool! {
    /// With every step.
    pub(crate) struct MultiWordsPool(WordsPool) -> WordsRef {
        class: |config| config.size += 1,
        need: |size| ::core::option::Option::Some(*size),
        size: |words| words.capacity(),
        fit: |words, size| words.resize(*size, 0),
    }

    /// With those that it must have.
    pub(crate) struct MultiBytesPool(::bp::BytePool) -> ::bp::ByteRef {
        size: |bytes| bytes.capacity(),
        fit: |bytes, size| bytes.truncate(*size),
    }
}

/// Seen from other crates, so that lints about what is public apply.
pub mod public {
    ::bp::pool! {
        /// A foreign type.
        pub struct BytesPool(::std::vec::Vec<::core::primitive::u8>) -> BytesRef {
            create: |_| ::std::vec::Vec::new(),
            reset: |bytes, _| bytes.clear(),
        }

        /// For the whole process.
        pub static BYTES: BytesPool = BytesPool::new(1);
    }
}

#[test]
fn pools_work_without_a_prelude() {
    ::core::assert_eq!(OWN.get().value, 1);
    ::core::assert_eq!(OWN.get().value, 2);
    ::core::assert_eq!(::std::format!("{:?}", &*OWN), "OwnPool { len: 1, capacity: 2, .. }");

    let texts = TextPool::new(4, 8);
    ::core::assert_eq!(&*texts.get('a'), "a");
    ::core::assert_eq!(texts.take('b'), "b");
    ::core::assert!(TextPool::builder(4, 0).build().is_err());

    let words = MultiWordsPool::builder().class(1, 8).build().unwrap();
    ::core::assert_eq!(words.get(3).len(), 3);
    ::core::assert_eq!(words.take(8).capacity(), 9);
    ::core::assert_eq!(::std::format!("{words:?}"), "MultiWordsPool { len: 0, capacity: 1, .. }");
    let blocks = MultiBytesPool::builder().class(1, 8).build().unwrap();
    ::core::assert_eq!(blocks.get(3).len(), 3);

    public::BYTES.get().push(1);
    ::core::assert_eq!(public::BYTES.get().len(), 0);
}

#[test]
fn a_function_may_declare_its_own() {
    ::bp::pool! {
        struct LocalPool(Own) -> LocalRef;

        static LOCAL: LocalPool = LocalPool::new(1);
    }

    let local: LocalRef = LOCAL.get();
    ::core::assert_eq!(local.value, 1);
    ::core::mem::drop(local);
    ::core::assert_eq!(LOCAL.len(), 1);
}

/// What a step could mistake for its own.
#[allow(non_upper_case_globals)]
mod constants {
    pub(super) const item: ::core::primitive::u32 = 1;
    pub(super) const create: ::core::primitive::u32 = 2;
    pub(super) const guard: ::core::primitive::u32 = 4;
    pub(super) const pool: ::core::primitive::u32 = 5;
    pub(super) const this: ::core::primitive::u32 = 6;
}

mod own_names {
    use super::constants;

    ::bp::pool! {
        /// Takes names that the expansion could have taken.
        pub(super) struct SumPool(::core::primitive::u32) -> SumRef {
            config: ::core::primitive::u32,
            new: |pool: ::core::primitive::u32, this: ::core::primitive::u32| pool + this,
            create: |item| *item + constants::create,
            reset: |config, item| *config += *item,
            get: |config, item: ::core::primitive::u32, guard: ::core::primitive::u32| {
                *config += 100 * item + 1000 * guard;
            },
        }
    }
}

#[test]
fn names_of_the_expansion_are_free_in_what_is_written() {
    let sums = own_names::SumPool::new(1, constants::pool, constants::this);
    let sum: own_names::SumRef = sums.get(constants::item, constants::guard);
    ::core::assert_eq!(*sum, 5 + 6 + 2 + 100 + 4000);
    ::core::mem::drop(sum);
    ::core::assert_eq!(*sums.get(0, 0), 5 + 6 + 2 + 100 + 4000 + 11);
}
