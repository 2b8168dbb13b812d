//! Groups that must exist, though no row is of them.

use std::collections::BTreeSet;

use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame, FrameError, Scalar};
use crate::stage::StageName;

/// Groups that must exist.
#[derive(Clone, Debug, PartialEq)]
pub enum Every {
    /// Those that a stage has a row for.
    Stage(StageName),
    /// Those of all these values, each of columns of the key, with whatever the other columns of the key hold.
    Values(Vec<(String, Vec<Scalar>)>),
}

impl Every {
    /// The keys of groups that are not among these, in order; `table` is that of the stage.
    ///
    /// # Errors
    /// A column that is not there, a value that is none of its column.
    pub(super) fn missing(
        &self,
        there: &Frame,
        by: &[String],
        table: Option<&Frame>,
    ) -> Result<Option<Frame>, Failure> {
        let wanted = match self {
            Self::Stage(stage) => {
                let Some(table) = table else {
                    return Err(Failure::new(format!("`{stage}` was not handed over")));
                };
                let keys = table.select(by)?;
                keys.take(&keys.groups(by)?.firsts())?
            }
            Self::Values(values) => product(there, by, values)?,
        };
        let known = keys(there, by)?;
        let known: BTreeSet<&Vec<Option<String>>> = known.iter().collect();
        let rows = keys(&wanted, by)?.into_iter().enumerate();
        let rows: Vec<usize> = rows
            .filter(|(_, key)| !known.contains(key))
            .map(|(row, _)| row)
            .collect();
        if rows.is_empty() {
            return Ok(None);
        }
        let missing = wanted.take(&rows)?;
        // Keys that were read as text here and as numbers there would be two groups.
        for name in by {
            let (here, other) = (there.column(name)?.kind(), missing.column(name)?.kind());
            let numbers = |kind: &str| ["numbers", "whole numbers"].contains(&kind);
            let some = there.rows() > 0 && here != "no values";
            if some && here != other && !(numbers(here) && numbers(other)) {
                return Err(Failure::new(format!(
                    "`{name}` holds {here} in the rows, and {other} in `every`"
                ))
                .hint("write values of the same type"));
            }
        }
        Ok(Some(missing))
    }
}

/// The keys of rows, as texts.
fn keys(frame: &Frame, by: &[String]) -> Result<Vec<Vec<Option<String>>>, FrameError> {
    let columns = by.iter().map(|name| frame.column(name));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let key = |row| {
        let texts = columns.iter().map(|column| column.text(row));
        texts
            .map(|text| text.map(std::borrow::Cow::into_owned))
            .collect()
    };
    Ok((0..frame.rows()).map(key).collect())
}

/// The key of every group, with each of the values in its place.
fn product(
    there: &Frame,
    by: &[String],
    values: &[(String, Vec<Scalar>)],
) -> Result<Frame, Failure> {
    let others: Vec<String> = by
        .iter()
        .filter(|name| values.iter().all(|(of, _)| of != *name))
        .cloned()
        .collect();
    // The key is all of these: they are there even if no row is.
    let firsts = if others.is_empty() {
        vec![0]
    } else {
        there.groups(&others)?.firsts()
    };
    let mut rows: Vec<(usize, Vec<&Scalar>)> =
        firsts.into_iter().map(|row| (row, Vec::new())).collect();
    for (_, all) in values {
        rows = rows
            .into_iter()
            .flat_map(|(row, before)| {
                let with = move |value| (row, before.iter().copied().chain([value]).collect());
                all.iter().map(with)
            })
            .collect();
    }
    let columns = by.iter().map(|name| {
        let at = values.iter().position(|(of, _)| of == name);
        let cells = match at {
            Some(at) => rows.iter().map(|(_, values)| values[at].clone()).collect(),
            None => {
                let column = there.column(name)?;
                rows.iter().map(|(row, _)| column.scalar(*row)).collect()
            }
        };
        Ok((name.clone(), ColumnData::infer(cells)))
    });
    Ok(Frame::new(columns.collect::<Result<_, FrameError>>()?)?)
}
