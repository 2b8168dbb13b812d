//! How stages are written in a spec, and what all kinds need to check theirs.
//!
//! A kind's own table and its meaning are in its folder (`raw.rs`, `check.rs`); the whole of a spec is checked by those
//! who use this.

pub(crate) mod annotator;
pub(crate) mod asked;
pub(crate) mod columns;
pub(crate) mod condition;
mod context;
pub(crate) mod gathered;
mod known;
pub(crate) mod line;
pub(crate) mod logprobs;
pub(crate) mod model;
pub(crate) mod names;
pub(crate) mod part;
pub(crate) mod paths;
pub(crate) mod prompt;
mod raw;
mod recorded;
pub(crate) mod serve;
mod served;
pub(crate) mod server;
pub(crate) mod tokenizer;
mod written;

pub(crate) use self::context::Context;
pub use self::context::TemplateFiles;
pub use self::known::{Axis, Declared};
pub(crate) use self::known::{Known, RowShape};
pub(crate) use self::raw::{RawAnnotator, RawModel};
pub(crate) use self::written::{Checking, Written, check, parameters, reads_also};
