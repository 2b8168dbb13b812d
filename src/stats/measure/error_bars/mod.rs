//! Means with the error bars that clusters and repeats ask for, and what a comparison could find.

mod bootstrap;
mod clustered;
mod power;
mod variance;

use super::Measure;

/// The measures of this family.
pub(super) const ALL: &[&Measure] = &[
    &clustered::MEAN,
    &clustered::DIFFERENCE,
    &variance::VARIANCE,
    &power::POWER,
    &bootstrap::BOOTSTRAP,
];
