//! Tests on ranks, signs and permutations of few assumptions, and the effect sizes that go with them.
//!
//! | file | what it computes |
//! |---|---|
//! | `tails` | exact distributions of sums of ranks, by dynamic programming |
//! | `signed` | Wilcoxon's signed-rank test |
//! | `split` | the Mann–Whitney test |
//! | `flips` | the permutation test of paired differences |
//! | `counts` | the sign test and McNemar's test |
//! | `groups` | the tests of Friedman and of Kruskal and Wallis |
//! | `effect` | effect sizes of pairs and of two samples |
//!
//! Exact p-values are of the data as they are, ties included. What does not exist is a reason.

mod counts;
mod effect;
mod flips;
mod groups;
mod signed;
mod split;
mod tails;

pub use counts::{McNemar, Signs, mcnemar, sign_test};
pub use effect::{Independent, Paired, independent, paired};
pub use flips::{Flips, MOST_STEPS as MOST_FLIP_STEPS, flip_exact, flip_monte_carlo, flips};
pub use groups::{Friedman, Kruskal, friedman, kruskal_wallis};
pub use signed::{MOST_FOR_EXACT as WILCOXON_MOST_FOR_EXACT, SignedRanks, Zeros, wilcoxon};
pub use split::{Exact, MOST_SPLITS, Split, mann_whitney};
pub use tails::Tails;

use super::{Code, NoValue};
pub(in crate::stats) use crate::stats::steps::same;
pub use crate::stats::steps::{Differences, differences};

/// A number, or why there is none.
pub type Value = Result<f64, NoValue>;

/// The upper tail of the chi-square distribution.
///
/// `statrs` 0.19, against the closed form of 2 degrees of freedom: right to 1e-13 relative for a statistic up to 600.
pub(in crate::stats) fn chi_square_p(statistic: f64, df: f64) -> f64 {
    if statistic <= 0.0 {
        return 1.0;
    }
    statrs::function::gamma::checked_gamma_ur(df / 2.0, statistic / 2.0)
        .unwrap_or(0.0)
        .clamp(0.0, 1.0)
}

pub(super) fn too_few(why: &str) -> NoValue {
    NoValue::new(Code::TooFew, why)
}

fn all_ties(why: &str) -> NoValue {
    NoValue::new(Code::AllTies, why)
}

/// Whether all numbers are equal.
fn all_same(values: &[f64]) -> bool {
    values.windows(2).all(|pair| same(pair[0], pair[1]))
}

/// Σ(t³ − t) over the groups of equal values.
pub(super) fn ties(values: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let groups = sorted.chunk_by(|left, right| left.total_cmp(right).is_eq());
    let sizes = groups.map(|group| group.len() as f64);
    sizes.map(|t| t * (t * t - 1.0)).sum()
}
