//! An object between its user and the store, in nobody's node.

use std::mem::ManuallyDrop;
use std::ptr;

use crate::Recipe;

/// An object that is shown to `dispose` before it is dropped, unless it is moved out: where a step
/// unwinds, or the store has no place for it.
pub(super) struct Loose<'a, R: Recipe> {
    pub(super) item: R::Item,
    config: &'a R::Config,
}

impl<'a, R: Recipe> Loose<'a, R> {
    pub(super) fn new(item: R::Item, config: &'a R::Config) -> Self {
        Loose { item, config }
    }

    pub(super) fn into_item(self) -> R::Item {
        let this = ManuallyDrop::new(self);
        // SAFETY: initialised, and neither dropped nor looked at after this.
        unsafe { ptr::read(&raw const this.item) }
    }
}

impl<R: Recipe> Drop for Loose<'_, R> {
    /// The item itself is dropped after this, also when this unwinds.
    fn drop(&mut self) {
        R::dispose(&mut self.item, self.config);
    }
}
