//! Intervals of a share that err on the safe side.

use crate::stats::binomial::{at_least, at_most};
use crate::stats::{Interval, Sides, normal_critical};

/// Steps after which an end is found to the last digit.
const MOST_STEPS: u32 = 200;

/// Wilson's score interval with continuity correction (R. G. Newcombe, Statistics in Medicine 17, 1998, 857, method 4).
///
/// `None` for n = 0, hits above n, or a level not strictly between 0 and 1.
pub fn wilson_corrected(hits: u64, n: u64, level: f64) -> Option<Interval> {
    if n == 0 || hits > n {
        return None;
    }
    let z = normal_critical(level, Sides::Two)?;
    let (trials, p, q) = (
        n as f64,
        hits as f64 / n as f64,
        (n - hits) as f64 / n as f64,
    );
    let of = |sign: f64| {
        let root = z * z - sign * 2.0 - 1.0 / trials + 4.0 * p * (trials * q + sign);
        let middle = 2.0 * trials * p + z * z - sign;
        (middle - sign * z * root.max(0.0).sqrt()) / (2.0 * (trials + z * z))
    };
    let low = if hits == 0 { 0.0 } else { of(1.0).max(0.0) };
    let high = if hits == n { 1.0 } else { of(-1.0).min(1.0) };
    Interval::new(low.min(p), high.max(p), level)
}

/// The interval of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934): all shares for which neither tail of the binomial
/// distribution, `hits` included, is below half of 1 − level. It never covers less than the level.
///
/// `None` for n = 0, hits above n, or a level not strictly between 0 and 1.
pub fn clopper_pearson(hits: u64, n: u64, level: f64) -> Option<Interval> {
    if n == 0 || hits > n || !(level > 0.0 && level < 1.0) {
        return None;
    }
    let half = (1.0 - level) / 2.0;
    let p = hits as f64 / n as f64;
    let low = if hits == 0 {
        0.0
    } else {
        crossing(0.0, p, |share| Some(at_least(hits, n, share)? < half))?
    };
    let high = if hits == n {
        1.0
    } else {
        crossing(p, 1.0, |share| Some(at_most(hits, n, share)? >= half))?
    };
    Interval::new(low.min(p), high.max(p), level)
}

/// Where `holds` ends to hold between `low`, where it does, and `high`.
///
/// Halves the ratio of the ends while they are magnitudes apart, so that a rare event keeps its digits.
fn crossing(mut low: f64, mut high: f64, holds: impl Fn(f64) -> Option<bool>) -> Option<f64> {
    for _ in 0..MOST_STEPS {
        let middle = if low > 0.0 && high > 2.0 * low {
            low.sqrt() * high.sqrt()
        } else if low == 0.0 && high > 1e-300 {
            high * 1e-3
        } else {
            f64::midpoint(low, high)
        };
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}
