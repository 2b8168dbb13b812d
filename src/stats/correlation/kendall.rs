//! Kendall's rank correlation with ties.

use super::pearson::{constant, is_constant};
use super::{Ends, Value, fisher_interval};
use crate::stats::Tail;
use crate::stats::normal::normal_p;
use crate::stats::{Code, NoValue};

/// The most pairs of which the distribution of inversions is computed; 1/171! is below the smallest double.
pub const MOST_FOR_EXACT: usize = 170;

/// Kendall's tau-b with its counts and tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Kendall {
    /// Pairs of rows that both columns order the same way.
    pub concordant: u64,
    /// Pairs of rows that they order oppositely.
    pub discordant: u64,
    /// Pairs of rows that are tied in the first column.
    pub tied_x: u64,
    /// Pairs of rows that are tied in the second one.
    pub tied_y: u64,
    /// Pairs of rows that are tied in both.
    pub tied_both: u64,
    /// (C − D)/√((n₀ − Tx)(n₀ − Ty)).
    pub tau: Value,
    /// Two-sided, of the normal approximation.
    pub p: Value,
    /// Two-sided, of the distribution of inversions; without ties only.
    pub p_exact: Value,
}

/// The interval tanh(atanh τ ± z·√(0.437/(n − 4))) (D. G. Bonett and T. A. Wright, Psychometrika 65, 2000, after E. C. Fieller
/// and others, Biometrika 44, 1957), an approximation for |τ| < 0.8 and few ties.
pub fn kendall_interval(tau: f64, n: usize, level: f64) -> Ends {
    fisher_interval(tau, n, level, 4, 0.437)
}

/// Sizes of the groups of tied values, summed up as the variance asks for.
#[derive(Clone, Copy, Default)]
struct Ties {
    /// Σt(t − 1)/2.
    pairs: u64,
    /// Σt(t − 1)(t − 2).
    triples: u128,
    /// Σt(t − 1)(2t + 5).
    weighted: u128,
}

impl Ties {
    fn of(groups: impl Iterator<Item = usize>) -> Self {
        let mut ties = Self::default();
        for size in groups.filter(|&size| size > 1) {
            let t = size as u128;
            ties.pairs += (t * (t - 1) / 2) as u64;
            ties.triples += t * (t - 1) * (t - 2);
            ties.weighted += t * (t - 1) * (2 * t + 5);
        }
        ties
    }
}

/// Kendall's tau-b (M. G. Kendall, Biometrika 33, 1945), counted in n·log n (W. R. Knight, JASA 61, 1966).
///
/// `p` is that of (C − D)/σ with the variance that is corrected for ties (Kendall, "Rank correlation methods", 4.3), without
/// correction for continuity; `p_exact` doubles the tail of the number of inversions and is for at most [`MOST_FOR_EXACT`]
/// pairs without ties.
pub fn kendall(x: &[f64], y: &[f64]) -> Kendall {
    // Zero has no sign.
    let mut pairs: Vec<(f64, f64)> = x.iter().zip(y).map(|(x, y)| (x + 0.0, y + 0.0)).collect();
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let in_x = Ties::of(pairs.chunk_by(|a, b| same(a.0, b.0)).map(<[_]>::len));
    let in_both = Ties::of(
        pairs
            .chunk_by(|a, b| same(a.0, b.0) && same(a.1, b.1))
            .map(<[_]>::len),
    );
    let mut second: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let discordant = inversions(&mut second);
    let in_y = Ties::of(second.chunk_by(|a, b| same(*a, *b)).map(<[_]>::len));
    let n = pairs.len() as u64;
    let all = n * n.saturating_sub(1) / 2;
    let concordant = all + in_both.pairs - in_x.pairs - in_y.pairs - discordant;
    let mut result = Kendall {
        concordant,
        discordant,
        tied_x: in_x.pairs,
        tied_y: in_y.pairs,
        tied_both: in_both.pairs,
        tau: Err(NoValue::new(
            Code::TooFew,
            format!("{n} complete pairs; it takes 2"),
        )),
        p: Err(NoValue::new(
            Code::TooFew,
            format!("{n} complete pairs; it takes 3"),
        )),
        p_exact: Err(NoValue::new(
            Code::TooFew,
            format!("{n} complete pairs; it takes 2"),
        )),
    };
    if n < 2 {
        return result;
    }
    for column in [x, y] {
        if is_constant(column) {
            let why = constant(column);
            (result.tau, result.p, result.p_exact) = (Err(why.clone()), Err(why.clone()), Err(why));
            return result;
        }
    }
    let score = concordant as f64 - discordant as f64;
    let (free_x, free_y) = ((all - in_x.pairs) as f64, (all - in_y.pairs) as f64);
    let tau = if in_x.pairs == in_y.pairs {
        score / free_x
    } else {
        score / (free_x.sqrt() * free_y.sqrt())
    };
    result.tau = Ok(tau.clamp(-1.0, 1.0));
    if n > 2 {
        result.p = Ok(normal_p(
            score / variance(n as f64, in_x, in_y).sqrt(),
            Tail::TwoSided,
        ));
    }
    result.p_exact = exact_p(pairs.len(), discordant, in_x.pairs + in_y.pairs > 0);
    result
}

/// Whether two values are tied; none is negative zero.
fn same(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}

/// The variance of C − D under independence.
fn variance(n: f64, x: Ties, y: Ties) -> f64 {
    let pairs = n * (n - 1.0);
    let untied = pairs * (2.0 * n + 5.0) - x.weighted as f64 - y.weighted as f64;
    let both = 2.0 * x.pairs as f64 * y.pairs as f64 / pairs;
    let triples = x.triples as f64 * y.triples as f64 / (9.0 * pairs * (n - 2.0));
    untied / 18.0 + both + triples
}

/// Twice the smaller tail of the number of inversions of a random order, at most 1.
fn exact_p(n: usize, discordant: u64, tied: bool) -> Value {
    if tied {
        let why = "its distribution is known without ties only";
        return Err(NoValue::new(Code::Ties, why));
    }
    if n > MOST_FOR_EXACT {
        let why = format!("{n} pairs; the exact p is computed for up to {MOST_FOR_EXACT}");
        return Err(NoValue::new(Code::TooMany, why));
    }
    let all = n * (n - 1) / 2;
    let discordant = discordant as usize;
    let most = discordant.min(all - discordant);
    // The probability of each number of inversions up to `most`, element by element: the next one adds 0 to i − 1 of them.
    let mut probability = vec![0.0; most + 1];
    probability[0] = 1.0;
    for i in 2..=n {
        let mut window = 0.0;
        let before = probability.clone();
        for count in 0..=most {
            window += before[count];
            if count >= i {
                window -= before[count - i];
            }
            probability[count] = window / i as f64;
        }
    }
    let tail: f64 = probability.iter().sum();
    Ok((2.0 * tail).min(1.0))
}

/// Sorts `values` and counts the pairs that stood in the wrong order.
fn inversions(values: &mut Vec<f64>) -> u64 {
    let n = values.len();
    let mut other = values.clone();
    let (mut width, mut count) = (1, 0);
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let middle = (start + width).min(n);
            let end = (start + 2 * width).min(n);
            let (mut left, mut right) = (start, middle);
            for place in &mut other[start..end] {
                if left < middle && (right >= end || values[left] <= values[right]) {
                    *place = values[left];
                    left += 1;
                } else {
                    *place = values[right];
                    right += 1;
                    count += (middle - left) as u64;
                }
            }
        }
        std::mem::swap(values, &mut other);
        width *= 2;
    }
    count
}
