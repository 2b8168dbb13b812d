//! What a finished experiment shows: its tables and figures.

use super::figures::{self, DrawnFigure};
use super::tables::{self, Drawn};
use crate::base::exit::Error;
use crate::engine::Finished;
use crate::spec::Spec;

/// The tables and figures of one experiment.
pub(crate) struct Shown {
    pub(crate) tables: Vec<Drawn>,
    pub(crate) figures: Vec<DrawnFigure>,
}

impl Shown {
    /// Draws what has a result.
    pub(crate) fn draw(spec: &Spec, finished: &Finished) -> Result<Self, Error> {
        Ok(Self {
            tables: tables::draw(spec, finished)?,
            figures: figures::figures(spec, finished)?,
        })
    }

    /// Whether there is anything to see.
    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.figures.is_empty()
    }
}
