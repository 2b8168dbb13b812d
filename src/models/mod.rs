//! Models: what a spec says of them, and what a call depends on.

pub mod key;
pub mod spec;
