//! Means of rows that come in clusters: standard errors that do not take rows of one cluster for independent.
//!
//! Of n values x with mean m, in G clusters, u is the sum of x - m in a cluster. With s² = Σ(x - m)²/(n - 1):
//!
//! | name | formula | source |
//! |---|---|---|
//! | `se_naive` | s/√n | as if every row were a cluster |
//! | `cr0` | √(Σu²)/n | K.-Y. Liang and S. Zeger, Biometrika 73, 1986 |
//! | `cr1` | `cr0`·√(G/(G - 1)) | C. Cameron and D. Miller, Journal of Human Resources 50, 2015, section II |
//! | `miller` | √(s²/n + Σ(u² - Σ(x - m)²)/n²) | E. Miller, "Adding error bars to evals", 2024, section 2.2 |
//!
//! The interval is m ± t(G - 1)·`cr1` unless another is asked for. This file must not know what a cluster is.

use super::describe::{check_finite, power_of_two};
use super::{Code, NoValue};
use super::{Ddof, Interval, StatsError, describe, exact_sum, t_interval};

/// Sums of a cluster that are no larger than so many roundings of the largest value for each of its rows count as zero.
const ROUNDINGS: f64 = 8.0;

/// A mean with its standard errors.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusteredMean {
    /// How many values.
    pub n: usize,
    /// How many clusters.
    pub clusters: usize,
    /// The mean of all values, each counted once.
    pub mean: Result<f64, NoValue>,
    /// Standard deviation of the values.
    pub sd: Result<f64, NoValue>,
    /// As if rows were independent.
    pub se_naive: Result<f64, NoValue>,
    /// Without a correction for few clusters.
    pub se_cr0: Result<f64, NoValue>,
    /// Corrected for few clusters.
    pub se_cr1: Result<f64, NoValue>,
    /// By the sums of cross products.
    pub se_miller: Result<f64, NoValue>,
}

/// Which standard error intervals and tests rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ClusterSe {
    /// `cr1`.
    #[default]
    Cr1,
    /// `cr0`.
    Cr0,
    /// `miller`.
    Miller,
}

impl ClusteredMean {
    /// The standard error of a kind.
    pub fn se(&self, kind: ClusterSe) -> &Result<f64, NoValue> {
        match kind {
            ClusterSe::Cr1 => &self.se_cr1,
            ClusterSe::Cr0 => &self.se_cr0,
            ClusterSe::Miller => &self.se_miller,
        }
    }

    /// Degrees of freedom, G - 1.
    pub fn df(&self) -> Result<f64, NoValue> {
        self.se_cr1.as_ref().map_err(Clone::clone)?;
        Ok((self.clusters - 1) as f64)
    }

    /// The interval around the mean. Without any spread between clusters it is the mean alone.
    pub fn interval(&self, kind: ClusterSe, level: f64) -> Result<Interval, NoValue> {
        let (mean, se) = (self.mean.clone()?, self.se(kind).clone()?);
        let interval = if se == 0.0 {
            Interval::new(mean, mean, level)
        } else {
            t_interval(mean, se, self.df()?, level)
        };
        interval.ok_or_else(|| {
            NoValue::new(Code::Undefined, "the values are too large for an interval")
        })
    }
}

/// The mean of `values`, of which `clusters` gives the cluster of each, from 0 on.
///
/// The same to the last bit for every order of rows. An error names the first value that is not finite.
pub fn clustered_mean(values: &[f64], clusters: &[usize]) -> Result<ClusteredMean, StatsError> {
    check_finite(values)?;
    let about = describe(values, Ddof::Sample)?;
    let n = values.len();
    let too_few = |why: &str| NoValue::new(Code::TooFew, why);
    let Some(mean) = about.mean else {
        let why = too_few("there is no value");
        return Ok(ClusteredMean {
            n,
            clusters: 0,
            mean: Err(why.clone()),
            sd: Err(why.clone()),
            se_naive: Err(why.clone()),
            se_cr0: Err(why.clone()),
            se_cr1: Err(why.clone()),
            se_miller: Err(why),
        });
    };
    let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let scale = power_of_two(largest);
    let parts = parts(values, clusters, mean, scale, about.sd == Some(0.0));
    let groups = parts.len();
    let count = n as f64;
    let total = |of: fn(&Part) -> f64| exact_sum(parts.iter().map(of)).unwrap_or(0.0);
    let between = total(|part| part.sum * part.sum);
    let within = total(|part| part.squares);
    let one_value = || too_few("a standard error needs at least 2 values, here is 1");
    let one_cluster =
        || too_few("all rows are of one cluster, so nothing says how much clusters vary");
    let of_clusters = |se: f64| {
        let se = se * scale;
        match groups {
            ..2 => Err(one_cluster()),
            _ if se.is_finite() => Ok(se),
            _ => Err(NoValue::new(
                Code::Undefined,
                "the values are too large for a standard error",
            )),
        }
    };
    let cr0 = between.sqrt() / count;
    let miller = (within / ((count - 1.0) * count) + (between - within) / (count * count)).max(0.0);
    Ok(ClusteredMean {
        n,
        clusters: groups,
        mean: Ok(mean),
        sd: about.sd.ok_or_else(one_value),
        se_naive: about.se.ok_or_else(one_value),
        se_cr0: of_clusters(cr0),
        se_cr1: of_clusters(cr0 * (groups as f64 / (groups as f64 - 1.0)).sqrt()),
        se_miller: of_clusters(miller.sqrt()),
    })
}

/// Of a cluster, the sum of what its values differ from the mean by, and of the squares of that.
struct Part {
    sum: f64,
    squares: f64,
}

fn parts(values: &[f64], clusters: &[usize], mean: f64, scale: f64, constant: bool) -> Vec<Part> {
    let center = mean / scale;
    let mut members: Vec<Vec<f64>> = Vec::new();
    for (&value, &cluster) in values.iter().zip(clusters) {
        if members.len() <= cluster {
            members.resize_with(cluster + 1, Vec::new);
        }
        members[cluster].push(if constant {
            0.0
        } else {
            value / scale - center
        });
    }
    members.retain(|members| !members.is_empty());
    let part = |members: &Vec<f64>| {
        let sum = exact_sum(members.iter().copied()).unwrap_or(0.0);
        let noise = ROUNDINGS * f64::EPSILON * members.len() as f64;
        let squares = exact_sum(members.iter().map(|rest| rest * rest)).unwrap_or(0.0);
        let sum = if sum.abs() <= noise { 0.0 } else { sum };
        Part { sum, squares }
    };
    members.iter().map(part).collect()
}
