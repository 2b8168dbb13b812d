//! Tests on ranks, signs and permutations, with their effect sizes.

mod pairs;
mod several;
mod two;

use super::Measure;

/// The measures of this folder.
pub(super) const ALL: &[&Measure] = &[
    &pairs::WILCOXON,
    &pairs::SIGN,
    &pairs::PERMUTATION,
    &pairs::MCNEMAR,
    &pairs::EFFECT_SIZE,
    &two::MANN_WHITNEY,
    &two::EFFECT_SIZE_INDEPENDENT,
    &several::FRIEDMAN,
    &several::KRUSKAL_WALLIS,
];
