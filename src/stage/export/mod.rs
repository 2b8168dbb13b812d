//! `export`: rows as a file for other programs.

mod check;
mod contract;
mod raw;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::frame::{ColumnData, Frame};
use crate::stage::contract::{Compute, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::pile::Pile;
use crate::stage::{Output, StageName};

/// A file format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Parquet.
    #[default]
    Parquet,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Jsonl,
}

/// Writes rows to a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Export {
    /// The stages to read; their rows are taken together.
    #[serde(skip)]
    pub from: Vec<StageName>,
    /// The columns, in this order; all, if none are named.
    pub columns: Vec<String>,
    /// How the file is written.
    #[serde(skip)]
    pub format: ExportFormat,
}

impl Compute for Export {
    /// The rows of the stages read, with the columns asked for. Where several stages are read, `stage` says
    /// which a row is from.
    ///
    /// # Errors
    /// A column that is not there.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        if inputs.is_long() {
            return self.of_long(inputs, world);
        }
        let inputs = inputs.by_stage(&self.reads())?;
        let mut frames = Vec::new();
        for (name, frame) in &inputs {
            let mut frame = frame.clone();
            if inputs.len() > 1 {
                let rows = frame.rows();
                let stages = std::iter::repeat_n(name.to_string(), rows);
                frame = frame.with_column("stage", ColumnData::text(stages))?;
            }
            frames.push(frame);
        }
        let rows = Frame::stack(&frames)?;
        if self.columns.is_empty() {
            return Ok(Output::of(rows));
        }
        self.chosen(&rows).map(Output::of)
    }

    /// Whether it asks for the parts of a table: several tables have to be put together.
    fn in_parts(&self) -> bool {
        self.from.len() == 1
    }
}

impl Export {
    /// The rows of one long table.
    fn of_long(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        if self.columns.is_empty() && world.may_hand_on() {
            world.hand_on();
            return Ok(Output::of(Frame::joined(&[])?));
        }
        let mut pile = Pile::new(world);
        for part in inputs.parts() {
            if world.is_stopped() {
                return Err(Failure::new("stopped"));
            }
            let part = part?;
            pile.push(match &self.columns[..] {
                [] => part.into_owned(),
                _ => self.chosen(&part)?,
            })?;
        }
        pile.end().map(Output::of)
    }

    /// The columns asked for.
    fn chosen(&self, rows: &Frame) -> Result<Frame, Failure> {
        rows.select(&self.columns).map_err(|error| {
            let names: Vec<String> = self.from.iter().map(ToString::to_string).collect();
            Failure::from(error).hint(format!("the columns come from {}", list_of(&names)))
        })
    }
}
