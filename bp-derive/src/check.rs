//! The rules that no single setting can break: where each may stand, and which go together.
//!
//! One function per rule. A rule looks at the settings that are there, also at those whose value
//! could not be read, so that everything wrong with a type is told at once.

use syn::{Attribute, Expr, Fields, Ident};

use crate::ast::{Body, Derive, Field, Input, is_pool};
use crate::attr::{Key, Reset, Settings};
use crate::errors::Errors;
use crate::scope::config_use;

pub(crate) fn check(input: &Input<'_>, derive: Derive, errors: &mut Errors) {
    not_a_union(input, derive, errors);
    nested_belongs_on_a_field(input, errors);
    skip_belongs_on_a_field(input, errors);
    match derive {
        Derive::Poolable => {
            pool_and_guard_come_together(&input.settings, errors);
            pool_and_guard_differ(&input.settings, errors);
            steps_are_not_closures(&input.settings, errors);
            config_has_a_type(input, errors);
        }
        Derive::Clear => only_reset_clears(&input.settings, errors),
    }
    if let Body::Enum(variants) = &input.body {
        enum_says_its_steps(input, derive, errors);
        for variant in *variants {
            nothing_inside_an_enum(&variant.attrs, &variant.fields, errors);
        }
    }
    for field in input.fields() {
        whole_object_settings_belong_above(field, errors);
        a_step_is_written_once(&input.settings, field, errors);
        match derive {
            Derive::Poolable => nested_brings_its_steps(&field.settings, errors),
            Derive::Clear => only_reset_clears(&field.settings, errors),
        }
    }
}

/// Which field of a union is in use is not known to a derive.
fn not_a_union(input: &Input<'_>, derive: Derive, errors: &mut Errors) {
    if let Body::Union(data) = &input.body {
        let (what, steps) = match derive {
            Derive::Poolable => ("pool", "`#[pool(create = .., reset = with(..))]`"),
            Derive::Clear => ("clear", "`#[pool(reset = with(..))]`"),
        };
        errors.at(
            data.union_token,
            format!(
                "a union does not know which of its fields is in use; {what} a struct around it, \
                 with {steps} on the field"
            ),
        );
    }
}

fn nested_belongs_on_a_field(input: &Input<'_>, errors: &mut Errors) {
    if let Some(nested) = input.settings.key(Key::Nested) {
        errors.at(
            nested,
            "`nested` belongs on a field: it says that the field's type is `Poolable` itself",
        );
    }
}

/// `#[pool(reset = skip)] struct S` would be a type that is never reset, in passing.
fn skip_belongs_on_a_field(input: &Input<'_>, errors: &mut Errors) {
    if let Some(Reset::Skip(skip)) = &input.settings.reset {
        errors.at(
            skip,
            "`skip` belongs on a field; to leave all of the object as it comes back write \
             `reset = with(|_| {})`",
        );
    }
}

/// `#[pool(name = RequestPool)]` alone: the guard would need a made-up name.
fn pool_and_guard_come_together(settings: &Settings, errors: &mut Errors) {
    match (settings.key(Key::Name), settings.key(Key::Guard)) {
        (Some(name), None) => errors.at(
            name,
            "`name` needs `guard` beside it: `name = RequestPool, guard = RequestRef` makes the \
             typed pool and its guard",
        ),
        (None, Some(guard)) => errors.at(
            guard,
            "`guard` needs `name` beside it: `name = RequestPool, guard = RequestRef` makes the \
             typed pool and its guard",
        ),
        _ => {}
    }
}

fn pool_and_guard_differ(settings: &Settings, errors: &mut Errors) {
    if let (Some(name), Some(guard)) = (&settings.name, &settings.guard)
        && name == guard
    {
        errors.at(guard, format!("the pool is called `{name}` already; the guard is another type"));
    }
}

/// `pool!` takes closures where the derive takes expressions, so this slip is near.
fn steps_are_not_closures(settings: &Settings, errors: &mut Errors) {
    let steps = [(Key::Create, &settings.create), (Key::Keep, &settings.keep)];
    for (key, step) in steps {
        if let Some(closure @ Expr::Closure(_)) = step {
            let scope = if key == Key::Keep { "`self` and `config` are" } else { "`config` is" };
            errors.at(
                closure,
                format!("`{key}` is an expression, not a closure; {scope} in scope in it"),
            );
        }
    }
}

/// Without a type the config is `()`, and what an expression wants of it is not there: the compiler
/// would say so of the expression, which is right.
fn config_has_a_type(input: &Input<'_>, errors: &mut Errors) {
    let settings = || {
        let fields = input.fields().iter().map(|field| &field.settings);
        [&input.settings].into_iter().chain(fields)
    };
    // One on a field is reported for that.
    if settings().any(|settings| settings.key(Key::Config).is_some()) {
        return;
    }
    if let Some(config) = settings().flat_map(Settings::expressions).find_map(config_use) {
        errors.at(
            config,
            "`config` is used here and has no type; write that above the type: \
             `#[pool(config = Limits)]`",
        );
    }
}

/// `Clear` has one step and no config.
fn only_reset_clears(settings: &Settings, errors: &mut Errors) {
    for (key, token) in settings.given() {
        match key {
            Key::Crate | Key::Reset => {}
            Key::Nested => errors.at(
                token,
                "`nested` belongs to `#[derive(Poolable)]`; a type that is `Clear` clears its \
                 fields: derive `Clear` for the field's type too, or write `reset = with(..)`",
            ),
            _ => errors.at(
                token,
                format!(
                    "`{key}` belongs to `#[derive(Poolable)]`; `Clear` only resets. A type that \
                     needs both stands inside others by `#[pool(nested)]` and needs no `Clear`"
                ),
            ),
        }
    }
}

/// A fresh enum and a reset one are some variant; which one, its author has to say.
fn enum_says_its_steps(input: &Input<'_>, derive: Derive, errors: &mut Errors) {
    let missing: &[Key] = match derive {
        Derive::Poolable => &[Key::Create, Key::Reset],
        Derive::Clear => &[Key::Reset],
    };
    let missing: Vec<&str> = missing
        .iter()
        .filter(|&&key| input.settings.key(key).is_none())
        .map(|key| match key {
            Key::Create => "create = Default::default()",
            _ => "reset = default",
        })
        .collect();
    if !missing.is_empty() {
        errors.at(
            &input.original.ident,
            format!(
                "an enum says as a whole how it is made and reset: write `#[pool({})]` above it, \
                 or other steps of your own, such as `reset = with(..)`",
                missing.join(", ")
            ),
        );
    }
}

fn nothing_inside_an_enum(attrs: &[Attribute], fields: &Fields, errors: &mut Errors) {
    let inner = fields.iter().flat_map(|field| &field.attrs);
    for attr in attrs.iter().chain(inner).filter(|attr| is_pool(attr)) {
        errors.at(
            attr,
            "an enum says as a whole how it is made and reset: write `#[pool(..)]` above the enum",
        );
    }
}

/// What concerns the whole object cannot be said by one field.
fn whole_object_settings_belong_above(field: &Field<'_>, errors: &mut Errors) {
    for (key, token) in field.settings.given() {
        let advice = match key {
            Key::Keep => {
                "`keep` judges the whole object; write it above the struct, where the \
                          field is `self.field`"
            }
            Key::Config => "the config is shared by all fields; write it above the struct",
            Key::Crate => "the path of the crate holds for all fields; write it above the struct",
            Key::Name | Key::Guard => {
                "the pool is one of the whole struct; write `name` and `guard` above it"
            }
            Key::Create | Key::Reset | Key::Nested => continue,
        };
        errors.at(token, advice);
    }
}

/// A step that stands above the struct replaces that step of every field.
fn a_step_is_written_once(whole: &Settings, field: &Field<'_>, errors: &mut Errors) {
    for (key, does) in [(Key::Create, "makes"), (Key::Reset, "resets")] {
        if let (Some(_), Some(token)) = (whole.key(key), field.settings.key(key)) {
            errors.at(
                token,
                format!("the `{key}` above the struct {does} every field; remove one of the two"),
            );
        }
    }
}

/// A nested object creates and resets itself.
fn nested_brings_its_steps(field: &Settings, errors: &mut Errors) {
    let Some(nested) = field.key(Key::Nested) else { return };
    let step = |key| field.key(key).map(|token| (key, token));
    for (key, token) in [step(Key::Create), step(Key::Reset)].into_iter().flatten() {
        errors.at(
            later(nested, token, field),
            format!(
                "a `nested` field takes all its steps from its type; remove `{key}`, or remove \
                 `nested` and write the steps of the field"
            ),
        );
    }
}

/// Returns the one of two settings that was written later.
fn later<'a>(one: &'a Ident, other: &'a Ident, settings: &Settings) -> &'a Ident {
    let place = |token: &Ident| settings.given().position(|(_, given)| given == token);
    if place(one) > place(other) { one } else { other }
}
