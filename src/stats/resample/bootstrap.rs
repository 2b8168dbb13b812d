//! The bootstrap of a mean: its standard error, the percentile interval and `BCa` (B. Efron, JASA 82, 1987; B. Efron and
//! R. Tibshirani, "An introduction to the bootstrap", 1993, chapters 13 and 14). Clusters are drawn whole.
//!
//! This file must not know what the values are, nor what makes them a cluster.

use crate::stats::describe::{check_finite, power_of_two};
use crate::stats::distance::of_sorted;
use crate::stats::interval::check_level;
use crate::stats::normal::{normal_below, normal_quantile};
use crate::stats::{Code, NoValue};
use crate::stats::{Ddof, Interval, StatsError, describe, exact_sum, mean};

use super::draws::STRETCH;
use super::{Tally, resample};

/// What redrawing says about a mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// The mean of all values.
    pub mean: Result<f64, NoValue>,
    /// Standard deviation of the means of resamples.
    pub se: Result<f64, NoValue>,
    /// What `se` tends to with more resamples; of clusters only where all are equally large.
    pub se_limit: Result<f64, NoValue>,
    /// Between the quantiles (type 7) of the means of resamples.
    pub percentile: Result<Interval, NoValue>,
    /// Corrected for bias and skewness.
    pub bca: Result<Interval, NoValue>,
    /// How much the standard error changes with the mean: Σd³ / (6·(Σd²)^1.5) over what leaving one (cluster) out changes.
    pub acceleration: Result<f64, NoValue>,
    /// Normal quantile of the share of resamples whose mean lies below; equal means count half.
    pub bias: Result<f64, NoValue>,
}

/// A row or a cluster: the sum of its values, counted from the origin, and how many they are.
type Unit = [f64; 2];

/// Redraws the rows, or the clusters of rows, `resamples` times. `clusters` gives the cluster of each value, from 0 on.
///
/// Results are the same to the last bit for every order of the rows and for every number of threads.
/// An error where a value is not finite or the level is not between 0 and 1.
pub fn bootstrap_mean(
    values: &[f64],
    clusters: Option<&[usize]>,
    resamples: usize,
    seed: u64,
    level: f64,
) -> Result<Bootstrap, StatsError> {
    check_level(level)?;
    check_finite(values)?;
    let Some(frame) = Frame::of(values, clusters) else {
        return Ok(Bootstrap::nothing(NoValue::new(
            Code::TooFew,
            "there is no value",
        )));
    };
    let what = if clusters.is_some() {
        "clusters"
    } else {
        "values"
    };
    let mut found = Bootstrap::nothing(NoValue::new(
        Code::TooFew,
        format!("a bootstrap needs at least 2 {what}"),
    ));
    found.mean =
        mean(values).ok_or_else(|| NoValue::new(Code::Undefined, "the values are too large"));
    if frame.units.len() < 2 {
        return Ok(found);
    }
    found.se_limit = frame.se_limit();
    found.acceleration = frame.acceleration();
    if resamples < 2 {
        let why = NoValue::new(
            Code::InvalidParameter,
            "a bootstrap needs at least 2 resamples",
        );
        return Ok(Bootstrap {
            mean: found.mean,
            se_limit: found.se_limit,
            acceleration: found.acceleration,
            ..Bootstrap::nothing(why)
        });
    }
    let mut means = frame.means(resamples, seed);
    means.sort_unstable_by(f64::total_cmp);
    let spread = describe(&means, Ddof::Sample)?.sd.unwrap_or(0.0);
    found.se = Ok(spread * frame.scale);
    let interval = |low: f64, high: f64| {
        let end = |share| Some(frame.mean(of_sorted(&means, share)?));
        let ends = end(low).zip(end(high));
        let ends = ends.and_then(|(low, high)| Interval::new(low, high, level));
        ends.ok_or_else(|| {
            NoValue::new(Code::Undefined, "the values are too large for an interval")
        })
    };
    let tail = (1.0 - level) / 2.0;
    found.percentile = interval(tail, 1.0 - tail);
    found.bias = frame.bias(&means);
    found.bca = match (&found.bias, &found.acceleration) {
        (Ok(bias), Ok(acceleration)) => {
            bca_ends(*bias, *acceleration, tail).and_then(|[low, high]| interval(low, high))
        }
        (Err(why), _) | (_, Err(why)) => Err(why.clone()),
    };
    Ok(found)
}

impl Bootstrap {
    /// Nothing of it, for one reason.
    fn nothing(why: NoValue) -> Self {
        Self {
            mean: Err(why.clone()),
            se: Err(why.clone()),
            se_limit: Err(why.clone()),
            percentile: Err(why.clone()),
            bca: Err(why.clone()),
            acceleration: Err(why.clone()),
            bias: Err(why),
        }
    }
}

/// Which quantiles of the resamples are the ends of the interval (Efron 1987, equation 2.3).
fn bca_ends(bias: f64, acceleration: f64, tail: f64) -> Result<[f64; 2], NoValue> {
    let end = |probability: f64| {
        let z = bias + normal_quantile(probability)?;
        let stretch = 1.0 - acceleration * z;
        (stretch > 0.0).then(|| normal_below(bias + z / stretch))
    };
    match (end(tail), end(1.0 - tail)) {
        (Some(low), Some(high)) => Ok([low, high]),
        _ => {
            let why = "the values are too skewed for the BCa interval";
            Err(NoValue::new(Code::Undefined, why))
        }
    }
}

/// What is drawn from: units in an order that does not depend on that of the rows, counted from an origin and scaled so that
/// no sum overflows. The origin is one of the values, so sums of whole numbers stay exact and equal means are seen as equal.
struct Frame {
    units: Vec<Unit>,
    /// Whether each unit is one value.
    single: bool,
    origin: f64,
    scale: f64,
    /// The mean of all, counted from the origin in units of the scale.
    observed: f64,
    /// What two means that are equal may differ by.
    noise: f64,
}

impl Frame {
    fn of(values: &[f64], clusters: Option<&[usize]>) -> Option<Self> {
        let largest = values.iter().map(|value| value.abs()).reduce(f64::max)?;
        let scale = power_of_two(largest);
        let mut sorted: Vec<f64> = values.iter().map(|value| value / scale + 0.0).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let origin = sorted[sorted.len() / 2];
        let mut units: Vec<Unit> = match clusters {
            None => sorted.iter().map(|value| [value - origin, 1.0]).collect(),
            Some(clusters) => {
                let mut members: Vec<Vec<f64>> = Vec::new();
                for (&value, &cluster) in values.iter().zip(clusters) {
                    if members.len() <= cluster {
                        members.resize_with(cluster + 1, Vec::new);
                    }
                    members[cluster].push(value / scale + 0.0 - origin);
                }
                members.retain(|members| !members.is_empty());
                let unit = |members: &Vec<f64>| {
                    let sum = exact_sum(members.iter().copied());
                    [sum.unwrap_or(0.0), members.len() as f64]
                };
                members.iter().map(unit).collect()
            }
        };
        units.sort_unstable_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        let n = values.len() as f64;
        let observed = exact_sum(units.iter().map(|unit| unit[0]))? / n;
        let widest = sorted.iter().map(|value| (value - origin).abs());
        let noise = 1e-12 * widest.fold(0.0, f64::max);
        let single = units.len() == values.len();
        Some(Self {
            units,
            single,
            origin,
            scale,
            observed,
            noise,
        })
    }

    /// A mean in the unit of the values.
    fn mean(&self, from_origin: f64) -> f64 {
        (self.origin + from_origin) * self.scale
    }

    /// The means of resamples, counted from the origin in units of the scale.
    fn means(&self, resamples: usize, seed: u64) -> Vec<f64> {
        let units = self.units.len();
        if self.single {
            let stretches = stretches(self.units.iter().map(|unit| [unit[0]]));
            let n = units as f64;
            let finish = |sums: Sums<'_, 1>| sums.total[0] / n;
            return resample(units, resamples, seed, || Sums::over(&stretches), finish);
        }
        let stretches = stretches(self.units.iter().copied());
        let finish = |sums: Sums<'_, 2>| sums.total[0] / sums.total[1];
        resample(units, resamples, seed, || Sums::over(&stretches), finish)
    }

    /// √(Σ(x - mean)²)/n over units of equal size.
    fn se_limit(&self) -> Result<f64, NoValue> {
        let size = self.units[0][1];
        if self.units.iter().any(|unit| (unit[1] - size).abs() > 0.5) {
            let why = "clusters of different sizes have no closed form of it";
            return Err(NoValue::new(Code::Undefined, why));
        }
        let deviation = |unit: &Unit| unit[0] / size - self.observed;
        let squares = exact_sum(self.units.iter().map(|unit| deviation(unit).powi(2)));
        Ok(squares.unwrap_or(0.0).sqrt() / self.units.len() as f64 * self.scale)
    }

    /// From the means that are left where one unit is left out.
    fn acceleration(&self) -> Result<f64, NoValue> {
        let n: f64 = self.units.iter().map(|unit| unit[1]).sum();
        let sum = self.observed * n;
        let without = |unit: &Unit| (sum - unit[0]) / (n - unit[1]);
        let count = self.units.len() as f64;
        let middle = exact_sum(self.units.iter().map(without)).unwrap_or(0.0) / count;
        let moment = |power: i32| {
            let terms = self
                .units
                .iter()
                .map(|unit| (middle - without(unit)).powi(power));
            exact_sum(terms).unwrap_or(0.0)
        };
        let spread = moment(2);
        if spread.sqrt() <= self.noise {
            return Err(NoValue::new(
                Code::Constant,
                "all resamples have the same mean",
            ));
        }
        Ok(moment(3) / (6.0 * spread.powf(1.5)))
    }

    fn bias(&self, means: &[f64]) -> Result<f64, NoValue> {
        let (mut below, mut equal) = (0_usize, 0_usize);
        for mean in means {
            if (mean - self.observed).abs() <= self.noise {
                equal += 1;
            } else if *mean < self.observed {
                below += 1;
            }
        }
        if equal == means.len() {
            return Err(NoValue::new(
                Code::Constant,
                "all resamples have the same mean",
            ));
        }
        let share = (below as f64 + equal as f64 / 2.0) / means.len() as f64;
        normal_quantile(share).ok_or_else(|| {
            let why = "the means of all resamples lie on one side of the mean";
            NoValue::new(Code::Undefined, why)
        })
    }
}

/// The units in stretches as draws come, the last one filled up with zeros.
fn stretches<const W: usize>(units: impl Iterator<Item = [f64; W]>) -> Vec<[[f64; W]; STRETCH]> {
    let mut stretches = Vec::new();
    for (at, unit) in units.enumerate() {
        if at % STRETCH == 0 {
            stretches.push([[0.0; W]; STRETCH]);
        }
        if let Some(last) = stretches.last_mut() {
            last[at % STRETCH] = unit;
        }
    }
    stretches
}

/// Adds up what is drawn.
struct Sums<'s, const W: usize> {
    stretches: &'s [[[f64; W]; STRETCH]],
    total: [f64; W],
}

impl<'s, const W: usize> Sums<'s, W> {
    fn over(stretches: &'s [[[f64; W]; STRETCH]]) -> Self {
        let total = [0.0; W];
        Self { stretches, total }
    }
}

impl<const W: usize> Tally for Sums<'_, W> {
    fn one(&mut self, unit: usize) {
        let unit = self.stretches[unit / STRETCH][unit % STRETCH];
        for (total, value) in self.total.iter_mut().zip(unit) {
            *total += value;
        }
    }

    #[inline]
    fn eight(&mut self, start: usize, at: [u8; 8]) {
        let stretch = &self.stretches[start / STRETCH];
        // In pairs: eight additions one after another would wait for each other.
        for (column, total) in self.total.iter_mut().enumerate() {
            let pair = |first: usize| {
                stretch[usize::from(at[first])][column]
                    + stretch[usize::from(at[first + 1])][column]
            };
            *total += (pair(0) + pair(2)) + (pair(4) + pair(6));
        }
    }
}
