//! Tests on ranks of more than two: Friedman's of the same items, Kruskal and Wallis's of independent samples.

use super::{Value, all_same, all_ties, chi_square_p, ties, too_few};
use crate::stats::NoValue;
use crate::stats::correlation::mid_ranks;
use crate::stats::exact_sum;

/// Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// The statistic, corrected for ties.
    pub chi2: f64,
    /// Columns less one.
    pub df: f64,
    /// The p-value of the chi-square approximation.
    pub p: f64,
    /// Kendall's coefficient of concordance, chi2/(n(k − 1)).
    pub w: f64,
}

/// Tests whether `k` columns are ranked alike over blocks (M. Friedman, JASA 32, 1937; ties after W. J. Conover,
/// Practical Nonparametric Statistics, 1999, section 5.8). All blocks hold `k` values.
pub fn friedman(blocks: &[Vec<f64>], k: usize) -> Result<Friedman, NoValue> {
    if k < 3 {
        return Err(too_few(
            "it takes 3 raters; of 2, Wilcoxon's or the sign test tells",
        ));
    }
    if blocks.len() < 2 {
        return Err(too_few("it takes 2 items that all raters rated"));
    }
    let (n, columns) = (blocks.len() as f64, k as f64);
    // Doubled ranks are whole numbers, so that their sums do not depend on the order of blocks.
    let mut sums = vec![0.0; k];
    let mut tied = 0.0;
    for block in blocks {
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(block)) {
            *sum += 2.0 * rank;
        }
        tied += ties(block);
    }
    let correction = 1.0 - tied / (n * columns * (columns * columns - 1.0));
    if blocks.iter().all(|block| all_same(block)) {
        return Err(all_ties("every item has the same value by all raters"));
    }
    // Around the mean, since the sum of squares less what is expected cancels.
    let mean = n * (columns + 1.0);
    let squares: f64 = sums.iter().map(|sum| (sum - mean) * (sum - mean)).sum();
    let chi2 = 12.0 * (squares / 4.0) / (n * columns * (columns + 1.0)) / correction;
    let df = columns - 1.0;
    Ok(Friedman {
        chi2,
        df,
        p: chi_square_p(chi2, df),
        w: chi2 / (n * df),
    })
}

/// The test of Kruskal and Wallis.
#[derive(Clone, Debug, PartialEq)]
pub struct Kruskal {
    /// The statistic, corrected for ties.
    pub h: f64,
    /// Samples less one.
    pub df: f64,
    /// The p-value of the chi-square approximation.
    pub p: f64,
    /// H/(n − 1), how much of the spread of ranks lies between samples.
    pub epsilon_squared: Value,
}

/// Tests whether independent samples are of one distribution (W. H. Kruskal and W. A. Wallis, JASA 47, 1952; ε² after
/// M. Tomczak and E. Tomczak, Trends in Sport Sciences 21, 2014). Empty samples do not count.
pub fn kruskal_wallis(samples: &[Vec<f64>]) -> Result<Kruskal, NoValue> {
    let samples: Vec<&Vec<f64>> = samples.iter().filter(|it| !it.is_empty()).collect();
    if samples.len() < 2 {
        return Err(too_few("it takes 2 samples that are not empty"));
    }
    let all: Vec<f64> = samples.iter().flat_map(|it| it.iter().copied()).collect();
    let n = all.len() as f64;
    let tied = ties(&all);
    if all_same(&all) {
        return Err(all_ties("all values are the same"));
    }
    let ranks = mid_ranks(&all);
    let mut rest = ranks.as_slice();
    let mut parts = Vec::with_capacity(samples.len());
    for sample in &samples {
        let (own, others) = rest.split_at(sample.len());
        rest = others;
        let count = own.len() as f64;
        let off = own.iter().sum::<f64>() - count * (n + 1.0) / 2.0;
        parts.push(off * off / count);
    }
    let squares = exact_sum(parts).unwrap_or(0.0);
    let h = 12.0 / (n * (n + 1.0)) * squares / (1.0 - tied / (n * (n * n - 1.0)));
    let df = samples.len() as f64 - 1.0;
    Ok(Kruskal {
        h,
        df,
        p: chi_square_p(h, df),
        epsilon_squared: Ok(h / (n - 1.0)),
    })
}
