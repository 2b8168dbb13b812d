//! What one sample looks like: quantiles, the median absolute deviation, and how much of it lies at both ends of a scale.

use super::{Value, sorted, too_few};
use crate::stats::{Code, NoValue};

/// The quantile of a share from 0 to 1: between the two values around 1 + share·(n − 1), in proportion (type 7 of
/// R. J. Hyndman and Y. Fan, The American Statistician 50, 1996).
pub fn quantile(values: &[f64], share: f64) -> Value {
    of_sorted(&sorted(values), share).ok_or_else(|| too_few("there is no value"))
}

/// The same of values that rise; none of none.
pub(in crate::stats) fn of_sorted(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor();
    let (low, high) = (
        sorted[below as usize],
        sorted[(below as usize + 1).min(last)],
    );
    let weight = place - below;
    // Weighed one by one, since their difference may be too large for a number.
    let between = low * (1.0 - weight) + high * weight;
    Some(between.clamp(low, high))
}

/// The median of the distances from the median, unscaled.
pub fn mad(values: &[f64]) -> Value {
    let median = quantile(values, 0.5)?;
    let off: Vec<f64> = values.iter().map(|value| (value - median).abs()).collect();
    if off.iter().any(|distance| !distance.is_finite()) {
        return Err(NoValue::new(
            Code::Undefined,
            "the values are too far apart for a number",
        ));
    }
    quantile(&off, 0.5)
}

/// How much of a sample lies at both ends of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The share at most k above the lower end.
    pub low: f64,
    /// The share at most k below the upper end.
    pub high: f64,
    /// 4·low·high: 1 where each end has half, 0 where an end has none.
    pub bipolarization: f64,
}

/// Both shares for a distance k from the ends, which must leave something between them.
pub fn bipolarization(values: &[f64], [min, max]: [f64; 2], k: f64) -> Result<Ends, NoValue> {
    let invalid = |why: String| NoValue::new(Code::InvalidParameter, why);
    let half = max / 2.0 - min / 2.0;
    if half <= 0.0 || !half.is_finite() {
        return Err(invalid(format!(
            "a scale from {min} to {max} has no length"
        )));
    }
    if !(0.0..half).contains(&k) {
        let why =
            format!("{k} is not from 0 to below half of the scale, or both ends would overlap");
        return Err(invalid(why));
    }
    if values.is_empty() {
        return Err(too_few("there is no value"));
    }
    if let Some(value) = values.iter().find(|value| !(min..=max).contains(*value)) {
        return Err(invalid(format!(
            "{value} lies outside the scale from {min} to {max}"
        )));
    }
    let n = values.len() as f64;
    let low = values.iter().filter(|value| **value <= min + k).count() as f64 / n;
    let high = values.iter().filter(|value| **value >= max - k).count() as f64 / n;
    Ok(Ends {
        low,
        high,
        bipolarization: 4.0 * low * high,
    })
}
