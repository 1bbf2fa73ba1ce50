//! The settings in `#[pool(..)]`, read one by one: a slip in one does not hide the others.
//!
//! Reading rejects what is malformed. Which settings belong where, and which go together, is
//! asked later, in [`check`](crate::check).

use std::fmt::{self, Display};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, Ident, Lit, Meta, Path, Result, Token, Type, token};

use crate::ast;
use crate::errors::{Errors, nearest};

/// The name of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Crate,
    Name,
    Guard,
    Config,
    Create,
    Reset,
    Keep,
    Nested,
}

/// The settings of a type or of one field, from all its `#[pool(..)]` attributes together.
#[derive(Default)]
pub(crate) struct Settings {
    /// Every setting that is there, with the token that names it, also where its value could
    /// not be read: it is then reported for that, and not for its absence.
    given: Vec<(Key, Ident)>,
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<Ident>,
    pub(crate) guard: Option<Ident>,
    pub(crate) config: Option<Type>,
    pub(crate) create: Option<Expr>,
    pub(crate) reset: Option<Reset>,
    pub(crate) keep: Option<Expr>,
    pub(crate) nested: Option<Nested>,
}

/// What `reset = ..` says.
pub(crate) enum Reset {
    /// `default`: a fresh default value takes the place of the old one.
    Default,
    /// `skip`, with its token: what the last user left stays.
    Skip(Ident),
    /// `with(..)`: a function gets the value.
    With(Expr),
}

/// What `nested` says.
pub(crate) enum Nested {
    /// `nested` alone: the object has no config.
    Unit,
    /// `nested = ..`: its config, by reference.
    Config(Box<Expr>),
}

impl Key {
    pub(crate) const ALL: [Key; 8] = [
        Key::Crate,
        Key::Name,
        Key::Guard,
        Key::Config,
        Key::Create,
        Key::Reset,
        Key::Keep,
        Key::Nested,
    ];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Key::Crate => "crate",
            Key::Name => "name",
            Key::Guard => "guard",
            Key::Config => "config",
            Key::Create => "create",
            Key::Reset => "reset",
            Key::Keep => "keep",
            Key::Nested => "nested",
        }
    }

    /// Shows the setting as one would write it.
    const fn example(self) -> &'static str {
        match self {
            Key::Crate => "crate = my_bp",
            Key::Name => "name = RequestPool",
            Key::Guard => "guard = RequestRef",
            Key::Config => "config = Limits",
            Key::Create => "create = Vec::with_capacity(64)",
            Key::Reset => "reset = default | skip | with(function)",
            Key::Keep => "keep = self.body.len() <= 64",
            Key::Nested => "nested = &config.inner",
        }
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Settings {
    /// Reads all `#[pool(..)]` among `attrs`.
    pub(crate) fn from_attrs(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut settings = Settings::default();
        for attr in attrs.iter().filter(|attr| ast::is_pool(attr)) {
            settings.read(attr, errors);
        }
        settings
    }

    /// Returns the token that names the setting, if it is there.
    pub(crate) fn key(&self, key: Key) -> Option<&Ident> {
        self.given().find(|&(given, _)| given == key).map(|(_, token)| token)
    }

    /// Returns every setting that is there, in the order written.
    pub(crate) fn given(&self) -> impl Iterator<Item = (Key, &Ident)> {
        self.given.iter().map(|(key, token)| (*key, token))
    }

    /// Returns the expressions that have `config` in scope.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let reset = match &self.reset {
            Some(Reset::With(function)) => Some(function),
            _ => None,
        };
        let nested = match &self.nested {
            Some(Nested::Config(config)) => Some(&**config),
            _ => None,
        };
        [self.create.as_ref(), reset, self.keep.as_ref(), nested].into_iter().flatten()
    }

    fn read(&mut self, attr: &Attribute, errors: &mut Errors) {
        let list = match &attr.meta {
            Meta::List(list) if !list.tokens.is_empty() => list,
            Meta::NameValue(_) => {
                return errors.at(attr, "settings stand in parentheses: `#[pool(reset = skip)]`");
            }
            Meta::List(_) | Meta::Path(_) => {
                return errors.at(
                    attr,
                    "`#[pool]` says nothing without a setting, such as `#[pool(reset = skip)]`; \
                     remove it, since the defaults need no attribute",
                );
            }
        };
        let read = list.parse_args_with(|input: ParseStream<'_>| {
            self.read_list(input, errors);
            Ok(())
        });
        if let Err(error) = read {
            errors.push(error);
        }
    }

    fn read_list(&mut self, input: ParseStream<'_>, errors: &mut Errors) {
        while !input.is_empty() {
            // A fork, since what fails to parse must leave no trace in `input`.
            let ahead = input.fork();
            match self.read_one(&ahead) {
                Ok(()) => input.advance_to(&ahead),
                Err(error) => {
                    errors.push(error);
                    skip_setting(input);
                }
            }
        }
    }

    /// Reads one setting and the comma behind it.
    fn read_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        let token = setting_name(input)?;
        let key = known_key(&token)?;
        if self.key(key).is_some() {
            return Err(Error::new_spanned(&token, format!("`{key}` is given twice; keep one")));
        }
        self.given.push((key, token.clone()));
        self.read_value(key, &token, input)?;
        end_of_setting(key, input)
    }

    fn read_value(&mut self, key: Key, token: &Ident, input: ParseStream<'_>) -> Result<()> {
        if key == Key::Nested && !input.peek(Token![=]) {
            if input.peek(token::Paren) {
                let message = "the config of a nested object stands behind `=`, by reference: \
                               `nested = &config.inner`";
                return Err(Error::new_spanned(input.parse::<TokenTree>()?, message));
            }
            self.nested = Some(Nested::Unit);
            return Ok(());
        }
        if input.peek(token::Paren) {
            return Err(value_in_parentheses(key, &input.parse()?));
        }
        if !input.peek(Token![=]) || input.peek2(Token![,]) || equals_nothing(input) {
            return Err(Error::new_spanned(
                token,
                format!("`{key}` needs a value: `{}`", key.example()),
            ));
        }
        input.parse::<Token![=]>()?;
        match key {
            Key::Crate => self.krate = Some(unquoted(key, input, Path::parse_mod_style)?),
            Key::Name => self.name = Some(unquoted(key, input, type_name)?),
            Key::Guard => self.guard = Some(unquoted(key, input, type_name)?),
            Key::Config => self.config = Some(unquoted(key, input, Type::parse)?),
            Key::Create => self.create = Some(input.parse()?),
            Key::Reset => self.reset = Some(input.parse()?),
            Key::Keep => self.keep = Some(input.parse()?),
            Key::Nested => self.nested = Some(Nested::Config(Box::new(input.parse()?))),
        }
        Ok(())
    }
}

/// Reads the word that a setting starts with.
fn setting_name(input: ParseStream<'_>) -> Result<Ident> {
    if input.peek(Ident::peek_any) {
        return input.call(Ident::parse_any);
    }
    let found = input.parse::<TokenTree>()?;
    Err(Error::new_spanned(
        &found,
        format!("expected the name of a setting ({}), found `{found}`", words()),
    ))
}

fn known_key(token: &Ident) -> Result<Key> {
    let word = token.to_string();
    if let Some(key) = Key::ALL.into_iter().find(|key| key.word() == word) {
        return Ok(key);
    }
    let message = match word.as_str() {
        "default" | "skip" => format!("`{word}` is a way to reset: write `reset = {word}`"),
        "with" => "`with` is a way to reset: write `reset = with(function)`".to_owned(),
        "clear" => "fields are cleared unless something else is written; \
                    for another way write `reset = default | skip | with(function)`"
            .to_owned(),
        _ => match nearest(&word, Key::ALL.map(Key::word)) {
            Some(near) => format!("no setting is called `{word}`; did you mean `{near}`?"),
            None => format!("no setting is called `{word}`; there are {}", words()),
        },
    };
    Err(Error::new_spanned(token, message))
}

/// Lists the settings, for a message.
fn words() -> String {
    let words: Vec<String> = Key::ALL.iter().map(|key| format!("`{key}`")).collect();
    words.join(", ")
}

/// `reset(skip)`, as `#[serde(..)]` and others have it at times.
fn value_in_parentheses(key: Key, value: &Group) -> Error {
    let inner = value.stream().to_string();
    let meant = match inner.trim_matches('"') {
        word if is_word(word) => format!("{key} = {word}"),
        _ => key.example().to_owned(),
    };
    let message = format!("the value of `{key}` stands behind `=`; did you mean `{meant}`?");
    Error::new_spanned(value, message)
}

/// Whether the text is one word, which is shown as it is, spaces and all.
fn is_word(text: &str) -> bool {
    syn::parse_str::<Ident>(text).is_ok()
}

fn equals_nothing(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Token![=]>().is_ok() && ahead.is_empty()
}

/// Reads a value that is a piece of Rust, and explains that where it stands in quotes.
fn unquoted<T>(
    key: Key,
    input: ParseStream<'_>,
    parse: fn(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    match input.fork().parse() {
        Ok(Lit::Str(text)) => Err(Error::new_spanned(
            &text,
            format!("`{key}` takes no quotes: `{key} = {}`", text.value()),
        )),
        _ => parse(input),
    }
}

/// Reads the name of a type to make.
fn type_name(input: ParseStream<'_>) -> Result<Ident> {
    let name = input.parse()?;
    if input.peek(Token![<]) {
        let message = format!("the generics are those of the type itself; write only `{name}`");
        return Err(Error::new_spanned(input.parse::<TokenTree>()?, message));
    }
    Ok(name)
}

impl Parse for Reset {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Lit) {
            return Err(not_a_reset(&input.parse::<Lit>()?));
        }
        let start = input.fork();
        let word = match input.call(Ident::parse_any) {
            Ok(word) if !input.peek(Token![::]) && !input.peek(Token![.]) => word,
            // A closure, a path, a call: whatever it is, it goes into `with(..)`.
            _ => return Err(not_a_reset(&start.parse::<Expr>()?)),
        };
        match word.to_string().as_str() {
            "default" => no_arguments(&word, input).map(|()| Reset::Default),
            "skip" => no_arguments(&word, input).map(|()| Reset::Skip(word)),
            "with" => with(&word, input).map(Reset::With),
            _ => Err(unknown_reset(&word)),
        }
    }
}

/// Reads the `(function)` of `with(function)`.
fn with(word: &Ident, input: ParseStream<'_>) -> Result<Expr> {
    const ADVICE: &str = "`with` needs the function that resets the value: \
                          `with(rewind)` or `with(|value| value.rewind())`";
    if !input.peek(token::Paren) {
        return Err(Error::new_spanned(word, ADVICE));
    }
    let content;
    let parens = syn::parenthesized!(content in input);
    if content.is_empty() {
        return Err(Error::new(parens.span.join(), ADVICE));
    }
    let function = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    if !content.is_empty() {
        return Err(Error::new_spanned(
            content.parse::<TokenStream>()?,
            "`with` takes one function, and that gets the value; pass what else it needs \
             through a closure: `with(|value| rewind(value, config.size))`",
        ));
    }
    Ok(function)
}

fn no_arguments(word: &Ident, input: ParseStream<'_>) -> Result<()> {
    if input.peek(token::Paren) {
        let message = format!("`{word}` takes no arguments: `reset = {word}`");
        return Err(Error::new_spanned(input.parse::<TokenTree>()?, message));
    }
    Ok(())
}

fn unknown_reset(word: &Ident) -> Error {
    let text = word.to_string();
    let message = if text == "clear" {
        "fields are cleared unless something else is written; remove `reset = clear`".to_owned()
    } else if let Some(near) = nearest(&text, ["default", "skip", "with"]) {
        format!("no reset is called `{text}`; did you mean `{near}`?")
    } else {
        format!("to reset by calling a function write `reset = with({text})`")
    };
    Error::new_spanned(word, message)
}

fn not_a_reset(found: &impl ToTokens) -> Error {
    let text = found.to_token_stream().to_string();
    let message = match text.trim_matches('"') {
        word @ ("default" | "skip") => format!("`reset` takes no quotes: `reset = {word}`"),
        "with" => "`reset` takes no quotes: `reset = with(function)`".to_owned(),
        _ => "`reset` takes `default`, `skip` or `with(function)`; the function, a path or a \
              closure, gets `&mut` the value"
            .to_owned(),
    };
    Error::new_spanned(found, message)
}

/// Reads the comma behind a setting.
fn end_of_setting(key: Key, input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() || input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    let found = input.parse::<TokenTree>()?;
    Err(Error::new_spanned(
        &found,
        format!("expected `,` or the end behind the value of `{key}`, found `{found}`"),
    ))
}

/// Goes on to the next setting: past the next comma that has a word and one of `=`, `,` or the
/// end behind it, or the name of a setting and parentheses. What broke off in the middle of
/// `Vec::<A, B>::new(` is not reported twice.
fn skip_setting(input: ParseStream<'_>) {
    let mut before_setting = false;
    while !before_setting && input.parse::<TokenTree>().is_ok() {
        if input.peek(Token![,]) {
            let ahead = input.fork();
            before_setting = ahead.parse::<Token![,]>().is_ok()
                && ahead.call(Ident::parse_any).is_ok_and(|word| {
                    let ends = ahead.is_empty() || ahead.peek(Token![=]) || ahead.peek(Token![,]);
                    ends || ahead.peek(token::Paren) && known_key(&word).is_ok()
                });
        }
    }
    // The comma in front of that setting; there is none at the end.
    let _ = input.parse::<Option<Token![,]>>();
}
