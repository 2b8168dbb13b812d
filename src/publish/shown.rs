//! What a finished experiment shows: its tables and figures, drawn when somebody looks at them.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::figures::{self, DrawnFigure};
use super::idle_labels;
use super::seal::Fingerprint;
use super::tables::{self, Drawn};
use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::engine::Finished;
use crate::output::report::html;
use crate::spec::Spec;

/// The tables and figures of one experiment.
pub(crate) struct Shown<'r> {
    of: (&'r Spec, &'r Finished),
    drawn: OnceLock<Pictures>,
    outline: Outline,
}

/// The same, drawn.
pub(crate) struct Pictures {
    pub(crate) tables: Vec<Drawn>,
    pub(crate) figures: Vec<DrawnFigure>,
    /// Labels and orders that miss their values, in sentences.
    idle_labels: Vec<String>,
}

/// What is known of tables and figures without drawing them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outline {
    pub(crate) tables: Vec<TableOutline>,
    figures: usize,
    /// Labels and orders that miss their values, in sentences.
    pub(crate) idle_labels: Vec<String>,
    /// A digest of how all of them look.
    pub(super) looks: Digest,
}

/// What is known of a table without drawing it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TableOutline {
    /// The ablation it belongs to; empty for the experiment itself.
    pub(crate) variant: String,
    pub(crate) name: String,
    pub(crate) cells: usize,
    /// How many of the cells have no value.
    pub(crate) without: usize,
}

impl<'r> Shown<'r> {
    /// Draws what has a result.
    pub(crate) fn draw(spec: &'r Spec, finished: &'r Finished) -> Result<Self, Error> {
        let drawn = Pictures::draw(spec, finished)?;
        Ok(Self {
            of: (spec, finished),
            outline: drawn.outline(),
            drawn: OnceLock::from(drawn),
        })
    }

    /// What looks as an earlier run saw it, which was of the same.
    pub(super) fn as_before(spec: &'r Spec, finished: &'r Finished, outline: Outline) -> Self {
        Self {
            of: (spec, finished),
            drawn: OnceLock::new(),
            outline,
        }
    }

    /// What is known without drawing anything.
    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// All of it, drawn by now.
    pub(crate) fn pictures(&self) -> Result<&Pictures, Error> {
        if let Some(drawn) = self.drawn.get() {
            return Ok(drawn);
        }
        let drawn = Pictures::draw(self.of.0, self.of.1)?;
        Ok(self.drawn.get_or_init(|| drawn))
    }

    /// Whether there is anything to see.
    pub(crate) fn is_empty(&self) -> bool {
        self.outline.tables.is_empty() && self.outline.figures == 0
    }
}

impl Pictures {
    fn draw(spec: &Spec, finished: &Finished) -> Result<Self, Error> {
        let read = finished.run.tables.read()?;
        Ok(Self {
            tables: tables::draw(spec, finished, &read)?,
            figures: figures::figures(spec, finished, &read)?,
            idle_labels: idle_labels::sentences(spec, finished, &read),
        })
    }

    fn outline(&self) -> Outline {
        let mut looks = Fingerprint::default();
        for table in &self.tables {
            looks.add(html::render(&table.grid));
        }
        for figure in &self.figures {
            looks.add(&figure.drawing.svg);
        }
        let table = |table: &Drawn| TableOutline {
            variant: table.variant.clone(),
            name: table.name.clone(),
            cells: table.cells.len(),
            without: table
                .cells
                .iter()
                .filter(|cell| cell.value.is_none())
                .count(),
        };
        Outline {
            tables: self.tables.iter().map(table).collect(),
            figures: self.figures.len(),
            idle_labels: self.idle_labels.clone(),
            looks: looks.digest(),
        }
    }
}
