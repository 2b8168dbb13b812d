//! Tables as people read them, and the comparison with what a paper printed.
//!
//! [`Grid`] arranges cells in rows and columns once; every format (`markdown`, `csv`, `latex`, `html`, `json`,
//! `terminal`) draws the same grid, so that all show the same digits, the same marks and the same notes.
//! [`verify`](verify::verify) holds our cells against printed ones. Everything here is pure: cells and text in,
//! text out. It must not read or write files, compute statistics, or decide what an experiment means.

pub mod accept;
pub(crate) mod account;
pub mod audit;
pub mod audit_html;
pub mod columns;
pub mod csv;
pub mod diff;
pub mod expect;
mod fields;
pub mod folder;
pub(crate) mod footnote;
mod grid;
mod grid_error;
pub mod html;
pub mod json;
pub(crate) mod lack;
pub mod latex;
mod latex_fit;
mod latex_text;
mod layout;
pub(crate) mod legend;
pub mod markdown;
pub mod notes;
pub mod number;
pub mod overview;
mod problem;
pub mod terminal;
mod text;
pub mod told;
pub mod verify;

pub use footnote::Footnote;
pub use grid::{Grid, Head, Shown};
pub use grid_error::GridError;
pub use lack::Lack;
pub(crate) use layout::one_line;
pub use layout::{Cell, Family, How, Layout};
pub use problem::{Problem, Problems};

#[cfg(test)]
mod tests;
