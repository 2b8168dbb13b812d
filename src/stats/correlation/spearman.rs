//! Spearman's rank correlation.

use super::pearson::{constant, is_constant};
use super::{Ends, Value, fisher_interval, mid_ranks, pearson};
use crate::stats::{Code, NoValue};

/// The most pairs of which all pairings are looked at: 9! = 362,880.
pub const MOST_FOR_EXACT: usize = 9;

/// Spearman's rho: Pearson's r of the mid-ranks (C. Spearman, American Journal of Psychology 15, 1904).
pub fn spearman(x: &[f64], y: &[f64]) -> Value {
    for column in [x, y] {
        if x.len() >= 3 && is_constant(column) {
            return Err(constant(column));
        }
    }
    pearson(&mid_ranks(x), &mid_ranks(y))
}

/// The interval tanh(atanh ρ ± z·√((1 + ρ²/2)/(n − 3))) (D. G. Bonett and T. A. Wright, Psychometrika 65, 2000).
pub fn spearman_interval(rho: f64, n: usize, level: f64) -> Ends {
    fisher_interval(rho, n, level, 3, 1.0 + rho * rho / 2.0)
}

/// The share of all n! pairings whose |ρ| is at least the observed one; for at most [`MOST_FOR_EXACT`] pairs.
///
/// Both signs count by their size. Tools that double the smaller tail differ where ties make the distribution skew.
pub fn spearman_exact_p(x: &[f64], y: &[f64]) -> Value {
    spearman(x, y)?;
    let n = x.len();
    if n > MOST_FOR_EXACT {
        let why = format!("{n} pairs; all pairings are looked at for up to {MOST_FOR_EXACT}");
        return Err(NoValue::new(Code::TooMany, why));
    }
    // Twice a mid-rank is a whole number, so that nothing is rounded.
    let doubled = |values: &[f64]| -> Vec<i64> {
        let ranks = mid_ranks(values);
        ranks.iter().map(|rank| (rank * 2.0) as i64).collect()
    };
    let (x, mut y) = (doubled(x), doubled(y));
    // What Σ(2·rank x)(2·rank y) is where there is no correlation.
    let whole = i64::try_from(n).unwrap_or(i64::MAX);
    let expected = whole * (whole + 1) * (whole + 1);
    let observed: i64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    let mut count = Count {
        at_least: (observed - expected).abs(),
        expected,
        extreme: 0,
        all: 0,
    };
    count.pairings(&x, &mut y, 0);
    Ok(f64::from(count.extreme) / f64::from(count.all))
}

/// Pairings, and those as far from the expected sum as the observed one.
struct Count {
    at_least: i64,
    expected: i64,
    extreme: u32,
    all: u32,
}

impl Count {
    /// Goes through all orders of `y`, of which the first ones are paired already and give `sum`.
    fn pairings(&mut self, x: &[i64], y: &mut [i64], sum: i64) {
        let Some((&first, rest)) = x.split_first() else {
            self.all += 1;
            self.extreme += u32::from((sum - self.expected).abs() >= self.at_least);
            return;
        };
        for index in 0..y.len() {
            y.swap(0, index);
            let sum = sum + first * y[0];
            self.pairings(rest, &mut y[1..], sum);
            y.swap(0, index);
        }
    }
}
