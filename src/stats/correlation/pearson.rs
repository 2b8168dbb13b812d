//! Pearson's correlation.

use super::Value;
use crate::stats::describe::power_of_two;
use crate::stats::{Code, NoValue};
use crate::stats::{Sides, Tail, exact_sum, mean, normal_critical, t_p};

/// How many roundings a value has been through at most, when it is a mean of some repeats: a column that varies by less is
/// constant.
const ROUNDINGS: f64 = 8.0;

/// Both ends of an interval.
pub type Ends = Result<(f64, f64), NoValue>;

/// Pearson's r of paired columns: Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² · Σ(y − ȳ)²)
/// (K. Pearson, Philosophical Transactions A 187, 1896).
///
/// In two passes, over deviations that are scaled to 1, so that neither a large offset nor the size of the numbers reaches
/// the result. It takes 3 pairs: 2 always lie on a line. A column whose values are all equal is constant, whatever a rounded
/// variance says.
pub fn pearson(x: &[f64], y: &[f64]) -> Value {
    let n = x.len().min(y.len());
    if n < 3 {
        let why = match n {
            2 => "2 pairs always lie on a line; it takes 3".to_owned(),
            _ => format!("{n} complete pairs; it takes 3"),
        };
        return Err(NoValue::new(Code::TooFew, why));
    }
    let (dx, dy) = (deviations(x)?, deviations(y)?);
    let product = |a: &[f64], b: &[f64]| exact_sum(a.iter().zip(b).map(|(a, b)| a * b));
    let all = || Some((product(&dx, &dy)?, product(&dx, &dx)?, product(&dy, &dy)?));
    let (xy, xx, yy) = all().ok_or_else(too_large)?;
    Ok(snapped(xy / (xx.sqrt() * yy.sqrt())))
}

fn too_large() -> NoValue {
    NoValue::new(Code::Undefined, "the numbers are too large for it")
}

/// Exactly ±1 where only rounding keeps it from there.
fn snapped(r: f64) -> f64 {
    if 1.0 - r.abs() <= 4.0 * f64::EPSILON {
        return r.signum();
    }
    r
}

/// Whether a column does not vary, but for rounding.
pub(super) fn is_constant(values: &[f64]) -> bool {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let noise = ROUNDINGS * f64::EPSILON * low.abs().max(high.abs());
    low >= high || high - low <= noise
}

/// The reason of a column that does not vary.
pub(super) fn constant(values: &[f64]) -> NoValue {
    let all = values.first().copied().unwrap_or_default();
    let all = crate::stats::short(all);
    NoValue::new(Code::Constant, format!("a column is {all} throughout"))
}

/// The deviations from the mean, as multiples of about the largest.
fn deviations(values: &[f64]) -> Result<Vec<f64>, NoValue> {
    if is_constant(values) {
        return Err(constant(values));
    }
    // Divided first, so that the difference of two large numbers stays finite; by powers of two, which round nothing.
    let scale = power_of_two(largest(values));
    let scaled: Vec<f64> = values.iter().map(|value| value / scale).collect();
    let center = mean(&scaled).ok_or_else(too_large)?;
    let mut deviations: Vec<f64> = scaled.iter().map(|value| value - center).collect();
    // The mean was rounded: what is left of it is taken out as well.
    let rest = mean(&deviations).ok_or_else(too_large)?;
    for value in &mut deviations {
        *value -= rest;
    }
    let scale = power_of_two(largest(&deviations));
    for value in &mut deviations {
        *value /= scale;
    }
    Ok(deviations)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// The two-sided p-value of a correlation of n pairs, of t = r·√((n − 2)/(1 − r²)) with n − 2 degrees of freedom.
pub fn r_p(r: f64, n: usize) -> Value {
    if n < 3 {
        return Err(NoValue::new(Code::TooFew, format!("{n} complete pairs")));
    }
    let df = n as f64 - 2.0;
    let t = r * (df / ((1.0 - r) * (1.0 + r))).sqrt();
    if !t.is_finite() {
        return Ok(0.0);
    }
    let none = || NoValue::new(Code::Undefined, "t has no p-value");
    t_p(t, df, Tail::TwoSided).ok_or_else(none)
}

/// The interval tanh(atanh r ± z/√(n − 3)) (R. A. Fisher, Metron 1, 1921).
pub fn pearson_interval(r: f64, n: usize, level: f64) -> Ends {
    fisher_interval(r, n, level, 3, 1.0)
}

/// The interval tanh(atanh r ± z·√(`factor`/(n − `off`))): none of a perfect correlation, nor where n is not above `off`.
pub fn fisher_interval(r: f64, n: usize, level: f64, off: usize, factor: f64) -> Ends {
    if n <= off {
        let why = format!("{n} complete pairs; the interval takes {}", off + 1);
        return Err(NoValue::new(Code::TooFew, why));
    }
    if r.abs() >= 1.0 {
        let why = "a perfect correlation has no interval";
        return Err(NoValue::new(Code::PerfectCorrelation, why));
    }
    let none = || NoValue::new(Code::InvalidParameter, "the level has no quantile");
    let z = normal_critical(level, Sides::Two).ok_or_else(none)?;
    let half = z * (factor / (n - off) as f64).sqrt();
    let center = r.atanh();
    Ok(((center - half).tanh(), (center + half).tanh()))
}
