//! Figures: values in, an SVG out, and from that a PNG.
//!
//! A figure is laid out and drawn by ourselves, because what it must be is said by the page and the paper it goes into:
//! it scales, takes its text colour from around it, needs no style sheet, counts what is missing, and shows labels as they
//! are. `resvg` makes the PNG, with a font of our own, so that its bytes are the same everywhere. Everything here is pure.
//! It must not read files, know stages or specs, or compute statistics.

mod arrange;
mod axes;
mod columns;
mod curve;
mod explain;
mod form;
mod heat;
mod layout;
mod legend;
mod marks;
mod matrix;
mod note;
mod pairs;
mod plane;
mod plot;
mod png;
mod row;
mod say;
mod scale;
mod spread;
mod stack;
mod style;
mod svg;
mod text;
mod tracks;
mod words;

#[cfg(test)]
mod judging;
#[cfg(test)]
mod tests;

pub use self::form::Form;
pub(crate) use self::note::CONFIDENCE;
pub use self::plot::{Drawing, draw};
pub use self::png::{PngError, is_of, png};
pub use self::row::{Row, Style};
