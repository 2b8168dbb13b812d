//! Comparisons of two: who wins how often, who is stronger, and whether the judge is swayed by order or length.

mod cycles;
mod half;
mod length;
mod position;
mod read;
mod strengths;
mod win_rate;

use super::Measure;

/// The measures of this family.
pub(super) const ALL: &[&Measure] = &[
    &win_rate::WIN_RATE,
    &position::POSITION,
    &strengths::BRADLEY_TERRY,
    &strengths::DAVIDSON,
    &cycles::TRANSITIVITY,
    &length::LENGTH_CONTROLLED,
];
