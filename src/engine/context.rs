//! Prompts that do not fit into a model's context: known before the first call, and refused where they are too many.

use super::gauge::Gauge;
use crate::base::failure::Failure;
use crate::base::wording::{many, thousands};
use crate::models::spec::ModelSpec;
use crate::stage::{Expected, Rows};

/// How many of a stage's prompts do not fit.
#[derive(Default)]
pub(super) struct TooLong {
    rows: u64,
    of: u64,
    /// The document of the first, and by how much it is too long.
    first: Option<(String, String)>,
}

impl TooLong {
    /// Counts the prompt of a document, and why it does not fit if it does not.
    pub(super) fn add(&mut self, document: impl FnOnce() -> String, how: Option<String>) {
        self.of += 1;
        if let Some(how) = how {
            self.rows += 1;
            self.first.get_or_insert_with(|| (document(), how));
        }
    }

    /// Looks at the prompts of some rows too, if the context is known.
    pub(super) fn look(
        mut self,
        rows: &Rows,
        spec: &ModelSpec,
        gauge: &Gauge,
    ) -> Result<Self, Failure> {
        if spec.context.is_none() {
            return Ok(self);
        }
        let how = rows.each_question(|question| gauge.too_long(spec, question))?;
        for (row, how) in how.into_iter().enumerate() {
            // Rows without a text have no prompt.
            if let Some(how) = how {
                self.add(|| rows.document(row), how);
            }
        }
        Ok(self)
    }

    /// Why the stage is not begun: more prompts do not fit than may be without a score or text.
    pub(super) fn refusal(&self, spec: &ModelSpec, expected: &Expected) -> Option<Failure> {
        let (document, how) = self.first.as_ref()?;
        if self.rows < self.of && self.rows as f64 / self.of as f64 <= expected.limit {
            return None;
        }
        let all = many(self.of, "prompt");
        let what = match (self.rows, self.of) {
            (_, 1) => "the only prompt does not fit".to_owned(),
            (rows, of) if rows == of => format!("none of {all} fits"),
            (1, _) => format!("1 of {all} does not fit"),
            (rows, _) => format!("{} of {all} do not fit", thousands(rows)),
        };
        let first = match self.rows {
            1 => format!("`{document}`"),
            _ => format!("the first, `{document}`,"),
        };
        let allowed = match expected.what.parameter() {
            Some(parameter) if expected.limit < 1.0 && self.rows < self.of => format!(
                ", or allow it with `{parameter}`, which is {} here",
                expected.limit
            ),
            _ => String::new(),
        };
        Some(
            Failure::new(format!(
                "{what} into the context of `{}`: {first} has {how}",
                spec.name
            ))
            .hint(format!(
                "cut the documents with a `truncate` or `split` stage, take a model with a longer `context`{allowed}"
            )),
        )
    }
}
