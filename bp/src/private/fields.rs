//! What a derive asks of the type of a field, with the ways out in the error.

use crate::Poolable;

/// [`Default`], with the ways out in its error: a field that nothing else is said about.
#[diagnostic::on_unimplemented(
    message = "a pool cannot make `{Self}`: it has no default",
    label = "no `Default`",
    note = "say how it is made: `#[pool(create = ..)]`, with `config` in scope",
    note = "if it is `Poolable` itself write `#[pool(nested)]`",
    note = "for a type of your own write `#[derive(Default)]` above it"
)]
pub trait FieldDefault {
    /// Makes the default value.
    fn field_default() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> FieldDefault for T {
    #[inline]
    fn field_default() -> Self {
        T::default()
    }
}

/// [`Poolable`] without a config, with the ways out in its error: a field that is `nested`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be nested without a config",
    label = "not `Poolable`, or with a config of its own",
    note = "where it has a config pass that by reference: `#[pool(nested = &config.inner)]`",
    note = "where it is not `Poolable` derive that, or write how it is made and reset: \
            `#[pool(create = .., reset = with(..))]`"
)]
pub trait Nested {
    /// [`Poolable::create`]
    fn create_nested() -> Self;

    /// [`Poolable::reset`]
    fn reset_nested(&mut self);

    /// [`Poolable::keep`]
    fn keep_nested(&self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: Poolable<Config = ()>> Nested for T {
    #[inline]
    fn create_nested() -> Self {
        T::create(&())
    }

    #[inline]
    fn reset_nested(&mut self) {
        self.reset(&());
    }

    #[inline]
    fn keep_nested(&self) -> bool {
        self.keep(&())
    }
}
