//! What is done to the rows of a figure before they are drawn.

use serde::Serialize;

use super::bins::bins;
use super::calibration::calibration;
use super::pairs::{agreement, fit};
use super::shares::shares;
use super::values::values;
use super::{Figure, Made};
use crate::base::failure::Failure;

/// What is done to the rows of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Each row is shown.
    Not,
    /// How often each value occurs.
    Values,
    /// How many values lie in each of about so many bins.
    Bins(u32),
    /// How often each pair of numbers occurs, and the straight line of least squares through them.
    Fit,
    /// How often each pair of numbers occurs, their mean difference and the limits of agreement.
    Agreement,
    /// How often each label occurs, as a share of all rows of its place.
    Shares,
    /// How often each label meets each other, as a share of all rows of its line.
    Matrix,
    /// How often what was predicted came true, in so many bins from 0 to 1.
    Calibration(u32),
}

impl Counted {
    /// Whether rows are counted by labels, so that their values need not be numbers.
    pub(super) fn is_of_labels(self) -> bool {
        matches!(self, Self::Shares | Self::Matrix)
    }

    /// The rows that are shown.
    pub(super) fn of(self, rows: Vec<Made>, figure: &Figure) -> Result<Vec<Made>, Failure> {
        let lines = figure.panels.len() + figure.y.len();
        Ok(match self {
            Self::Not => rows,
            Self::Values => values(rows),
            Self::Bins(about) => bins(rows, about),
            Self::Fit => {
                let fits = fit(&rows, lines);
                values(rows).into_iter().chain(fits).collect()
            }
            Self::Agreement => {
                let agreement = agreement(&rows, lines)?;
                values(rows).into_iter().chain(agreement).collect()
            }
            Self::Shares => shares(rows, lines + figure.x.len()),
            Self::Matrix => shares(rows, lines),
            Self::Calibration(bins) => calibration(rows, lines, bins)?,
        })
    }
}
