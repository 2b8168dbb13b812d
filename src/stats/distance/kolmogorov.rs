//! The Kolmogorov–Smirnov distance of two samples: the largest gap between their empirical distributions.

use std::f64::consts::PI;

use super::{Value, sorted, too_few};
use crate::stats::rank::same;
use crate::stats::{Code, NoValue};

/// The most pairs of values, one of each sample, for which the exact p-value is computed.
pub const MOST_FOR_EXACT: usize = 10_000_000;

/// The distance with its p-values.
#[derive(Clone, Debug, PartialEq)]
pub struct Kolmogorov {
    /// The largest gap.
    pub d: f64,
    /// The share of all splits of the observed values, ties as they are, that give a gap as large.
    pub p_exact: Value,
    /// Kolmogorov's limit for large samples.
    pub p_asymptotic: f64,
}

/// Compares two samples (A. N. Kolmogorov 1933; N. V. Smirnov, Annals of Mathematical Statistics 19, 1948).
pub fn kolmogorov(a: &[f64], b: &[f64]) -> Result<Kolmogorov, NoValue> {
    if a.is_empty() || b.is_empty() {
        return Err(too_few("a sample is empty"));
    }
    let (n1, n2) = (a.len(), b.len());
    // Gaps are compared as whole numbers of 1/(n1·n2).
    let steps = steps(&sorted(a), &sorted(b));
    let gap = |(i, j): (usize, usize)| (i * n2).abs_diff(j * n1);
    let largest = steps.iter().copied().map(gap).max().unwrap_or(0);
    let d = largest as f64 / (n1 as f64 * n2 as f64);
    let effective = n1 as f64 * n2 as f64 / (n1 + n2) as f64;
    Ok(Kolmogorov {
        d,
        p_exact: exact(&steps, n1, n2, largest),
        p_asymptotic: limit(effective.sqrt() * d),
    })
}

/// How many values of each sample lie at or below each distinct value.
fn steps(a: &[f64], b: &[f64]) -> Vec<(usize, usize)> {
    let (mut i, mut j) = (0, 0);
    let mut steps = Vec::new();
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(a), Some(b)) => a.min(*b),
            (Some(next), None) | (None, Some(next)) => *next,
            (None, None) => break,
        };
        i += a[i..]
            .iter()
            .take_while(|value| same(**value, next))
            .count();
        j += b[j..]
            .iter()
            .take_while(|value| same(**value, next))
            .count();
        steps.push((i, j));
    }
    steps
}

/// The probability that a random split of the values has a gap of at least `largest` at some distinct value.
///
/// A split is a path from (0, 0) to (n1, n2); the path is looked at where a run of tied values ends. For each place the
/// probability that the rest of the path comes to such a gap is a mean of those of the next places: nothing is subtracted.
fn exact(steps: &[(usize, usize)], n1: usize, n2: usize, largest: usize) -> Value {
    if n1
        .checked_mul(n2)
        .is_none_or(|pairs| pairs > MOST_FOR_EXACT)
    {
        let why = format!("samples of {n1} and {n2} are too large for all their splits");
        return Err(NoValue::new(Code::TooMany, why));
    }
    if largest == 0 {
        return Ok(1.0);
    }
    let all = n1 + n2;
    let mut looked_at = vec![false; all + 1];
    for (i, j) in steps {
        looked_at[i + j] = true;
    }
    // By j, of the row i + 1 above it.
    let mut above = vec![0.0; n2 + 1];
    for i in (0..=n1).rev() {
        for j in (0..=n2).rev() {
            let left = (all - i - j) as f64;
            let far = (i * n2).abs_diff(j * n1) >= largest;
            above[j] = if far && looked_at[i + j] {
                1.0
            } else if i == n1 && j == n2 {
                0.0
            } else {
                let down = if i < n1 {
                    (n1 - i) as f64 / left * above[j]
                } else {
                    0.0
                };
                let right = if j < n2 {
                    (n2 - j) as f64 / left * above[j + 1]
                } else {
                    0.0
                };
                down + right
            };
        }
    }
    Ok(above[0].min(1.0))
}

/// 2·Σ(−1)^(k−1)·exp(−2k²x²), and for small x the same function by its other series (W. Feller, Annals of Mathematical
/// Statistics 19, 1948); `statrs` lacks it.
fn limit(x: f64) -> f64 {
    if x < 1e-3 {
        return 1.0;
    }
    let terms = 1..=20_i32;
    let p: f64 = if x < 1.0 {
        let term = |k: i32| (-f64::from(2 * k - 1).powi(2) * PI * PI / (8.0 * x * x)).exp();
        1.0 - (2.0 * PI).sqrt() / x * terms.map(term).sum::<f64>()
    } else {
        let sign = |k: i32| if k % 2 == 1 { 2.0 } else { -2.0 };
        let term = |k: i32| sign(k) * (-2.0 * f64::from(k * k) * x * x).exp();
        terms.map(term).sum()
    };
    p.clamp(0.0, 1.0)
}
