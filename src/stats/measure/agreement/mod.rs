//! Agreement of raters, of a judge with the truth, and of two measurements.

mod classes;
mod coefficients;
mod gathered;
mod icc;
mod limits;
mod pairs;

use super::Measure;

/// The measures of this family.
pub(super) const ALL: &[&Measure] = &[
    &coefficients::AGREEMENT,
    &pairs::AGREEMENT_PAIRS,
    &pairs::CEILING,
    &icc::ICC,
    &classes::CLASSIFICATION,
    &classes::CLASSES,
    &classes::CONFUSION,
    &limits::BLAND_ALTMAN,
];
