//! Correlations: how well two columns of numbers go together, and how well that is known.
//!
//! | file | what it computes |
//! |---|---|
//! | `pearson` | Pearson's r, its p-value and the interval after Fisher |
//! | `rank` | mid-ranks |
//! | `spearman` | Spearman's rho, with an exact p-value for tiny n |
//! | `kendall` | Kendall's tau-b, with an exact p-value where nothing is tied |
//! | `dependent` | two correlations with one and the same column, compared |
//! | `levels` | correlations over systems, within items, within systems and over all rows |
//! | `pairwise` | pairwise accuracy with ties |
//!
//! A coefficient that does not exist is a reason, never NaN or 0. The order of the rows cannot reach a result.

mod dependent;
mod kendall;
mod levels;
mod pairwise;
mod pearson;
mod rank;
mod spearman;

pub use dependent::{Dependent, dependent};
pub use kendall::{Kendall, MOST_FOR_EXACT as KENDALL_MOST_FOR_EXACT, kendall, kendall_interval};
pub use levels::{Levels, Row, levels};
pub use pairwise::{MOST_PAIRS, Pairwise, pairwise};
pub use pearson::{Ends, fisher_interval, pearson, pearson_interval, r_p};
pub use rank::mid_ranks;
pub use spearman::{
    MOST_FOR_EXACT as SPEARMAN_MOST_FOR_EXACT, spearman, spearman_exact_p, spearman_interval,
};

use super::NoValue;

/// A number, or why there is none.
pub type Value = Result<f64, NoValue>;

/// Which coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// Pearson's r.
    Pearson,
    /// Spearman's rho.
    Spearman,
    /// Kendall's tau-b.
    Kendall,
}

impl Coefficient {
    /// The coefficient of paired columns.
    pub fn of(self, x: &[f64], y: &[f64]) -> Value {
        match self {
            Self::Pearson => pearson(x, y),
            Self::Spearman => spearman(x, y),
            Self::Kendall => kendall(x, y).tau,
        }
    }
}
