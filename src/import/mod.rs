//! Other people's published data as the tables that specs read: paths and bytes to rows.
//!
//! Everything that can be read is; what cannot is a [`Problem`] with its path. An importer reads the
//! folder it is given and nothing else; it writes no files and prints nothing, so that the same folder
//! gives the same tables, problems included.

pub mod evals;
pub mod judgememo;

mod files;
mod problem;

pub use self::problem::{Kind, Problem};
