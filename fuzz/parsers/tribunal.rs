//! What the parsers are made of.

#[path = "../../src/parse/mod.rs"]
pub mod parse;
#[path = "../../src/score.rs"]
pub mod score;
