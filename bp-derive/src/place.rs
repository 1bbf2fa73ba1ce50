//! Where the compiler shows a mistake that `pool!` found.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// Returns what stands behind the first token, placed where that is: an error that comes of it is
/// shown there. All names keep their meaning.
pub(crate) fn placed(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter();
    match tokens.next() {
        Some(place) => tokens.map(|token| moved(token, place.span())).collect(),
        None => TokenStream::new(),
    }
}

fn moved(mut token: TokenTree, place: Span) -> TokenTree {
    if let TokenTree::Group(group) = &token {
        let inner = group.stream().into_iter().map(|token| moved(token, place)).collect();
        token = Group::new(group.delimiter(), inner).into();
    }
    token.set_span(token.span().located_at(place));
    token
}
