//! `export`: rows as a file for other programs.

use serde::Serialize;

use super::{Failure, Output, StageName};
use crate::frame::Frame;
use crate::spec::ExportFormat;
use crate::wording::list_of;

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

impl Export {
    /// The rows of `input`, with the columns asked for.
    ///
    /// # Errors
    /// A column that is not there.
    pub fn run(&self, input: &Frame) -> Result<Output, Failure> {
        if self.columns.is_empty() {
            return Ok(Output::of(input.clone()));
        }
        let frame = input.select(&self.columns).map_err(|error| {
            let names: Vec<String> = self.from.iter().map(ToString::to_string).collect();
            Failure::from(error).hint(format!("the columns come from {}", list_of(&names)))
        })?;
        Ok(Output::of(frame))
    }
}
