//! Files of Project Gutenberg: where the book begins and ends, and what the header says about it.
//!
//! All forms since 1990 are known: the `*** START OF …` lines of today and their older spellings,
//! and the "small print" of the nineties, which had no such line.

mod credits;
mod markers;
mod metadata;
mod year;

pub use self::markers::{Body, body};
pub use self::metadata::{Metadata, metadata};
