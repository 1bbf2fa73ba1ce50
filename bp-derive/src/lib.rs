//! The derive macros of the `bp` crate; see there.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Writes the lifecycle of a type; see the `bp` crate.
#[proc_macro_derive(Poolable, attributes(pool))]
pub fn derive_poolable(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Writes `Clear` for a type; see the `bp` crate.
#[proc_macro_derive(Clear, attributes(pool))]
pub fn derive_clear(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}
