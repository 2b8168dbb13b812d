//! Shares: how many of n, with an interval that stays between 0 and 1.
//!
//! This file must not decide what counts as a hit.

use serde::Serialize;

use super::interval::check_level;
use super::{Interval, Sides, StatsError, normal_critical};

/// A share with the counts it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// How many were counted.
    pub hits: u64,
    /// Out of how many.
    pub n: u64,
    /// hits / n, from 0 to 1; `None` of none.
    pub share: Option<f64>,
    /// Wilson interval; `None` of none.
    pub interval: Option<Interval>,
}

/// The share of `hits` among `n` with its Wilson interval.
///
/// An error where there are more hits than trials or the level is not between 0 and 1.
pub fn share(hits: u64, n: u64, level: f64) -> Result<Share, StatsError> {
    check_level(level)?;
    if hits > n {
        return Err(StatsError::MoreHitsThanTrials { hits, n });
    }
    Ok(Share {
        hits,
        n,
        share: (n > 0).then(|| hits as f64 / n as f64),
        interval: wilson(hits, n, level),
    })
}

/// Wilson's score interval without continuity correction (E. B. Wilson, JASA 22, 1927): all π with
/// |p - π| ≤ z·√(π(1 - π)/n), where p = hits/n and z is the two-sided normal critical value.
///
/// `None` for n = 0, hits above n, or a level not strictly between 0 and 1.
pub fn wilson(hits: u64, n: u64, level: f64) -> Option<Interval> {
    if n == 0 || hits > n {
        return None;
    }
    let z = normal_critical(level, Sides::Two)?;
    let (trials, p) = (n as f64, hits as f64 / n as f64);
    let spread = p * ((n - hits) as f64 / trials);
    // The ends are the roots of (1 + w)π² - (2p + w)π + p² = 0 with w = z²/n; both are written
    // without a difference of near-equal numbers, so a rare event keeps its digits.
    let w = z * z / trials;
    let upper_sum = 2.0 * p + w + (w * (4.0 * spread + w)).sqrt();
    let low = if hits == 0 {
        0.0
    } else {
        2.0 * p * p / upper_sum
    };
    let high = if hits == n {
        1.0
    } else {
        (upper_sum / (2.0 * (1.0 + w))).min(1.0)
    };
    Interval::new(low.min(p), high.max(p), level)
}
