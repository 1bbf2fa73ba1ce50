//! The mistakes of one derive, collected so that all are reported at once.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Every mistake found so far, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds a mistake whose place is known.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Adds a mistake that stands at `tokens`; the caret goes under all of them.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, advice: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, advice));
    }

    /// Returns one `compile_error!` for each mistake, or nothing where there is none.
    pub(crate) fn into_tokens(self) -> Option<TokenStream> {
        self.0.map(|error| error.to_compile_error())
    }
}

/// Returns the word that was probably meant by `word`: at most two slips of the keyboard away,
/// and at most one for each three letters.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (slips(word, candidate), candidate))
        .filter(|&(slips, candidate)| slips <= (candidate.len() / 3).clamp(1, 2))
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, candidate)| candidate)
}

/// Counts the letters to add, to drop, to change or to swap with their neighbour to turn one
/// word into the other.
fn slips(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    // `rows[i][j]` is the distance of the first `i` letters of one to the first `j` of the other.
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = usize::from(from[i - 1] != to[j - 1]);
                let swapped =
                    i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
                let beside = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let best = beside.min(rows[i - 1][j - 1] + changed);
                if swapped { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[from.len()][to.len()]
}
