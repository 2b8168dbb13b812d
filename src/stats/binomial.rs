//! Tails of the binomial distribution.
//!
//! This file must not know what is counted.

use super::Tail;
use super::beta::beta_below;

/// The probability of at most `hits` of `n` where each has probability `p`, which lies strictly between 0 and 1;
/// none where the beta function does not settle.
pub(super) fn at_most(hits: u64, n: u64, p: f64) -> Option<f64> {
    if hits >= n {
        return Some(1.0);
    }
    beta_below((n - hits) as f64, hits as f64 + 1.0, 1.0 - p, p)
}

/// The probability of at least `hits`.
pub(super) fn at_least(hits: u64, n: u64, p: f64) -> Option<f64> {
    if hits == 0 {
        return Some(1.0);
    }
    beta_below(hits as f64, (n - hits) as f64 + 1.0, p, 1.0 - p)
}

/// The p-value of `hits` of `n` where each is as likely as not; two-sided it is twice the smaller tail.
pub(super) fn even_p(hits: u64, n: u64, tail: Tail) -> Option<f64> {
    match tail {
        // No less than the half on either side.
        Tail::TwoSided if hits.abs_diff(n - hits) <= 1 => Some(1.0),
        Tail::TwoSided => Some((2.0 * at_most(hits.min(n - hits), n, 0.5)?).min(1.0)),
        Tail::Greater => at_least(hits, n, 0.5),
        Tail::Less => at_most(hits, n, 0.5),
    }
}

/// The two-sided mid-p value: the probability of exactly `hits` is taken off the p-value, half of it where half of `n` are hits.
pub(super) fn even_mid_p(hits: u64, n: u64) -> Option<f64> {
    let fewer = hits.min(n - hits);
    let upto = at_most(fewer, n, 0.5)?;
    let below = match fewer.checked_sub(1) {
        Some(less) => at_most(less, n, 0.5)?,
        None => 0.0,
    };
    if 2 * fewer == n {
        return Some(1.0 - (upto - below) / 2.0);
    }
    Some(upto + below)
}
