//! Loom models of the store.
