//! The steps of cleaning, one file each: a pure function from a text to a [`Cleaned`](super::Cleaned).

pub mod asterisk_lines;
pub mod blank_lines;
pub mod boilerplate;
pub mod brackets;
pub mod chapter_headings;
pub mod contents;
pub mod false_splits;
pub mod line_ends;
pub mod paragraph_breaks;
pub mod title_page;
pub mod underscores;
pub mod unwrap;
pub mod wikipedia_sections;
