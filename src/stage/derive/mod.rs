//! `derive`: the same rows with other columns: renamed, dropped, computed, numbered, in this order.
//!
//! A value that is made of an absent one is absent, and its column of reasons says why.

mod check;
mod contract;
mod number;
mod raw;

use std::collections::BTreeMap;

use serde::Serialize;

pub use self::number::Number;
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::stage::stats::Beside;
use crate::stage::{Expression, Holds, StageName, reason_column};

/// Computes, renames and numbers columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Derive {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// New names of columns, each with the old one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// The columns that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
    /// What is computed, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compute: Vec<(String, Expression)>,
    /// How rows are numbered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub number: Vec<(String, Number)>,
}

/// What columns are called after renaming: old name → new name, those of reasons with theirs.
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// What a column is called.
    pub(super) fn called(&self, name: &str) -> String {
        self.0.get(name).map_or(name, String::as_str).to_owned()
    }
}

impl Derive {
    /// What columns are called.
    pub(super) fn names(&self) -> Names {
        let mut names = BTreeMap::new();
        for (new, old) in &self.rename {
            names.insert(reason_column(old), reason_column(new));
        }
        // What is named goes first: a column of reasons may be renamed by itself.
        for (new, old) in &self.rename {
            names.insert(old.clone(), new.clone());
        }
        Names(names)
    }

    /// The rows with their new columns. What is drawn depends on the seed, this stage's name, the column and each row's
    /// document.
    ///
    /// # Errors
    /// A column that is not there, a row that cannot be computed.
    pub fn derive(&self, input: &Frame, name: &StageName, seed: u64) -> Result<Frame, Failure> {
        for old in self.rename.values() {
            input.column(old)?;
        }
        let names = self.names();
        let mut beside = Beside::of(input)?;
        let mut frame = input.clone();
        if !self.rename.is_empty() {
            frame = frame.renamed(|name| names.called(name))?;
            beside.rename(|name| names.called(name));
        }
        for name in &self.drop {
            frame.column(name)?;
        }
        for name in &self.drop {
            beside.forget(name);
            frame = frame.without(&[name, &reason_column(name)]);
        }
        for (name, value) in &self.compute {
            frame = value
                .compute(frame, name, Holds::Unknown)
                .map_err(|failure| failure.at(format!("compute.{name}")))?;
            beside.derive(name, value.columns());
        }
        for (column, number) in &self.number {
            frame = number
                .add(frame, column, name, seed)
                .map_err(|failure| failure.at(format!("number.{column}")))?;
            beside.derive(column, &[]);
        }
        beside.add(frame)
    }
}
