//! Cohen's kappa.

use std::collections::BTreeMap;

use super::Weights;
use crate::stats::correlation::{Ends, Value};
use crate::stats::{Code, NoValue};
use crate::stats::{Sides, normal_critical};

/// Cohen's kappa of two raters.
#[derive(Clone, Debug, PartialEq)]
pub struct Cohen {
    /// The weighted share of agreement.
    pub observed: Value,
    /// The weighted share that the margins let expect.
    pub expected: Value,
    /// (observed − expected)/(1 − expected).
    pub kappa: Value,
    /// Its standard error.
    pub se: Value,
    /// Its interval, which is not cut to [−1, 1].
    pub interval: Ends,
}

impl Cohen {
    fn without(why: &NoValue) -> Self {
        Self {
            observed: Err(why.clone()),
            expected: Err(why.clone()),
            kappa: Err(why.clone()),
            se: Err(why.clone()),
            interval: Err(why.clone()),
        }
    }
}

/// Cohen's kappa (J. Cohen, Psychological Bulletin 70, 1968) of the labels of two raters, as places among q categories.
///
/// The standard error is the one for any kappa, not that under independence (J. L. Fleiss, J. Cohen and B. S. Everitt,
/// Psychological Bulletin 72, 1969, equation 8): √(Var φ/n)/(1 − pₑ) with φ = wᵢⱼ − (w̄ᵢ. + w̄.ⱼ)(1 − κ).
pub fn cohen(labels: &[(usize, usize)], q: usize, weights: Weights, level: f64) -> Cohen {
    if labels.is_empty() {
        return Cohen::without(&NoValue::new(Code::TooFew, "no item has a label of both"));
    }
    if let Err(why) = weights.check(q) {
        return Cohen::without(&why);
    }
    let n = labels.len() as f64;
    let mut cells = BTreeMap::<(usize, usize), usize>::new();
    let (mut rows, mut columns) = (vec![0.0; q], vec![0.0; q]);
    for &(row, column) in labels {
        *cells.entry((row, column)).or_default() += 1;
        rows[row] += 1.0;
        columns[column] += 1.0;
    }
    // Sums of counts first, divided last: where they are whole numbers, equal shares are equal to the last bit.
    let over_cells = |of: &dyn Fn(usize, usize) -> f64| -> f64 {
        cells
            .iter()
            .map(|(&(i, j), &count)| of(i, j) * count as f64)
            .sum()
    };
    let observed = over_cells(&|i, j| weights.of(i, j, q)) / n;
    let against_columns = weights.against(&columns);
    let against_rows = weights.against(&rows);
    let products = rows
        .iter()
        .zip(&against_columns)
        .map(|(row, mean)| row * mean);
    let expected = products.sum::<f64>() / (n * n);
    let mut result = Cohen {
        observed: Ok(observed),
        expected: Ok(expected),
        ..Cohen::without(&NoValue::new(
            Code::SingleCategory,
            "both raters use one and the same category",
        ))
    };
    if cells.len() == 1 && cells.keys().all(|(row, column)| row == column) {
        return result;
    }
    let kappa = (observed - expected) / (1.0 - expected);
    result.kappa = Ok(kappa);
    let influence = |i: usize, j: usize| {
        let by_chance = (against_columns[i] + against_rows[j]) / n;
        weights.of(i, j, q) - by_chance * (1.0 - kappa)
    };
    let center = over_cells(&influence) / n;
    let variance = over_cells(&|i, j| (influence(i, j) - center).powi(2)) / n;
    let se = (variance / n).sqrt() / (1.0 - expected);
    result.se = Ok(se);
    result.interval = match normal_critical(level, Sides::Two) {
        Some(z) => Ok((kappa - z * se, kappa + z * se)),
        None => Err(NoValue::new(
            Code::InvalidParameter,
            "the level has no quantile",
        )),
    };
    result
}
