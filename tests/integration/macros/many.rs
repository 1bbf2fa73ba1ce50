//! Long lists of declarations, and long documentation: nothing that the compiler calls too deep.

use std::collections::BTreeSet;

/// Declares pools in one `pool!` and their size classes in one `multi_pool!`, with `docs` before
/// each, and lists the names of all.
macro_rules! many {
    ([$($doc:literal)*] $($pool:ident $guard:ident $multi:ident)*) => {
        many! { @pools [$(#[doc = $doc])*] $($pool $guard $multi)* }
    };
    (@pools $docs:tt $($pool:ident $guard:ident $multi:ident)*) => {
        many! { @declare $([$docs $pool $guard $multi])* }
        /// Uses one pool of each kind.
        fn all() -> Vec<&'static str> {
            $(
                $pool::new(1, 8).get().push('a');
                let classes = $multi::builder().class(1, 8).build().unwrap();
                classes.get(8).push('a');
            )*
            vec![$(std::any::type_name::<$pool>(), std::any::type_name::<$multi>()),*]
        }
    };
    (@declare $([[$($docs:tt)*] $pool:ident $guard:ident $multi:ident])*) => {
        bp::pool! {
            $(
                $($docs)*
                struct $pool(String) -> $guard {
                    config: usize,
                    create: |size| String::with_capacity(*size),
                    reset: |text, _| text.clear(),
                }
            )*
        }
        bp::multi_pool! {
            $(
                $($docs)*
                struct $multi($pool) -> $guard {
                    size: |text| text.capacity(),
                    fit: |text, size| text.reserve(*size - text.len()),
                }
            )*
        }
    };
}

many! {
    ["One line" "after" "another" "of a" "page of" "words" "on" "a pool," "and" "more" "words" "still"]
    A AR AM B BR BM C CR CM D DR DM E ER EM F FR FM G GR GM H HR HM
    I IR IM J JR JM K KR KM L LR LM M MR MM N NR NM O OR OM P PR PM
    Q QR QM R RR RM S SR SM T TR TM U UR UM V VR VM W WR WM X XR XM
}

#[test]
fn two_dozen_declarations_stand_in_one_call() {
    assert_eq!(all().into_iter().collect::<BTreeSet<_>>().len(), 48);
}

/// Declares a pool with pages of words.
macro_rules! long {
    ($([$($doc:literal)*])*) => {
        bp::pool! {
            $($(#[doc = $doc])*)*
            struct LongPool(u8) -> LongRef { create: |()| 0, reset: |n, ()| *n = 0 }
        }
    };
}

long! {
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
    ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x"]
}

#[test]
fn a_declaration_may_have_pages_of_documentation() {
    let long = LongPool::new(1);
    *long.get() = 1;
    assert_eq!(*long.get(), 0);
}
