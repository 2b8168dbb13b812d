//! Cleaning: from a file of Project Gutenberg to a text that can be judged.
//!
//! [`decode()`] makes letters of bytes, [`gutenberg`] knows headers and footers and what a
//! header says, and [`clean`](fn@clean) puts a text through [`Step`]s and tells what each of them did.
//! The steps follow section 3.1.3 of the thesis,
//! and their exact form follows its 65 gold documents.
//!
//! Cleaning a cleaned text with all steps again changes nothing, unless a step uncovers a marker of
//! Project Gutenberg (a bracket before it goes, or a blank line comes before it) or joins the broken
//! entries of a list of contents. Of the 65 gold
//! documents 33 come out as they are; in the others the steps find what the thesis left undone.
//!
//! Nothing here reads files, draws lots or judges whether a text is good. What the thesis did by hand
//! (headings in ordinary letters, title pages with prose, bad transcriptions) stays to be done by
//! hand. Every step takes time linear in the text and accepts every text.

pub mod change;
pub mod decode;
pub mod gutenberg;
mod heading;
mod lines;
mod report;
mod sentence;
mod step;
pub mod steps;

pub use self::change::{Change, Cleaned};
pub use self::decode::{DecodeError, Decoded, decode};
pub use self::report::{Example, StepReport, clean};
pub use self::step::Step;

#[cfg(test)]
mod tests;
