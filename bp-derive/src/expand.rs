//! From a checked type to the code that is derived for it.
//!
//! The code stands in the user's module, so it names nothing that could be shadowed there: `bp`
//! by its absolute path or by the one that `crate = ..` gives, `core` by `::core`. Every call
//! that a field's type may fail is written `<Type as Trait>::step(..)` with the tokens of the
//! user, so that the compiler underlines the whole type when it does.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{DeriveInput, Expr, Generics, Type, WherePredicate, parse_quote};

use crate::ast::{Derive, Field, Input};
use crate::attr::{Nested, Reset};
use crate::check::check;
use crate::errors::Errors;
use crate::fallback;

/// Writes the derived code, or what is wrong with the type.
pub(crate) fn derive(derive: Derive, input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let input = Input::from_syn(input, &mut errors);
    check(&input, derive, &mut errors);
    if let Some(errors) = errors.into_tokens() {
        let stub = fallback::stub(derive, &input);
        return quote!(#errors #stub);
    }
    match derive {
        Derive::Poolable => {
            let item = poolable(&input);
            let pool = typed_pool(&input);
            quote!(#item #pool)
        }
        Derive::Clear => clear(&input),
    }
}

fn poolable(input: &Input<'_>) -> TokenStream {
    let config = config_type(input);
    let create = create(input);
    let reset = reset(input);
    let steps = [
        step(&quote!(create), None, &create, Some(&quote!(Self))),
        step(&quote!(reset), Some(&quote!(&mut self,)), &reset, None),
    ];
    let keep = keep(input).map(|keep| {
        step(&quote!(keep), Some(&quote!(&self,)), &keep, Some(&quote!(::core::primitive::bool)))
    });
    implement(
        input,
        &format_ident!("Poolable"),
        &bounds(input, Derive::Poolable),
        &quote! {
            type Config = #config;
            #(#steps)*
            #keep
        },
    )
}

fn clear(input: &Input<'_>) -> TokenStream {
    let reset = reset(input);
    implement(
        input,
        &format_ident!("Clear"),
        &bounds(input, Derive::Clear),
        &quote! {
            fn clear(&mut self) {
                #reset
            }
        },
    )
}

/// Writes `impl Trait for Type`, where nothing else of the user's module can see it.
pub(crate) fn implement(
    input: &Input<'_>,
    name: &Ident,
    bounds: &[WherePredicate],
    body: &TokenStream,
) -> TokenStream {
    let krate = crate_path(input);
    let ident = &input.original.ident;
    let mut generics = input.original.generics.clone();
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds.iter().cloned());
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    // `deprecated`: a derive reaches deprecated fields, which nobody asked it to point out.
    // The others are about paths being longer than they need to be, which here is the point.
    // No `#[diagnostic::..]`: under `no_implicit_prelude` there is no such tool, and where a bound
    // of a generic type does not hold, that bound is the better thing to tell.
    quote! {
        #[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #krate::#name for #ident #type_generics #where_clause {
                #body
            }
        };
    }
}

/// Writes one function of `Poolable`. No step has to use the config.
fn step(
    name: &TokenStream,
    receiver: Option<&TokenStream>,
    body: &TokenStream,
    output: Option<&TokenStream>,
) -> TokenStream {
    let config = Ident::new("config", Span::call_site());
    let output = output.map(|output| quote!(-> #output));
    quote! {
        fn #name(#receiver #config: &Self::Config) #output {
            let _ = #config;
            #body
        }
    }
}

fn create(input: &Input<'_>) -> TokenStream {
    if let Some(create) = &input.settings.create {
        return in_scope(create);
    }
    let krate = crate_path(input);
    let fields = input.fields().iter().map(|Field { member, ty, settings }| {
        let value = match (&settings.create, &settings.nested) {
            (Some(create), _) => in_scope(create),
            (None, Some(Nested::Unit)) => quote!(<#ty as #krate::private::Nested>::create_nested()),
            (None, Some(Nested::Config(config))) => {
                let config = in_scope(config);
                quote!(<#ty as #krate::Poolable>::create(#config))
            }
            (None, None) => default_of(&krate, ty),
        };
        quote!(#member: #value)
    });
    quote!(Self { #(#fields,)* })
}

fn reset(input: &Input<'_>) -> TokenStream {
    let krate = crate_path(input);
    match &input.settings.reset {
        Some(Reset::With(function)) => {
            let function = in_scope(function);
            return quote!(#krate::private::reset_with(self, #function););
        }
        Some(Reset::Default) => {
            return quote!(*self = <Self as ::core::default::Default>::default(););
        }
        Some(Reset::Skip(_)) | None => {}
    }
    let fields = input.fields().iter().map(|Field { member, ty, settings }| {
        match (&settings.reset, &settings.nested) {
            (Some(Reset::Skip(_)), _) => TokenStream::new(),
            (Some(Reset::Default), _) => {
                let value = default_of(&krate, ty);
                quote!(self.#member = #value;)
            }
            (Some(Reset::With(function)), _) => {
                let function = in_scope(function);
                quote!(#krate::private::reset_with(&mut self.#member, #function);)
            }
            (None, Some(Nested::Unit)) => {
                quote!(<#ty as #krate::private::Nested>::reset_nested(&mut self.#member);)
            }
            (None, Some(Nested::Config(config))) => {
                let config = in_scope(config);
                quote!(<#ty as #krate::Poolable>::reset(&mut self.#member, #config);)
            }
            (None, None) => quote!(<#ty as #krate::Clear>::clear(&mut self.#member);),
        }
    });
    quote!(#(#fields)*)
}

/// Writes the body of `keep`: what the type says and what its nested objects say, if anything.
fn keep(input: &Input<'_>) -> Option<TokenStream> {
    let krate = crate_path(input);
    let own = input.settings.keep.as_ref().map(in_scope);
    let nested: Vec<TokenStream> = input
        .fields()
        .iter()
        .filter_map(|Field { member, ty, settings }| {
            Some(match settings.nested.as_ref()? {
                Nested::Unit => {
                    quote!(<#ty as #krate::private::Nested>::keep_nested(&self.#member))
                }
                Nested::Config(config) => {
                    let config = in_scope(config);
                    quote!(<#ty as #krate::Poolable>::keep(&self.#member, #config))
                }
            })
        })
        .collect();
    match own {
        Some(own) if nested.is_empty() => Some(own),
        // The parentheses keep `a || b` together.
        Some(own) => Some(quote!((#own) #(&& #nested)*)),
        None if nested.is_empty() => None,
        None => Some(quote!(#(#nested)&&*)),
    }
}

/// Writes the typed pool and its guard, where the type names them.
pub(crate) fn typed_pool(input: &Input<'_>) -> Option<TokenStream> {
    let (name, guard) = (input.settings.name.as_ref()?, input.settings.guard.as_ref()?);
    let krate = crate_path(input);
    let config = config_type(input);
    let DeriveInput { vis, ident, generics, .. } = input.original;
    let doc = format!("A pool of [`{}`]s.", ident.unraw());
    let unit = match &config {
        Type::Tuple(tuple) if tuple.elems.is_empty() => quote!(unit),
        _ => quote!(config),
    };
    let (_, type_generics, where_clause) = generics.split_for_impl();
    let this = quote!(#ident #type_generics);
    let parameters = named(parameters(generics), &this);
    let arguments = arguments(generics);
    // A generic pool needs what its impl of `Poolable` needs. It asks for the impl rather than
    // for the bounds: those name the types of fields, which may be more private than the pool.
    let poolable = (!bounds(input, Derive::Poolable).is_empty())
        .then(|| quote!(#this: #krate::Poolable<Config = #config>));
    let predicates = where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = predicates.map(ToTokens::to_token_stream).chain(poolable);
    let predicates = predicates.map(|predicate| named(predicate, &this));
    let config = named(config.to_token_stream(), &this);
    Some(quote! {
        #krate::__poolable_pool! {
            [#[doc = #doc]] [#vis] #name #guard [#this] [#config] [#unit]
            [#parameters] [#arguments] [#(#predicates,)*]
        }
    })
}

/// Writes the name of the type for `Self`, which means the pool or the guard in the items of those.
fn named(tokens: TokenStream, this: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(word) if word == "Self" => this.clone(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), named(group.stream(), this));
                inner.set_span(group.span());
                TokenTree::from(inner).into()
            }
            token => token.into(),
        })
        .collect()
}

/// Writes the parameters of the type as an impl declares them, each with a comma behind it.
fn parameters(generics: &Generics) -> TokenStream {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.default = None;
    }
    for parameter in generics.const_params_mut() {
        parameter.default = None;
    }
    let parameters = generics.params.iter();
    quote!(#(#parameters,)*)
}

/// Writes the parameters of the type as its uses name them, each with a comma behind it.
fn arguments(generics: &Generics) -> TokenStream {
    let arguments = generics.params.iter().map(|parameter| match parameter {
        syn::GenericParam::Lifetime(parameter) => parameter.lifetime.to_token_stream(),
        syn::GenericParam::Type(parameter) => parameter.ident.to_token_stream(),
        syn::GenericParam::Const(parameter) => parameter.ident.to_token_stream(),
    });
    quote!(#(#arguments,)*)
}

/// Lists what the steps ask of the fields whose types mention a type parameter. The others are
/// left to the compiler, which then blames the field and not the impl.
fn bounds(input: &Input<'_>, derive: Derive) -> Vec<WherePredicate> {
    let krate = crate_path(input);
    let parameters: Vec<String> =
        input.original.generics.type_params().map(|it| it.ident.to_string()).collect();
    let mut bounds = Vec::new();
    for Field { ty, settings, .. } in input.fields() {
        if !mentions(&ty.to_token_stream(), &parameters) {
            continue;
        }
        let creates = derive == Derive::Poolable
            && input.settings.create.is_none()
            && settings.create.is_none();
        let resets = input.settings.reset.is_none();
        match settings.nested {
            None => {}
            Some(Nested::Unit) => {
                bounds.push(parse_quote!(#ty: #krate::Poolable<Config = ()>));
                continue;
            }
            // A bound that cannot name the type of the config would hide it: the compiler
            // prefers the bound to the impl, which does.
            Some(Nested::Config(_)) => continue,
        }
        if creates || (resets && matches!(settings.reset, Some(Reset::Default))) {
            let element = element(ty);
            bounds.push(parse_quote!(#element: ::core::default::Default));
        }
        if resets && settings.reset.is_none() {
            bounds.push(parse_quote!(#ty: #krate::Clear));
        }
    }
    bounds
}

/// Writes the default of a field. Arrays are made element by element: those longer than 32 have
/// no `Default`.
fn default_of(krate: &TokenStream, ty: &Type) -> TokenStream {
    match ty {
        Type::Array(array) => {
            let element = default_of(krate, &array.elem);
            quote!(::core::array::from_fn(|_| #element))
        }
        Type::Group(group) => default_of(krate, &group.elem),
        Type::Paren(paren) => default_of(krate, &paren.elem),
        _ => quote!(<#ty as #krate::private::FieldDefault>::field_default()),
    }
}

/// Returns the type that [`default_of`] asks for its default.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => element(&array.elem),
        Type::Group(group) => element(&group.elem),
        Type::Paren(paren) => element(&paren.elem),
        _ => ty,
    }
}

pub(crate) fn crate_path(input: &Input<'_>) -> TokenStream {
    input.settings.krate.as_ref().map_or_else(|| quote!(::bp), ToTokens::to_token_stream)
}

pub(crate) fn config_type(input: &Input<'_>) -> Type {
    input.settings.config.clone().unwrap_or_else(|| parse_quote!(()))
}

/// Lets `self` and `config` in the user's expression mean the arguments of the step. They do so
/// by themselves unless a `macro_rules!` of the user wrote the expression: its local names are
/// its own.
fn in_scope(expression: &Expr) -> TokenStream {
    rescoped(expression.to_token_stream())
}

fn rescoped(tokens: TokenStream) -> TokenStream {
    let rescope = |token| match token {
        TokenTree::Ident(mut ident) if ident == "self" || ident == "config" => {
            ident.set_span(ident.span().resolved_at(Span::call_site()));
            TokenTree::Ident(ident)
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), rescoped(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    };
    tokens.into_iter().map(rescope).collect()
}

/// Whether one of `words` stands anywhere in `tokens`.
fn mentions(tokens: &TokenStream, words: &[String]) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.iter().any(|word| ident == word),
        TokenTree::Group(group) => mentions(&group.stream(), words),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
