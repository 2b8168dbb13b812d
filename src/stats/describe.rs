//! What a column of scores looks like: count, mean, spread, extremes, median.
//!
//! Every field is identical for every order of the input, to the last bit.
//! This file must not drop values: a value that is no number is refused, not skipped.

use serde::{Deserialize, Serialize};

use super::{StatsError, exact_sum};

/// What is taken off n in the denominator of a variance ("delta degrees of freedom").
///
/// In a spec it is the number `0` or `1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Ddof {
    /// Divide by n: the spread of exactly these values, such as the thesis's "Stdev" over models
    /// (tables A.12 to A.15).
    Population,
    /// Divide by n - 1: the estimate for the population the values were drawn from.
    #[default]
    Sample,
}

impl From<Ddof> for u8 {
    fn from(ddof: Ddof) -> Self {
        match ddof {
            Ddof::Population => 0,
            Ddof::Sample => 1,
        }
    }
}

impl TryFrom<u8> for Ddof {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            0 => Ok(Self::Population),
            1 => Ok(Self::Sample),
            other => Err(format!(
                "`ddof` is {other}; write `1` to divide by n - 1, or `0` to divide by n"
            )),
        }
    }
}

/// A description of n finite values, in the values' unit; a field is `None` where n is too small
/// for it or where its value exceeds the largest double.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Describe {
    /// How many values.
    pub n: usize,
    /// Arithmetic mean: the exact sum, rounded, divided by n.
    pub mean: Option<f64>,
    /// Standard deviation, the root of Σ(x - mean)² / (n - ddof).
    pub sd: Option<f64>,
    /// Standard error of the mean, sd / √n.
    pub se: Option<f64>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Middle value, or the mean of the two middle ones.
    pub median: Option<f64>,
}

/// Describes `values`; an error names the first that is NaN or infinite.
///
/// The relative rounding error of `mean` is at most 2⁻⁵², that of `sd` a few times as much.
/// Equal values have exactly themselves as mean and 0 as standard deviation.
pub fn describe(values: &[f64], ddof: Ddof) -> Result<Describe, StatsError> {
    check_finite(values)?;
    // Adding zero turns negative zero into zero, which would otherwise show in tables.
    let mut sorted: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
        return Ok(Describe::default());
    };
    let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
    let mean = mean_between(&sorted, min, max);
    let sd = mean.and_then(|mean| sd(&sorted, mean, ddof));
    Ok(Describe {
        n,
        mean,
        sd,
        se: sd.map(|sd| sd / (n as f64).sqrt()),
        min: Some(min),
        max: Some(max),
        median: Some(median),
    })
}

/// Refuses values that are NaN or infinite, naming the first.
pub(super) fn check_finite(values: &[f64]) -> Result<(), StatsError> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(StatsError::NotFinite {
            index,
            value: values[index],
        }),
    }
}

/// The arithmetic mean of `values` alone, the same as [`describe`] gives; `None` where there are none, or where one is NaN
/// or infinite.
pub fn mean(values: &[f64]) -> Option<f64> {
    check_finite(values).ok()?;
    let min = values.iter().copied().reduce(f64::min)?;
    let max = values.iter().copied().reduce(f64::max)?;
    // Zero has no sign.
    mean_between(values, min + 0.0, max + 0.0)
}

/// The mean of values, whose extremes are `min` and `max`.
fn mean_between(sorted: &[f64], min: f64, max: f64) -> Option<f64> {
    // Dividing a rounded sum can miss the common value of equal numbers by one unit.
    if min.total_cmp(&max).is_eq() {
        return Some(min);
    }
    let scale = power_of_two(min.abs().max(max.abs()));
    let sum = exact_sum(sorted.iter().map(|value| value / scale))?;
    let mean = sum / sorted.len() as f64 * scale;
    // Rounding may carry the quotient one unit past an extreme that nearly all values share.
    Some(mean.clamp(min, max))
}

/// The standard deviation of `sorted` around its computed `mean`.
fn sd(sorted: &[f64], mean: f64, ddof: Ddof) -> Option<f64> {
    let n = sorted.len();
    let free = n.checked_sub(usize::from(u8::from(ddof)))?;
    if free == 0 {
        return None;
    }
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    if first.total_cmp(&last).is_eq() {
        return Some(0.0);
    }
    let scale = power_of_two(first.abs().max(last.abs()));
    let center = mean / scale;
    let deviations = || sorted.iter().map(|value| value / scale - center);
    let squares = exact_sum(deviations().map(|deviation| deviation * deviation))?;
    // `center` is rounded; the second term takes out what that adds (corrected two-pass formula,
    // T. F. Chan, G. H. Golub and R. J. LeVeque, The American Statistician 37, 1983).
    let drift = exact_sum(deviations())?;
    let squares = (squares - drift * drift / n as f64).max(0.0);
    let sd = (squares / free as f64).sqrt() * scale;
    sd.is_finite().then_some(sd)
}

/// The largest power of two not above `magnitude`, so that dividing by it neither rounds ordinary
/// values nor lets their squares overflow or vanish.
pub(super) fn power_of_two(magnitude: f64) -> f64 {
    let exponent_only = f64::from_bits(magnitude.to_bits() & f64::INFINITY.to_bits());
    exponent_only.max(f64::MIN_POSITIVE)
}
