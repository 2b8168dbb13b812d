//! A mean of human values from few of them and a judge's values of many (prediction-powered inference: A. Angelopoulos et al.,
//! Science 382, 2023; with the weight λ of the judge tuned: "PPI++", 2023, example 6.1).
//!
//! estimate = λ·mean(f of the unlabelled) + mean(y - λ·f of the labelled). This file must not know judges or humans.

use crate::stats::describe::{check_finite, power_of_two};
use crate::stats::interval::check_level;
use crate::stats::normal::normal_quantile;
use crate::stats::{Code, NoValue};
use crate::stats::{Ddof, Interval, StatsError, describe, exact_sum, mean};

/// How much the judge's values count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lambda {
    /// As much as makes the variance least, from 0 to 1.
    #[default]
    Tuned,
    /// Fully.
    One,
}

/// The estimate beside the mean of the labelled alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Ppi {
    /// The estimate.
    pub estimate: f64,
    /// Its standard error.
    pub se: f64,
    /// Its interval; none where nothing varies.
    pub interval: Result<Interval, NoValue>,
    /// The weight of the judge.
    pub lambda: f64,
}

/// Estimates the mean of y; `labelled` holds y and f, `unlabelled` f alone.
pub fn ppi(
    labelled: &[[f64; 2]],
    unlabelled: &[f64],
    lambda: Lambda,
    level: f64,
) -> Result<Result<Ppi, NoValue>, StatsError> {
    check_level(level)?;
    check_finite(&labelled.iter().flatten().copied().collect::<Vec<_>>())?;
    check_finite(unlabelled)?;
    let few = |why: String| Ok(Err(NoValue::new(Code::TooFew, why)));
    if labelled.len() < 2 {
        return few(format!(
            "it needs at least 2 rows with a human value, here {}",
            labelled.len()
        ));
    }
    if unlabelled.len() < 2 {
        return few(format!(
            "it needs at least 2 rows without a human value, here {}; the plain mean is what there is",
            unlabelled.len()
        ));
    }
    let largest = labelled
        .iter()
        .flatten()
        .chain(unlabelled)
        .map(|value| value.abs());
    let scale = power_of_two(largest.fold(0.0, f64::max));
    let labelled: Vec<[f64; 2]> = labelled
        .iter()
        .map(|pair| pair.map(|value| value / scale))
        .collect();
    let unlabelled: Vec<f64> = unlabelled.iter().map(|value| value / scale).collect();
    let lambda = match lambda {
        Lambda::One => 1.0,
        Lambda::Tuned => match tuned(&labelled, &unlabelled)? {
            Ok(lambda) => lambda,
            Err(why) => return Ok(Err(why)),
        },
    };
    let predicted: Vec<f64> = unlabelled.iter().map(|f| lambda * f).collect();
    let rest: Vec<f64> = labelled.iter().map(|[y, f]| y - lambda * f).collect();
    let estimate = mean(&predicted).unwrap_or(0.0) + mean(&rest).unwrap_or(0.0);
    let variance = |values: &[f64]| -> Result<f64, StatsError> {
        let sd = describe(values, Ddof::Population)?.sd.unwrap_or(0.0);
        Ok(sd * sd / values.len() as f64)
    };
    let se = (variance(&predicted)? + variance(&rest)?).sqrt();
    let z = normal_quantile(f64::midpoint(1.0, level)).unwrap_or(f64::NAN);
    let (estimate, se) = (estimate * scale, se * scale);
    let Some(interval) = Interval::new(estimate - z * se, estimate + z * se, level) else {
        return Ok(Err(NoValue::new(
            Code::Undefined,
            "the values are too large",
        )));
    };
    // A few rows that happen to be alike say nothing of how far the mean may be off.
    let flat = || NoValue::new(Code::ZeroError, "nothing varies");
    Ok(Ok(Ppi {
        estimate,
        se,
        interval: (se > 0.0).then_some(interval).ok_or_else(flat),
        lambda,
    }))
}

/// cov(y, f)/((1 + n/N)·var(all f)), cut to 0 to 1.
fn tuned(labelled: &[[f64; 2]], unlabelled: &[f64]) -> Result<Result<f64, NoValue>, StatsError> {
    let n = labelled.len() as f64;
    let all: Vec<f64> = labelled
        .iter()
        .map(|pair| pair[1])
        .chain(unlabelled.iter().copied())
        .collect();
    let spread = describe(&all, Ddof::Sample)?.sd.unwrap_or(0.0);
    if spread == 0.0 {
        let why = "the judge's values do not vary, so its weight is 0/0";
        return Ok(Err(NoValue::new(Code::Constant, why)));
    }
    let column =
        |at: usize| mean(&labelled.iter().map(|pair| pair[at]).collect::<Vec<_>>()).unwrap_or(0.0);
    let (y, f) = (column(0), column(1));
    let products = exact_sum(labelled.iter().map(|pair| (pair[0] - y) * (pair[1] - f)));
    let covariance = products.unwrap_or(0.0) / n;
    let weight = covariance / ((1.0 + n / unlabelled.len() as f64) * spread * spread);
    Ok(Ok(weight.clamp(0.0, 1.0)))
}
