//! The true share of hits behind a judge's (W. Rogan and B. Gladen, American Journal of Epidemiology 107, 1978).
//!
//! With p the judge's share, rate = (p + TNR - 1)/(TPR + TNR - 1). Its standard error is that of the delta method. The second
//! interval is of Z. Lang and J. Reiczigel (Preventive Veterinary Medicine 113, 2014), which adds to the counts before and so
//! keeps its level where the labelled sample is small or the judge made no mistake in it.
//! This file must not know what a hit is.

use crate::stats::interval::check_level;
use crate::stats::normal::normal_quantile;
use crate::stats::{Code, NoValue};
use crate::stats::{Interval, StatsError};

/// Counts of the labelled sample, and of what is to be corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    /// Hits by the humans.
    pub positives: usize,
    /// Of them, hits by the judge.
    pub true_positives: usize,
    /// No hits by the humans.
    pub negatives: usize,
    /// Of them, no hits by the judge.
    pub true_negatives: usize,
    /// Rows without a human label.
    pub n: usize,
    /// Of them, hits by the judge.
    pub hits: usize,
}

/// The corrected share.
#[derive(Clone, Debug, PartialEq)]
pub struct RoganGladen {
    /// The judge's share of hits.
    pub judged: Result<f64, NoValue>,
    /// Share of the humans' hits that the judge sees.
    pub tpr: Result<f64, NoValue>,
    /// Share of the others that the judge sees.
    pub tnr: Result<f64, NoValue>,
    /// The formula's value, which may lie outside 0 to 1.
    pub raw: Result<f64, NoValue>,
    /// The same, cut to 0 to 1.
    pub rate: Result<f64, NoValue>,
    /// The standard error of `raw`.
    pub se: Result<f64, NoValue>,
    /// Around `raw`, cut to 0 to 1.
    pub interval: Result<Interval, NoValue>,
    /// By Lang and Reiczigel.
    pub adjusted: Result<Interval, NoValue>,
}

/// Corrects a share. An error where there are more hits than rows or the level is not between 0 and 1.
pub fn rogan_gladen(counts: &Calibration, level: f64) -> Result<RoganGladen, StatsError> {
    check_level(level)?;
    let share = |hits: usize, n: usize, of: &str| {
        if hits > n {
            let (hits, n) = (hits as u64, n as u64);
            return Err(StatsError::MoreHitsThanTrials { hits, n });
        }
        let none = || NoValue::new(Code::TooFew, format!("there is no {of}"));
        Ok((n > 0).then(|| hits as f64 / n as f64).ok_or_else(none))
    };
    let judged = share(counts.hits, counts.n, "row without a human label")?;
    let tpr = share(
        counts.true_positives,
        counts.positives,
        "hit among the human labels",
    )?;
    let tnr = share(
        counts.true_negatives,
        counts.negatives,
        "miss among the human labels",
    )?;
    let known = || Ok([judged.clone()?, tpr.clone()?, tnr.clone()?]);
    let rates = known().and_then(|[judged, tpr, tnr]| {
        if tpr + tnr <= 1.0 {
            let why = "TPR + TNR is at most 1: the judge is no better than chance";
            return Err(NoValue::new(Code::NotIdentifiable, why));
        }
        Ok([judged, tpr, tnr])
    });
    let corrected = rates.clone().map(|rates| delta(counts, rates));
    let z = normal_quantile(f64::midpoint(1.0, level)).unwrap_or(f64::NAN);
    let cut = |low: f64, high: f64| {
        let ends = (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0));
        Interval::new(ends.0, ends.1, level)
            .ok_or_else(|| NoValue::new(Code::Undefined, "the interval is not finite"))
    };
    let around = |(raw, se): (f64, f64)| cut(raw - z * se, raw + z * se);
    Ok(RoganGladen {
        judged,
        tpr,
        tnr,
        raw: corrected.clone().map(|(raw, _)| raw),
        rate: corrected.clone().map(|(raw, _)| raw.clamp(0.0, 1.0)),
        se: corrected.clone().map(|(_, se)| se),
        interval: corrected.and_then(around),
        adjusted: rates.and_then(|rates| {
            let [low, high] = lang_reiczigel(counts, rates, z)?;
            cut(low, high)
        }),
    })
}

/// The variance of the corrected share, from those of the three rates and their sizes.
fn variance([judged, tpr, tnr]: [f64; 3], [n, positives, negatives]: [f64; 3], rate: f64) -> f64 {
    let of = |p: f64, n: f64| p * (1.0 - p) / n;
    let gain = tpr + tnr - 1.0;
    let parts = of(judged, n)
        + rate * rate * of(tpr, positives)
        + (1.0 - rate).powi(2) * of(tnr, negatives);
    parts / (gain * gain)
}

fn delta(counts: &Calibration, rates: [f64; 3]) -> (f64, f64) {
    let [judged, tpr, tnr] = rates;
    let raw = (judged + tnr - 1.0) / (tpr + tnr - 1.0);
    let sizes = [counts.n, counts.positives, counts.negatives].map(|n| n as f64);
    (raw, variance(rates, sizes, raw).sqrt())
}

fn lang_reiczigel(
    counts: &Calibration,
    [judged, tpr, tnr]: [f64; 3],
    z: f64,
) -> Result<[f64; 2], NoValue> {
    let [n, positives, negatives] =
        [counts.n, counts.positives, counts.negatives].map(|n| n as f64);
    let square = z * z;
    let sizes = [n + square, positives + 2.0, negatives + 2.0];
    let judged = (n * judged + square / 2.0) / sizes[0];
    let tpr = (positives * tpr + 1.0) / sizes[1];
    let tnr = (negatives * tnr + 1.0) / sizes[2];
    if tpr + tnr <= 1.0 {
        let why = "with so few labels the judge is no better than chance";
        return Err(NoValue::new(Code::NotIdentifiable, why));
    }
    let rate = (judged + tnr - 1.0) / (tpr + tnr - 1.0);
    let of = |p: f64, n: f64| p * (1.0 - p) / n;
    let shift = 2.0 * square * (rate * of(tpr, sizes[1]) - (1.0 - rate) * of(tnr, sizes[2]));
    let half = z * variance([judged, tpr, tnr], sizes, rate).sqrt();
    Ok([rate + shift - half, rate + shift + half])
}
