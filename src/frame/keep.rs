//! Keeping the rows whose columns hold given values.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Frame, FrameError};
use crate::base::wording::{nearest, some_of};

/// Column → values that may stand in it, compared by their canonical text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Keep(pub BTreeMap<String, BTreeSet<String>>);

impl Keep {
    /// The columns looked at.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The values that stand in no row, each in a sentence: in a table without rows nothing is missed.
    ///
    /// # Errors
    /// When a column is missing.
    pub fn missed(&self, frame: &Frame) -> Result<Vec<String>, FrameError> {
        let mut missed = Vec::new();
        for (name, values) in &self.0 {
            let column = frame.column(name)?;
            let mut open: BTreeSet<&str> = values.iter().map(String::as_str).collect();
            for row in 0..column.len() {
                if open.is_empty() {
                    break;
                }
                if let Some(text) = column.text(row) {
                    open.remove(text.as_ref());
                }
            }
            if open.is_empty() || column.is_empty() {
                continue;
            }
            let there: BTreeSet<String> = (0..column.len())
                .filter_map(|row| Some(column.text(row)?.into_owned()))
                .collect();
            let there: Vec<String> = there.into_iter().collect();
            missed.extend(open.into_iter().map(|value| {
                let instead = match nearest(value, &there) {
                    // Of numbers none is meant by another.
                    Some(near) if value.parse::<f64>().is_err() => {
                        format!("did you mean `{near}`?")
                    }
                    _ if there.is_empty() => "which has no values".to_owned(),
                    _ => format!("which holds {}", some_of(&there)),
                };
                format!("no row has `{value}` in `{name}`, {instead}")
            }));
        }
        Ok(missed)
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
