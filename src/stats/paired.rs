//! The t-test on differences: is their mean zero?
//!
//! Thesis Eq. 5.1: z = mean(δ) / SE(δ) with SE = σ/√n, the paired t-test when δ are differences of
//! matched scores. Eq. 5.2 takes δ = manipulated - gold at one length, Eq. 5.3 the difference of two
//! such differences at two lengths. The thesis writes z but refers it to Student's t with n - 1
//! degrees of freedom; so does this file.
//! It must not decide who is paired with whom, nor what becomes of pairs that are half unscored.

use super::describe::check_finite;
use super::interval::check_level;
use super::{DEFAULT_LEVEL, Ddof, Interval, StatsError, Tail, describe, t_interval, t_p};

/// How many roundings of the largest number may pass for a difference; see [`TOptions::magnitude`].
///
/// A difference of two differences of decimal scores strays by at most three roundings from its
/// decimal value, two such by six.
const ROUNDINGS: f64 = 8.0;

/// How a t-test is to be computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TOptions {
    /// Denominator of σ²; [`Ddof::Sample`] unless a spec says otherwise. With [`Ddof::Population`]
    /// t is larger by √(n / (n - 1)) and its p-value too small: only for matching such a print.
    pub ddof: Ddof,
    /// Confidence level of the interval, strictly between 0 and 1.
    pub level: f64,
    /// The largest |score| that went into the values by subtraction; 0 where they are no differences.
    ///
    /// 4.3 - 4.1 and 3.3 - 3.1 differ in the sixteenth digit. What is no larger than eight roundings
    /// of this magnitude (or of the largest value) counts as no variation, or as a mean of zero;
    /// otherwise equal differences would give a t of 1e15.
    pub magnitude: f64,
}

impl Default for TOptions {
    fn default() -> Self {
        Self {
            ddof: Ddof::Sample,
            level: DEFAULT_LEVEL,
            magnitude: 0.0,
        }
    }
}

/// Why a t statistic does not exist.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum WhyNoT {
    /// There are fewer than two values, so nothing says how much they vary.
    #[error("a t statistic needs at least 2 values, here {}", Count(*n))]
    TooFew {
        /// How many values there are.
        n: usize,
    },
    /// Every difference is 0: neither an effect nor a scale to measure it on.
    #[error("all differences are 0")]
    AllZero {
        /// How many values there are.
        n: usize,
    },
    /// Every difference is the same number other than 0, so the standard error is 0.
    #[error("all differences are {}", short(*mean))]
    NoVariation {
        /// How many values there are.
        n: usize,
        /// The common value.
        mean: f64,
    },
    /// Mean, standard deviation or their ratio exceeds the largest double.
    #[error("the differences are too large for a t statistic")]
    TooLarge,
}

/// The value without the digits that only rounding put there, with a true minus.
pub(crate) fn short(value: f64) -> String {
    let value: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    value.to_string().replace('-', "\u{2212}")
}

/// Says "are none" or "is 1".
struct Count(usize);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => write!(f, "are none"),
            1 => write!(f, "is 1"),
            n => write!(f, "are {n}"),
        }
    }
}

/// A one-sample t-test of mean 0; every number that does not exist is `None`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// How many values.
    pub n: usize,
    /// Mean of the values (Eq. 5.1, numerator), in their unit.
    pub mean: Option<f64>,
    /// Standard deviation σ of the values, in their unit.
    pub sd: Option<f64>,
    /// Standard error σ/√n (Eq. 5.1, denominator), in the values' unit.
    pub se: Option<f64>,
    /// Degrees of freedom, n - 1; `None` for n = 0.
    pub df: Option<f64>,
    /// mean / se (Eq. 5.1, there called z), or why there is none.
    pub t: Result<f64, WhyNoT>,
    /// Two-sided p-value of `t`; for one side see [`t_p`].
    pub p: Option<f64>,
    /// Two-sided confidence interval of the mean; `None` where `t` is.
    pub interval: Option<Interval>,
    /// Cohen's `d_z` = mean / sd, the effect in standard deviations of the differences (J. Cohen,
    /// "Statistical power analysis", 1988, chapter 2; D. Lakens, Frontiers in Psychology 4,
    /// 2013, Eq. 6). `None` where `t` is.
    pub dz: Option<f64>,
}

/// Tests whether the mean of `values` is 0 (Eq. 5.1); the same to the last bit for every order.
///
/// An error where a value is not finite, the level is not between 0 and 1, or the magnitude is not
/// a number of at least 0.
pub fn one_sample_t(values: &[f64], options: &TOptions) -> Result<TTest, StatsError> {
    check_level(options.level)?;
    if !(options.magnitude >= 0.0 && options.magnitude.is_finite()) {
        return Err(StatsError::Magnitude {
            magnitude: options.magnitude,
        });
    }
    let about = describe(values, options.ddof)?;
    let n = about.n;
    let mut test = TTest {
        n,
        mean: about.mean,
        sd: about.sd,
        se: about.se,
        df: n.checked_sub(1).map(|df| df as f64),
        t: Err(WhyNoT::TooFew { n }),
        p: None,
        interval: None,
        dz: None,
    };
    let (Some(mean), Some(min), Some(max)) = (about.mean, about.min, about.max) else {
        return Ok(test);
    };
    let largest = options.magnitude.max(min.abs()).max(max.abs());
    let noise = ROUNDINGS * f64::EPSILON * largest;
    let mean = if mean.abs() <= noise { 0.0 } else { mean };
    test.mean = Some(mean);
    if n < 2 {
        return Ok(test);
    }
    if max - min <= noise {
        (test.sd, test.se) = (Some(0.0), Some(0.0));
        test.t = Err(if mean == 0.0 {
            WhyNoT::AllZero { n }
        } else {
            WhyNoT::NoVariation { n, mean }
        });
        return Ok(test);
    }
    Ok(with_t(test, options.level))
}

/// Fills in what rests on a standard error above 0.
fn with_t(mut test: TTest, level: f64) -> TTest {
    test.t = Err(WhyNoT::TooLarge);
    if let (Some(mean), Some(sd), Some(se), Some(df)) = (test.mean, test.sd, test.se, test.df) {
        let (t, dz) = (mean / se, mean / sd);
        if t.is_finite() && dz.is_finite() {
            test.t = Ok(t);
            test.dz = Some(dz);
            test.p = t_p(t, df, Tail::TwoSided);
            test.interval = t_interval(mean, se, df, level);
        }
    }
    test
}

/// Tests whether `left - right` is 0 on average over matched pairs (Eq. 5.1 on their differences).
///
/// `options.magnitude` is raised to the largest number in the pairs. Errors as for [`one_sample_t`];
/// the index of a value that is not finite is that of its pair.
pub fn paired_t(pairs: &[(f64, f64)], options: &TOptions) -> Result<TTest, StatsError> {
    let mut differences = Vec::with_capacity(pairs.len());
    let mut magnitude = options.magnitude;
    for (index, &(left, right)) in pairs.iter().enumerate() {
        for value in [left, right] {
            check_finite(&[value]).map_err(|_| StatsError::NotFinite { index, value })?;
            // Not `f64::max`, which would swallow a NaN magnitude instead of reporting it.
            if value.abs() > magnitude {
                magnitude = value.abs();
            }
        }
        differences.push(left - right);
    }
    one_sample_t(
        &differences,
        &TOptions {
            magnitude,
            ..*options
        },
    )
}
