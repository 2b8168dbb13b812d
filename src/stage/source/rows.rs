//! What the rows of documents have to be: told apart, and with a text.

use std::collections::BTreeSet;

use super::{Empty, Source};
use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::frame::{Frame, Scalar};
use crate::stage::Output;

impl Source {
    pub(super) fn check_unique(&self, frame: &Frame) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        let twice: BTreeSet<String> = self.seen_twice(frame, &mut seen)?.into_iter().collect();
        if twice.is_empty() {
            return Ok(());
        }
        let twice: Vec<String> = twice.into_iter().collect();
        Err(Failure::new(format!(
            "duplicate {}: {}",
            self.key.join(", "),
            some_of(&twice)
        ))
        .hint(
            "rename the documents, or name every identifying column with `key = [\"doc_id\", …]`",
        ))
    }

    /// The keys of rows that were seen before, here or earlier.
    pub(super) fn seen_twice(
        &self,
        frame: &Frame,
        seen: &mut BTreeSet<String>,
    ) -> Result<Vec<String>, Failure> {
        let mut twice = Vec::new();
        if self.key.is_empty() {
            return Ok(twice);
        }
        let columns = self
            .key
            .iter()
            .map(|name| frame.column(name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| {
                Failure::from(error).hint("`key` names the columns that identify a row")
            })?;
        for row in 0..frame.rows() {
            let key: Vec<Scalar> = columns.iter().map(|column| column.scalar(row)).collect();
            if let Some(column) = key.iter().position(Scalar::is_null) {
                return Err(
                    Failure::new(format!("row {} has no `{}`", row + 1, self.key[column]))
                        .hint("every row needs its identifying columns"),
                );
            }
            let key = key
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ");
            if seen.contains(&key) {
                twice.push(key);
            } else {
                seen.insert(key);
            }
        }
        Ok(twice)
    }

    pub(super) fn handle_empty(&self, frame: Frame) -> Result<Output, Failure> {
        let mut empty = Vec::new();
        let mut output = Output::of(self.without_empty(frame, &mut empty)?);
        output.warnings.extend(self.said_of_empty(&empty)?);
        Ok(output)
    }

    /// The rows with a text, or all; the documents without one are added to `empty`.
    pub(super) fn without_empty(
        &self,
        frame: Frame,
        empty: &mut Vec<String>,
    ) -> Result<Frame, Failure> {
        if !frame.has("text") || self.empty == Empty::Keep {
            return Ok(frame);
        }
        let text = frame.column("text")?;
        let (full, without): (Vec<usize>, Vec<usize>) = (0..frame.rows())
            .partition(|&row| text.text(row).is_some_and(|text| !text.trim().is_empty()));
        if without.is_empty() {
            return Ok(frame);
        }
        let ids = frame.column("doc_id")?;
        let name = |row: &usize| ids.text(*row).unwrap_or_default().into_owned();
        empty.extend(without.iter().map(name));
        Ok(frame.take(&full)?)
    }

    /// What is to be said of documents without text.
    ///
    /// # Errors
    /// The same, where there may be none.
    pub(super) fn said_of_empty(&self, empty: &[String]) -> Result<Option<String>, Failure> {
        if empty.is_empty() {
            return Ok(None);
        }
        let sentence = format!(
            "{} without text: {}",
            count(empty.len(), "document"),
            some_of(empty)
        );
        if self.empty == Empty::Error {
            return Err(Failure::new(sentence).hint(
                "`empty = \"drop\"` leaves such documents out, `empty = \"keep\"` keeps them",
            ));
        }
        Ok(Some(format!("left out {sentence}")))
    }
}
