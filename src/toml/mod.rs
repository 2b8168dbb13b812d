//! Specs as text: TOML files, environment and arguments as one tree of blamed values.
//!
//! [`Layers::load`] reads a spec with everything it extends and merges the layers; `read` turns a part of the merged
//! [`Tree`] into a plain serde type and reports every mistake in it, each at the line that made it. What the values
//! *mean* is checked elsewhere; nothing here knows a stage, an axis or a model.

mod arguments;
mod de;
mod duplicate;
mod excerpt;
mod explain;
mod extends;
#[cfg(test)]
mod fixture;
mod folders;
mod keys;
mod layers;
mod like;
mod merge;
mod one_or_many;
mod parse;
mod percent;
mod plain;
mod problem;
mod range;
mod read;
mod renamed;
mod render;
mod source;
mod syntax;
mod tree;
mod veil;

use crate::base::wording as suggest;

pub(crate) use arguments::path_of;
pub use folders::Folders;
pub(crate) use keys::keys;
pub use layers::{Input, LayerKind, Layers};
pub(crate) use like::LIKE;
pub use one_or_many::OneOrMany;
pub(crate) use one_or_many::fields;
pub use percent::Percent;
pub use plain::Plain;
pub use problem::{Label, Problem, Problems, Severity, Style, marked};
pub use range::Range;
pub(crate) use read::read;
pub use renamed::Renamed;
pub use source::{Place, SourceId, Sources};
pub use tree::Tree;
