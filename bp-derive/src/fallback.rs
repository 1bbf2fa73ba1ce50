//! What stands in for the derived code after an error, so that the rest of the user's program,
//! which uses the type in pools, adds no errors of its own to those reported.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::ast::{Derive, Input};
use crate::expand::{config_type, implement, typed_pool};

/// Writes an impl that asks for nothing and does nothing, and the typed pool where it has names.
pub(crate) fn stub(derive: Derive, input: &Input<'_>) -> TokenStream {
    match derive {
        Derive::Poolable => {
            let config = config_type(input);
            let item = implement(
                input,
                &format_ident!("Poolable"),
                &[],
                &quote! {
                    type Config = #config;
                    fn create(_: &Self::Config) -> Self {
                        ::core::unreachable!()
                    }
                    fn reset(&mut self, _: &Self::Config) {}
                },
            );
            let pool = typed_pool(input);
            quote!(#item #pool)
        }
        Derive::Clear => implement(
            input,
            &format_ident!("Clear"),
            &[],
            &quote! {
                fn clear(&mut self) {}
            },
        ),
    }
}
