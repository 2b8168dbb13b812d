//! Two correlations with one and the same column, compared.

use super::{Coefficient, Value, pearson_interval};
use crate::stats::normal::normal_p;
use crate::stats::{Code, NoValue};
use crate::stats::{Tail, t_p};

/// The correlations of two judges with the same reference, and whether they differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependent {
    /// Of the first with the reference.
    pub first: f64,
    /// Of the second with the reference.
    pub second: f64,
    /// Of both with each other.
    pub between: f64,
    /// Williams' t.
    pub t: Value,
    /// Its degrees of freedom, n − 3.
    pub df: Value,
    /// Its two-sided p-value.
    pub p: Value,
    /// Steiger's z.
    pub z: Value,
    /// Its two-sided p-value.
    pub z_p: Value,
    /// The ends of the interval of the difference.
    pub interval: super::Ends,
}

/// Compares the correlations of `first` and `second` with `reference`.
///
/// - t of E. J. Williams in the form of J. H. Steiger (Psychological Bulletin 87, 1980, equation 7):
///   (r₁ − r₂)·√((n − 1)(1 + r₁₂) / (2·(n − 1)/(n − 3)·|R| + r̄²(1 − r₁₂)³)).
/// - z of Steiger (equation 14), with the mean correlation in the covariance.
/// - the interval of G. Y. Zou (Psychological Methods 12, 2007), of the intervals after Fisher.
///
/// It takes 4 rows. Of ranks the same formulas hold approximately; of Kendall's tau they do not.
pub fn dependent(
    coefficient: Coefficient,
    [first, second, reference]: [&[f64]; 3],
    level: f64,
) -> Result<Dependent, NoValue> {
    let n = reference.len();
    if n < 4 {
        let why = format!("{n} complete rows; it takes 4");
        return Err(NoValue::new(Code::TooFew, why));
    }
    let r1 = coefficient.of(first, reference)?;
    let r2 = coefficient.of(second, reference)?;
    let r12 = coefficient.of(first, second)?;
    let mut result = Dependent {
        first: r1,
        second: r2,
        between: r12,
        t: Ok(0.0),
        df: Ok(n as f64 - 3.0),
        p: Ok(1.0),
        z: Ok(0.0),
        z_p: Ok(1.0),
        interval: zou(r1, r2, r12, n, level),
    };
    if r12.abs() >= 1.0 {
        let why = if r12 > 0.0 {
            "both columns say the same: 0/0"
        } else {
            "one column is the other with its sign turned: 0/0"
        };
        let none = NoValue::new(Code::Identical, why);
        for value in [
            &mut result.t,
            &mut result.df,
            &mut result.p,
            &mut result.z,
            &mut result.z_p,
        ] {
            *value = Err(none.clone());
        }
        result.interval = Err(none);
        return Ok(result);
    }
    result.t = williams(r1, r2, r12, n as f64);
    result.p = result.t.clone().and_then(|t| {
        let none = || NoValue::new(Code::Undefined, "t has no p-value");
        t_p(t, n as f64 - 3.0, Tail::TwoSided).ok_or_else(none)
    });
    result.z = steiger(r1, r2, r12, n as f64);
    result.z_p = result.z.clone().map(|z| normal_p(z, Tail::TwoSided));
    Ok(result)
}

fn williams(r1: f64, r2: f64, r12: f64, n: f64) -> Value {
    // |R| of the three correlations; never below 0 but for rounding.
    let determinant = 1.0 - r1 * r1 - r2 * r2 - r12 * r12 + 2.0 * r1 * r2 * r12;
    let mean = f64::midpoint(r1, r2);
    let below =
        2.0 * (n - 1.0) / (n - 3.0) * determinant.max(0.0) + mean * mean * (1.0 - r12).powi(3);
    let t = (r1 - r2) * ((n - 1.0) * (1.0 + r12) / below).sqrt();
    let none = || NoValue::new(Code::Undefined, "its standard error is 0");
    t.is_finite().then_some(t).ok_or_else(none)
}

fn steiger(r1: f64, r2: f64, r12: f64, n: f64) -> Value {
    let perfect = || NoValue::new(Code::PerfectCorrelation, "a perfect correlation has no z");
    if r1.abs() >= 1.0 || r2.abs() >= 1.0 {
        return Err(perfect());
    }
    let mean = f64::midpoint(r1, r2);
    let square = mean * mean;
    let covariance = (r12 * (1.0 - 2.0 * square) - square / 2.0 * (1.0 - 2.0 * square - r12 * r12))
        / (1.0 - square).powi(2);
    let z = (r1.atanh() - r2.atanh()) * ((n - 3.0) / (2.0 - 2.0 * covariance)).sqrt();
    let none = || NoValue::new(Code::Undefined, "its standard error is 0");
    z.is_finite().then_some(z).ok_or_else(none)
}

/// The interval of r₁ − r₂ from those of both and their correlation.
fn zou(r1: f64, r2: f64, r12: f64, n: usize, level: f64) -> super::Ends {
    let (low1, high1) = pearson_interval(r1, n, level)?;
    let (low2, high2) = pearson_interval(r2, n, level)?;
    let together = (r12 - r1 * r2 / 2.0) * (1.0 - r1 * r1 - r2 * r2 - r12 * r12) + r12.powi(3);
    let correlation = (together / ((1.0 - r1 * r1) * (1.0 - r2 * r2))).clamp(-1.0, 1.0);
    let reach = |a: f64, b: f64| (a * a + b * b - 2.0 * correlation * a * b).max(0.0).sqrt();
    let difference = r1 - r2;
    Ok((
        difference - reach(r1 - low1, high2 - r2),
        difference + reach(high1 - r1, r2 - low2),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn williams_t_is_that_of_a_published_example() {
        // n 103, correlations 0.4 and 0.5, 0.1 with each other: −0.1·√(102·1.1/(2.04·0.62 + 0.45²·0.9³)).
        let t = williams(0.4, 0.5, 0.1, 103.0).unwrap();
        assert!((t + 0.891_3).abs() < 1e-4, "{t}");
    }
}
