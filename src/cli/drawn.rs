//! What a finished experiment shows: its tables and figures, drawn together and written together.

use std::path::PathBuf;

use super::exit::Error;
use super::figures::{self, DrawnFigure};
use super::reports::{self, Drawn};
use super::run::Finished;
use crate::spec::Spec;

/// The tables and figures of one experiment.
pub(super) struct Shown {
    pub(super) tables: Vec<Drawn>,
    pub(super) figures: Vec<DrawnFigure>,
}

impl Shown {
    /// Draws what has a result.
    pub(super) fn draw(spec: &Spec, finished: &Finished) -> Result<Self, Error> {
        Ok(Self {
            tables: reports::draw(spec, finished)?,
            figures: figures::figures(spec, finished)?,
        })
    }

    /// Writes all of it, and the rows that are exported; hands back the files of rows.
    pub(super) fn write(&self, spec: &Spec, finished: &Finished) -> Result<Vec<PathBuf>, Error> {
        let exported = reports::write(spec, &self.tables, finished)?;
        figures::write(spec, &self.figures)?;
        Ok(exported)
    }

    /// Whether there is anything to see.
    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.figures.is_empty()
    }
}
