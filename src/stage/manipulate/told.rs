//! What is to be said of documents that were damaged, and what of earlier rows decides about later ones.

use std::collections::BTreeMap;

use super::Row;
use crate::base::failure::Failure;
use crate::base::wording::{count, some_because, some_of};
use crate::frame::{ColumnView, Frame};
use crate::language::manipulate::Recipe;
use crate::stage::refused::told;

/// What a person should know: documents that the manipulation does not fit, and those that are as they
/// were although it fits, because a percentage came to nothing or what changed places was alike.
///
/// A needle that fits at one position of a document fits at all, and alters the same sentence there.
#[derive(Default)]
pub(super) struct Told {
    refused: Vec<(String, String)>,
    unchanged: Vec<String>,
    documents: usize,
    /// What annotators said.
    annotated: Vec<String>,
    /// How many rows of each document and section stand before.
    seen: BTreeMap<(String, String), usize>,
}

impl Told {
    pub(super) fn annotated(&mut self, warnings: Vec<String>) {
        let new = warnings
            .into_iter()
            .filter(|new| !self.annotated.contains(new));
        let new: Vec<String> = new.collect();
        self.annotated.extend(new);
    }

    pub(super) fn add(&mut self, input: &Frame, rows: &[Vec<Row>]) -> Result<(), Failure> {
        let (ids, before) = (input.column("doc_id")?, input.column("text")?);
        self.documents += rows.len();
        for (row, cells) in rows.iter().enumerate() {
            let Some(cells) = cells.first() else {
                continue;
            };
            let id = || ids.text(row).unwrap_or_default().into_owned();
            if let Some(why) = &cells.not_applicable {
                // Whoever left the document without text has said so already.
                if !told(input, row) {
                    self.refused.push((id(), why.clone()));
                }
            } else if let Some(text) = &cells.text {
                let same = match &cells.unaltered {
                    Some(unaltered) => text == unaltered,
                    None => before.text(row).is_some_and(|before| before == *text),
                };
                if same {
                    self.unchanged.push(id());
                }
            }
        }
        Ok(())
    }

    pub(super) fn warnings(self, recipe: &Recipe) -> Vec<String> {
        let (manipulation, all) = (recipe.manipulation(), count(self.documents, "document"));
        let mut warnings = self.annotated;
        if !self.refused.is_empty() {
            warnings.push(format!(
                "`{manipulation}` does not fit {} of {all}: {}",
                self.refused.len(),
                some_because(&self.refused)
            ));
        }
        if !self.unchanged.is_empty() {
            warnings.push(format!(
                "`{manipulation}` changes nothing in {} of {all}: {}",
                self.unchanged.len(),
                some_of(&self.unchanged)
            ));
        }
        warnings
    }

    /// What tells the rows of one document apart, so that they draw apart: its section where there is one, or
    /// how many of its rows stand before. Rows of other documents do not matter.
    pub(super) fn turns(
        &mut self,
        input: &Frame,
        ids: &ColumnView<'_>,
    ) -> Result<Vec<String>, Failure> {
        let section = input
            .has("section")
            .then(|| input.column("section"))
            .transpose()?;
        Ok((0..ids.len())
            .map(|row| {
                let section = section.as_ref().and_then(|column| column.text(row));
                let section = section.unwrap_or_default().into_owned();
                let id = ids.text(row).unwrap_or_default().into_owned();
                let turn = self.seen.entry((id, section.clone())).or_default();
                *turn += 1;
                format!("{section}/{}", *turn - 1)
            })
            .collect())
    }
}
