//! Correctly rounded sums of floating-point numbers.
//!
//! Rows reach a statistic in an order that depends on joins and file names. A sum that is rounded
//! once, at the end, cannot see that order, so equal data give equal bytes.
//! This file must not know what is summed.

/// The sum of finite `values`, rounded once to the nearest double, ties to even.
///
/// Identical for every permutation of the values, and `exact_sum(-v) == -exact_sum(v)`.
/// Method: an expansion of non-overlapping parts (J. R. Shewchuk, "Adaptive precision
/// floating-point arithmetic", Discrete & Computational Geometry 18, 1997, section 2.4).
/// Exact as long as no partial sum exceeds the largest double; callers scale large values first.
/// An empty input gives 0, and a zero result is always positive zero.
///
/// Returns `None` where a value or a partial sum is not finite.
pub fn exact_sum(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut parts: Vec<f64> = Vec::new();
    for value in values {
        grow(&mut parts, value);
        if !parts.last().is_none_or(|largest| largest.is_finite()) {
            return None;
        }
    }
    Some(round(&parts))
}

/// Adds `value` to the expansion without loss; parts stay non-overlapping, smallest first, none zero.
fn grow(parts: &mut Vec<f64>, value: f64) {
    let mut carry = value;
    let mut kept = 0;
    for index in 0..parts.len() {
        let (sum, rest) = two_sum(carry, parts[index]);
        if rest != 0.0 {
            parts[kept] = rest;
            kept += 1;
        }
        carry = sum;
    }
    parts.truncate(kept);
    if carry != 0.0 {
        parts.push(carry);
    }
}

/// `a + b` as the rounded sum and the exact rounding error (Knuth's branch-free form).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_seen = sum - a;
    let a_seen = sum - b_seen;
    (sum, (a - a_seen) + (b - b_seen))
}

/// The double nearest to the expansion's value.
fn round(parts: &[f64]) -> f64 {
    let Some((&largest, below)) = parts.split_last() else {
        return 0.0;
    };
    let mut total = largest;
    let mut below = below.iter().rev();
    while let Some(&part) = below.next() {
        let (sum, rest) = two_sum(total, part);
        total = sum;
        if rest == 0.0 {
            continue;
        }
        // `rest` is what rounding left out. Only when it was exactly half a unit can the parts
        // below it tip the balance: they then say on which side of the tie the true value lies.
        let next = below.next().copied().unwrap_or(0.0);
        if (rest > 0.0) == (next > 0.0) && next != 0.0 {
            let (tipped, left) = two_sum(total, 2.0 * rest);
            if left == 0.0 {
                total = tipped;
            }
        }
        break;
    }
    total
}
