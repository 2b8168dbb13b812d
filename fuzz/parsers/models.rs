//! The parsers, from where the project has them.

#[path = "../../src/models/parse/mod.rs"]
pub mod parse;
#[path = "../../src/models/score/mod.rs"]
pub mod score;
