//! What is known of the stages of a spec while they are checked one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::names::Names;
use crate::frame::Scalar;
use crate::stage::{Judge, Stage, StageName};
use crate::stats::measure::Measure;

/// Values that parameters take in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its name: a column in every table below the stage it sets.
    pub name: String,
    /// What its values are called, in order.
    pub values: Vec<Scalar>,
}

/// A stage with one variant per combination of the axes that set it.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The axes that set this stage's own parameters.
    pub axes: Vec<usize>,
    /// The axes that reach it: its own, and those of what it reads but for what it gathers.
    pub reach: BTreeSet<usize>,
    /// The axes whose values become columns here: its own, of a stage that puts tables together those that reach some of
    /// them only, and of one that makes groups all.
    pub labels: Vec<usize>,
    /// The stage under each combination of its own axes.
    pub variants: BTreeMap<Vec<usize>, Arc<Stage>>,
}

/// Which columns tell the rows of a stage's results apart, and what they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowShape {
    /// Axes that reach the stage and the columns that group its rows, in order.
    pub(crate) groups: Vec<String>,
    /// For statistics: the columns that hold them.
    pub(crate) statistics: Vec<String>,
    /// The column with the values, if it is known which it is.
    pub(crate) value: Option<&'static str>,
    /// For statistics: the measure that they are of.
    pub(crate) measure: Option<&'static Measure>,
}

/// What is known of the stages checked so far.
pub(crate) struct Known<'k> {
    /// The axes of the experiment.
    pub(crate) axes: &'k [Axis],
    pub(crate) names: &'k Names,
    pub(crate) shapes: BTreeMap<StageName, RowShape>,
    pub(crate) declared: BTreeMap<StageName, Declared>,
}

impl Known<'_> {
    /// Whether everything read is free of mistakes, so that its columns are known.
    pub(crate) fn knows(&self, reads: &[StageName]) -> bool {
        reads.iter().all(|name| self.shapes.contains_key(name))
    }

    /// A judge under one combination of axis values.
    pub(crate) fn judge(&self, name: &StageName, combo: &[usize]) -> Option<&Judge> {
        let declared = self.declared.get(name)?;
        let own: Vec<usize> = declared.axes.iter().map(|&axis| combo[axis]).collect();
        match &**declared.variants.get(&own)? {
            Stage::Judge(judge) => Some(judge),
            _ => None,
        }
    }
}
