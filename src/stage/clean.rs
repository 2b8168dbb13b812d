//! `clean`: makes raw books into clean text, step by step, and says what each step changed.

use serde::Serialize;

use super::rows::each;
use super::{Failure, Output, StageName};
use crate::clean::{Step, StepReport, clean};
use crate::frame::{ColumnData, Frame};
use crate::wording::{count, some_of};

/// Makes raw books into clean text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clean {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The steps, in the order in which they are taken.
    pub steps: Vec<Step>,
}

impl Clean {
    /// Cleans the column `text` and adds `cleaned`: per step, in JSON, how many places it changed, how many
    /// characters went, and some examples. A text that cleaning leaves empty is named in a warning.
    ///
    /// # Errors
    /// When there is no column `text`.
    pub fn run(&self, input: &Frame) -> Result<Output, Failure> {
        let column = input.column("text")?;
        let cleaned: Vec<Option<(String, Vec<StepReport>)>> = each(input.rows(), |row| {
            column.text(row).map(|text| clean(&text, &self.steps))
        });
        let ids = input.column("doc_id")?;
        let emptied: Vec<String> = cleaned
            .iter()
            .enumerate()
            .filter(|(_, cleaned)| {
                cleaned
                    .as_ref()
                    .is_some_and(|(text, _)| text.trim().is_empty())
            })
            .map(|(row, _)| ids.text(row).unwrap_or_default().into_owned())
            .collect();
        let (texts, reports) = cleaned
            .into_iter()
            .map(|cleaned| match cleaned {
                Some((text, reports)) => (Some(text), serde_json::to_string(&reports).ok()),
                None => (None, None),
            })
            .unzip();
        let frame = input
            .clone()
            .with_column("text", ColumnData::Text(texts))?
            .with_column("cleaned", ColumnData::Text(reports))?;
        let mut output = Output::of(frame);
        if !emptied.is_empty() {
            output.warnings.push(format!(
                "cleaning left nothing of {}: {}",
                count(emptied.len(), "document"),
                some_of(&emptied)
            ));
        }
        Ok(output)
    }
}
