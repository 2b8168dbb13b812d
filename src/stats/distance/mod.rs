//! Distances between samples, and shapes of one sample.
//!
//! | file | what it computes |
//! |---|---|
//! | `kolmogorov` | the Kolmogorov–Smirnov distance with exact and asymptotic p-values |
//! | `mover` | the earth mover's distance, plain and centred |
//! | `anderson` | the Anderson–Darling statistic of several samples |
//! | `shape` | quantiles, the median absolute deviation, bipolarization |
//!
//! What does not exist is a reason, never NaN or 0. The order of values cannot reach a result.

mod anderson;
mod kolmogorov;
mod mover;
mod shape;

pub use anderson::{AndersonDarling, anderson_darling, anderson_darling_p};
pub use kolmogorov::{Kolmogorov, MOST_FOR_EXACT as KS_MOST_FOR_EXACT, kolmogorov};
pub use mover::{Mover, earth_mover};
pub(in crate::stats) use shape::of_sorted;
pub use shape::{Ends, bipolarization, mad, quantile};

use super::{Code, NoValue};

/// A number, or why there is none.
pub type Value = Result<f64, NoValue>;

fn too_few(why: &str) -> NoValue {
    NoValue::new(Code::TooFew, why)
}

/// The values in ascending order; zero has no sign.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}
