//! The difference of two independent shares.

use crate::stats::normal::normal_p;
use crate::stats::{Code, NoValue};
use crate::stats::{Interval, Tail, wilson};

/// A difference of shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The first less the second.
    pub difference: f64,
    /// Newcombe's interval.
    pub interval: Option<Interval>,
    /// The difference over its standard error where both shares are the pooled one.
    pub z: Result<f64, NoValue>,
    /// The two-sided p-value of `z`.
    pub p: Result<f64, NoValue>,
}

/// `hits` of `n`, first and second. The interval squares and adds the distances to the ends of both Wilson intervals
/// (R. G. Newcombe, Statistics in Medicine 17, 1998, 873, method 10, without continuity correction).
pub fn share_difference(
    first: (u64, u64),
    second: (u64, u64),
    level: f64,
) -> Result<Difference, NoValue> {
    let ((x1, n1), (x2, n2)) = (first, second);
    let ends = wilson(x1, n1, level).zip(wilson(x2, n2, level));
    let Some((one, two)) = ends else {
        return Err(NoValue::new(Code::TooFew, "a sample is empty"));
    };
    let (t1, t2) = (n1 as f64, n2 as f64);
    let (p1, p2) = (x1 as f64 / t1, x2 as f64 / t2);
    let difference = p1 - p2;
    let low = difference - (p1 - one.low).hypot(two.high - p2);
    let high = difference + (one.high - p1).hypot(p2 - two.low);
    let pooled = (x1 + x2) as f64 / (t1 + t2);
    let variance = pooled * (1.0 - pooled) * (1.0 / t1 + 1.0 / t2);
    let z = if x1 + x2 == 0 || x1 + x2 == n1 + n2 {
        let why = "all values are the same, so that the pooled variance is 0";
        Err(NoValue::new(Code::Constant, why))
    } else {
        Ok(difference / variance.sqrt())
    };
    Ok(Difference {
        difference,
        interval: Interval::new(low.max(-1.0), high.min(1.0), level),
        p: z.clone().map(|z| normal_p(z, Tail::TwoSided)),
        z,
    })
}
