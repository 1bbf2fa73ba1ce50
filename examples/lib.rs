//! What is more than one program: the parts that an example and its tests both use.

pub mod memcached;
