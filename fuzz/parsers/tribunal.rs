//! What the parsers are made of.

pub mod models;
