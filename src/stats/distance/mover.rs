//! The earth mover's distance of two samples: how far values must be moved, on average, to turn one into the other.

use super::{sorted, too_few};
use crate::stats::{Code, NoValue};
use crate::stats::{exact_sum, mean};

/// The distance, plain and without the difference of means.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The 1-Wasserstein distance.
    pub distance: f64,
    /// The same after each sample's own mean is taken off its values.
    pub centred: f64,
    /// The mean of the first less that of the second.
    pub shift: f64,
}

/// The area between both empirical distributions (Y. Rubner, C. Tomasi and L. J. Guibas, International Journal of Computer
/// Vision 40, 2000; on a line it is ∫|F − G|, S. S. Vallender, Theory of Probability and its Applications 18, 1974).
pub fn earth_mover(a: &[f64], b: &[f64]) -> Result<Mover, NoValue> {
    if a.is_empty() || b.is_empty() {
        return Err(too_few("a sample is empty"));
    }
    let too_large = || NoValue::new(Code::Undefined, "the values are too large to be subtracted");
    let means = mean(a).zip(mean(b)).ok_or_else(too_large)?;
    let (a, b) = (sorted(a), sorted(b));
    let off = |values: &[f64], mean: f64| values.iter().map(|value| value - mean).collect();
    let centred: [Vec<f64>; 2] = [off(&a, means.0), off(&b, means.1)];
    let moved = Mover {
        distance: area(&a, &b).ok_or_else(too_large)?,
        centred: area(&centred[0], &centred[1]).ok_or_else(too_large)?,
        shift: means.0 - means.1,
    };
    if moved.shift.is_finite() {
        Ok(moved)
    } else {
        Err(too_large())
    }
}

/// ∫|F − G| of sorted values.
fn area(a: &[f64], b: &[f64]) -> Option<f64> {
    let (n1, n2) = (a.len(), b.len());
    let (mut i, mut j) = (0, 0);
    let mut parts = Vec::with_capacity(n1 + n2);
    let mut last = a[0].min(b[0]);
    // Beyond the end of one sample the gap narrows until the other's ends as well.
    while i < n1 || j < n2 {
        let first = j == n2 || (i < n1 && a[i] <= b[j]);
        let next = if first { a[i] } else { b[j] };
        let gap = (i as f64 * n2 as f64 - j as f64 * n1 as f64).abs();
        parts.push((next - last) * (gap / (n1 as f64 * n2 as f64)));
        last = next;
        if first {
            i += 1;
        } else {
            j += 1;
        }
    }
    exact_sum(parts)
}
