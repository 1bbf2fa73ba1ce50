//! A port of the ring for loom.
