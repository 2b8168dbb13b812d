//! Keeping the rows whose columns hold given values.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::frame::{Frame, FrameError};

/// Column → values that may stand in it, compared by their canonical text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Keep(pub BTreeMap<String, BTreeSet<String>>);

impl Keep {
    /// The columns looked at.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The positions of the rows that qualify.
    ///
    /// # Errors
    /// When a column is missing.
    pub fn rows(&self, frame: &Frame) -> Result<Vec<usize>, FrameError> {
        let wanted = self
            .0
            .iter()
            .map(|(name, values)| Ok((frame.column(name)?, values)))
            .collect::<Result<Vec<_>, FrameError>>()?;
        Ok((0..frame.rows())
            .filter(|&row| {
                wanted.iter().all(|(column, values)| {
                    column
                        .text(row)
                        .is_some_and(|text| values.contains(text.as_ref()))
                })
            })
            .collect())
    }
}
