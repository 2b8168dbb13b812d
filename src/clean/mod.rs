//! Cleaning: from a file of Project Gutenberg to a text that can be judged.
//!
//! [`decode()`] makes letters of bytes, [`gutenberg`] knows headers and footers and what a header says.
//! Nothing here reads files or judges whether a text is good. Everything takes time linear in the
//! text.

pub mod decode;
pub mod gutenberg;
#[allow(dead_code, reason = "the steps of cleaning use the rest")]
mod heading;
#[allow(dead_code, reason = "the steps of cleaning use the rest")]
mod lines;
mod numeral;

pub use self::decode::{DecodeError, decode};
