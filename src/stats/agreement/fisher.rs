//! The F distribution, from the incomplete beta function.
//!
//! The quantile is found by halving, since the degrees of freedom of an interval need not be whole, and may lie far from each
//! other.

use crate::stats::beta::beta_below;

/// P(F > x) of the F distribution with `d1` and `d2` degrees of freedom; none for arguments that are no numbers above 0.
pub fn f_p(x: f64, d1: f64, d2: f64) -> Option<f64> {
    if x == 0.0 {
        return Some(1.0);
    }
    if x == f64::INFINITY {
        return Some(0.0);
    }
    if !(x > 0.0 && d1 > 0.0 && d2 > 0.0) {
        return None;
    }
    // d2/(d1·x + d2) and what it lacks to 1, both of which stay finite for large x.
    let times = x * (d1 / d2);
    beta_below(
        d2 / 2.0,
        d1 / 2.0,
        1.0 / (1.0 + times),
        1.0 / (1.0 + 1.0 / times),
    )
}

/// The x with P(F > x) = `upper`.
pub fn f_critical(upper: f64, d1: f64, d2: f64) -> Option<f64> {
    if !(upper > 0.0 && upper < 1.0) {
        return None;
    }
    // Halving ln x: so many steps leave no two doubles apart.
    let (mut low, mut high) = (-700.0_f64, 700.0_f64);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if f_p(middle.exp(), d1, d2)? > upper {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high).exp();
    (x > 1e-300 && x < 1e300).then_some(x)
}
