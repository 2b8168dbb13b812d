//! The standard normal distribution, read off Student's t at a number of degrees of freedom where both are one.
//!
//! This file must not know data, only z and probabilities.

use super::student::{Sides, Tail, normal_critical, t_p};
use super::{Code, Interval, NoValue};

/// Where t and the normal distribution are the same in double precision.
const AS_GOOD_AS_NORMAL: f64 = 1e20;

/// The probability below z.
pub fn normal_below(z: f64) -> f64 {
    match t_p(z, AS_GOOD_AS_NORMAL, Tail::Less) {
        Some(probability) => probability,
        None if z > 0.0 => 1.0,
        None => 0.0,
    }
}

/// The p-value of a z in a direction.
pub fn normal_p(z: f64, tail: Tail) -> f64 {
    t_p(z, AS_GOOD_AS_NORMAL, tail).unwrap_or(0.0)
}

/// The z with this probability below; none unless it lies strictly between 0 and 1.
pub fn normal_quantile(probability: f64) -> Option<f64> {
    if !(probability > 0.0 && probability < 1.0) {
        return None;
    }
    normal_critical(probability, Sides::One)
}

/// The estimate with its standard error times the critical value to either side.
pub fn normal_interval(at: f64, se: f64, level: f64) -> Result<Interval, NoValue> {
    let z = normal_quantile(f64::midpoint(1.0, level)).unwrap_or(f64::NAN);
    Interval::new(at - z * se, at + z * se, level)
        .ok_or_else(|| NoValue::new(Code::Undefined, "the interval is not finite"))
}
