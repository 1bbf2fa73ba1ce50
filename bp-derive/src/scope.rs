//! What names mean in the user's expressions: which `config` is that of the step.
//!
//! Read from the tokens: `syn` does not look into macros, where `vec![0; config.size]` has it.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::Expr;

/// Returns a place where an expression uses the config of its step.
///
/// `None` also where in doubt, since a pattern may give another thing that name: what is right
/// without a config must not be refused.
pub(crate) fn config_use(expression: &Expr) -> Option<Ident> {
    let tokens: Vec<TokenTree> = expression.to_token_stream().into_iter().collect();
    if may_rebind(&tokens) { None } else { first_use(&tokens) }
}

/// Whether a pattern in these tokens may be called `config`.
fn may_rebind(tokens: &[TokenTree]) -> bool {
    let mut parameters = false;
    let mut pattern = false;
    tokens.iter().any(|token| match token {
        // Every other part between bars may be the parameters of a closure.
        TokenTree::Punct(punct) if punct.as_char() == '|' => {
            parameters = !parameters;
            false
        }
        TokenTree::Punct(punct) => {
            pattern &= punct.as_char() != '=';
            false
        }
        TokenTree::Ident(word) if word == "match" || word == "matches" || word == "fn" => true,
        TokenTree::Ident(word) if word == "let" || word == "for" => {
            pattern = true;
            false
        }
        TokenTree::Ident(word) => {
            pattern &= word != "in";
            (parameters || pattern) && word == "config"
        }
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            may_rebind(&inner) || (parameters || pattern) && first_use(&inner).is_some()
        }
        TokenTree::Literal(_) => false,
    })
}

/// Returns the first `config` that is a name of its own: no field, no method, no part of a path.
fn first_use(tokens: &[TokenTree]) -> Option<Ident> {
    let punct = |at: usize, sign: char| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => punct.as_char() == sign,
        _ => false,
    };
    tokens.iter().enumerate().find_map(|(at, token)| match token {
        TokenTree::Group(group) => first_use(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Ident(word) if word == "config" => {
            let before = at.wrapping_sub(1);
            // Behind `..` stands the end of a range.
            let is_member = punct(before, '.') && !punct(at.wrapping_sub(2), '.');
            let is_in_a_path = punct(before, ':') || punct(at + 1, ':');
            let is_called = matches!(tokens.get(at + 1), Some(TokenTree::Group(_)))
                || punct(at + 1, '!') && !punct(at + 2, '=');
            (!is_member && !is_in_a_path && !is_called).then(|| word.clone())
        }
        _ => None,
    })
}
