//! What a derive works with: the type's own syntax, borrowed, beside the settings written on it.

use proc_macro2::Span;
use syn::{Attribute, Data, DeriveInput, Member, Type, punctuated::Punctuated, token};

use crate::attr::Settings;
use crate::errors::Errors;

/// The trait that is derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derive {
    Poolable,
    Clear,
}

/// The type under the derive.
pub(crate) struct Input<'a> {
    pub(crate) original: &'a DeriveInput,
    pub(crate) settings: Settings,
    pub(crate) body: Body<'a>,
}

/// What the type is made of, as far as a derive can use it.
pub(crate) enum Body<'a> {
    Struct(Vec<Field<'a>>),
    Enum(&'a Punctuated<syn::Variant, token::Comma>),
    Union(&'a syn::DataUnion),
}

/// One field of a struct.
pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    pub(crate) settings: Settings,
}

impl<'a> Input<'a> {
    /// Reads the settings of the type and of its fields; what cannot be read goes to `errors`.
    pub(crate) fn from_syn(original: &'a DeriveInput, errors: &mut Errors) -> Self {
        let settings = Settings::from_attrs(&original.attrs, errors);
        let body = match &original.data {
            Data::Struct(data) => Body::Struct(fields(&data.fields, errors)),
            Data::Enum(data) => Body::Enum(&data.variants),
            Data::Union(data) => Body::Union(data),
        };
        Input { original, settings, body }
    }

    /// Returns the fields that steps can be written for: those of a struct.
    pub(crate) fn fields(&self) -> &[Field<'a>] {
        match &self.body {
            Body::Struct(fields) => fields,
            Body::Enum(_) | Body::Union(_) => &[],
        }
    }
}

fn fields<'a>(fields: &'a syn::Fields, errors: &mut Errors) -> Vec<Field<'a>> {
    let field = |(member, field): (Member, &'a syn::Field)| Field {
        member: at_call_site(member),
        ty: &field.ty,
        settings: Settings::from_attrs(&field.attrs, errors),
    };
    fields.members().zip(fields).map(field).collect()
}

/// The number of a tuple field has no token of its own; without this it would get the span of
/// the field's type, and with it the blame for errors that are not about the type.
fn at_call_site(member: Member) -> Member {
    match member {
        Member::Unnamed(mut index) => {
            index.span = Span::call_site();
            Member::Unnamed(index)
        }
        named @ Member::Named(_) => named,
    }
}

/// Whether `attr` is one of ours, `#[pool..]`.
pub(crate) fn is_pool(attr: &Attribute) -> bool {
    attr.path().is_ident("pool")
}
