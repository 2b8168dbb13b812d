//! Texts: what they consist of, how raw books become clean ones, and how they are damaged in a recorded way.

pub mod clean;
pub mod manipulate;
pub mod text;
