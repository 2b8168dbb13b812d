//! What the stage does: rows that are known already are not asked about, and the others are put together with them.

use super::answer::Answer;
use super::drive::{Drive, Told};
use super::row::Row;
use super::{Scorer, table};
use crate::base::failure::Failure;
use crate::stage::asking::Expected;
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::{Missing, Output};

impl Compute for Scorer {
    /// With metrics, a row for each row and metric: the columns of the input without `text`, what the program gives, then
    /// `metric`, `score`, `label` where the scale has labels, `unscored`, `detail` and
    /// `explanation`. Without, the rows of the input with what it gives.
    ///
    /// # Errors
    /// A missing column, a program that cannot be started, that says something else than it should, or dies too often.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let input = inputs.one()?;
        if let Some(name) = self.adds().find(|name| input.has(name)) {
            return Err(Failure::new(format!(
                "the rows have a column `{name}`, which `scorer` adds"
            ))
            .hint("rename or drop it in a `derive` stage"));
        }
        let mut rows: Vec<Option<Row>> = Vec::with_capacity(input.rows());
        let mut asked = Vec::new();
        for row in 0..input.rows() {
            match self.asked(input, row)? {
                Err(why) => rows.push(Some(Row::Absent(why))),
                Ok(one) => {
                    let kept = world.recall(&one.key)?;
                    let kept = kept.and_then(|line| Answer::read(&line).ok());
                    if kept.is_none() {
                        asked.push(one);
                    }
                    rows.push(kept.map(|kept| Row::Answered(Box::new(kept))));
                }
            }
        }
        let mut warnings = Vec::new();
        if !asked.is_empty() {
            if self.program.command.is_empty() {
                return Err(self.program.not_started("scorer"));
            }
            let told = Drive::new(self, world, &asked).all(&mut warnings)?;
            for (asked, told) in asked.iter().zip(told) {
                rows[asked.row] = Some(match told {
                    Told::Answer(answer) => Row::Answered(answer),
                    Told::Failed(why) => Row::Failed(why),
                });
            }
        }
        let rows = rows.into_iter().map(|row| {
            row.ok_or_else(|| Failure::new("the program was asked about fewer rows than there are"))
        });
        let mut output = table::of(self, input, &rows.collect::<Result<Vec<_>, _>>()?)?;
        output.warnings.splice(0..0, warnings);
        Ok(output)
    }

    fn expected(&self) -> Option<Expected> {
        let scores = !self.metrics.is_empty();
        Some(Expected {
            what: Missing::Unscored,
            // A row that fails is too much in any case.
            limit: if scores { self.max_unscored } else { 1.0 },
            parts: self.metrics.len().max(1) as u64,
        })
    }
}
