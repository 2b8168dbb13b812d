//! `clean`: makes raw books into clean text, step by step, and says what each step changed.

mod check;
mod contract;
mod raw;

use std::borrow::Cow;

use serde::Serialize;

use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::frame::{ColumnData, Frame};
use crate::language::clean::{Step, StepReport, clean};
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::pile::Pile;
use crate::stage::refused::{Refused, without_record};
use crate::stage::rows::each;
use crate::stage::{Output, StageName};

/// The column that says what cleaning changed.
pub const CLEANED: &str = "cleaned";

/// Makes raw books into clean text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clean {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The steps, in the order in which they are taken.
    pub steps: Vec<Step>,
}

impl Compute for Clean {
    /// Cleans the column `text` and adds `cleaned`: per step, in JSON, how many places it changed, how many
    /// characters went, and some examples. A document that cleaning leaves nothing of has no text from then
    /// on, says so in `not_applicable`, and is named in a warning. What manipulations before it recorded
    /// no longer fits and goes.
    ///
    /// # Errors
    /// When there is no column `text`.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let mut emptied = Vec::new();
        let mut pile = Pile::new(world);
        for part in inputs.parts() {
            let part = part?;
            pile.push_over(self.clean(&part, &mut emptied)?, part.into_packed())?;
        }
        let mut output = Output::of(pile.end()?);
        if !emptied.is_empty() {
            output.warnings.push(format!(
                "cleaning left nothing of {}: {}",
                count(emptied.len(), "document"),
                some_of(&emptied)
            ));
        }
        Ok(output)
    }

    fn in_parts(&self) -> bool {
        true
    }
}

impl Clean {
    /// Cleans some rows; documents of which nothing is left are added to `emptied`.
    fn clean(&self, input: &Frame, emptied: &mut Vec<String>) -> Result<Frame, Failure> {
        let column = input.column("text")?;
        let cleaned: Vec<Option<(Cow<'_, str>, Vec<StepReport>)>> = each(input.rows(), |row| {
            column.text(row).map(|text| match text {
                Cow::Borrowed(text) => clean(text, &self.steps),
                Cow::Owned(text) => {
                    let (text, reports) = clean(&text, &self.steps);
                    (Cow::Owned(text.into_owned()), reports)
                }
            })
        });
        let is_changed = |of: &Option<(Cow<'_, str>, _)>| {
            let text = of.as_ref().map(|(text, _)| text);
            text.is_some_and(|text| matches!(text, Cow::Owned(_)) || text.trim().is_empty())
        };
        let changed = cleaned.iter().any(is_changed);
        let ids = input.column("doc_id")?;
        let (mut texts, mut reports) = (Vec::new(), Vec::new());
        let mut refused = Refused::new(input)?;
        for (row, cleaned) in cleaned.into_iter().enumerate() {
            let Some((text, report)) = cleaned else {
                refused.keep(row);
                if changed {
                    texts.push(None);
                }
                reports.push(None);
                continue;
            };
            let nothing = text.trim().is_empty();
            if nothing {
                emptied.push(ids.text(row).unwrap_or_default().into_owned());
            }
            refused.push(nothing.then(|| "cleaning left nothing".to_owned()));
            if changed {
                texts.push((!nothing).then(|| text.into_owned()));
            }
            reports.push(serde_json::to_string(&report).ok());
        }
        let mut frame = without_record(input);
        // Where no text changes, which are long, none is copied.
        if changed {
            frame = frame.with_column("text", ColumnData::Text(texts))?;
        }
        refused.add(frame.with_column(CLEANED, ColumnData::Text(reports))?)
    }
}
