//! What the compiler says to a mistake: one mistake a file, named after it, the answer beside it.
//!
//! `TRYBUILD=overwrite cargo test -p bp-tests --test ui` writes the answers anew; read the
//! difference. Part of the wording is the compiler's, so only one version of it is asked.

#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of Rust 1.95")]
#[test]
fn mistakes_in_a_derive() {
    trybuild::TestCases::new().compile_fail("ui/derive/*.rs");
}

#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of Rust 1.95")]
#[test]
fn mistakes_in_pool() {
    trybuild::TestCases::new().compile_fail("ui/pool/*.rs");
}

#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of Rust 1.95")]
#[test]
fn mistakes_in_multi_pool() {
    trybuild::TestCases::new().compile_fail("ui/multi/*.rs");
}

#[rustversion::attr(not(stable(1.95)), ignore = "the answers are those of Rust 1.95")]
#[test]
fn what_must_not_compile() {
    trybuild::TestCases::new().compile_fail("ui/traits/*.rs");
}
