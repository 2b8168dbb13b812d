//! Exact distributions of sums: over all signs of the observed ranks or differences, and over all splits of ranks in two.
//!
//! Both go through the numbers one by one and keep how likely each sum is. Only probabilities are multiplied and added, never
//! subtracted, so that the smallest tails keep their digits.

use crate::stats::Tail;

/// How likely an exact distribution gives a value as extreme as the observed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails {
    /// At most the observed.
    pub below: f64,
    /// At least the observed.
    pub above: f64,
    /// At least as far from the middle.
    pub both: f64,
}

impl Tails {
    /// The p-value in a direction.
    pub fn p(self, tail: Tail) -> f64 {
        match tail {
            Tail::TwoSided => self.both,
            Tail::Greater => self.above,
            Tail::Less => self.below,
        }
        .min(1.0)
    }

    /// Of probabilities of the sums from 0 on; `far` says how far from the middle a sum is.
    fn of(probabilities: &[f64], observed: usize, far: impl Fn(usize) -> usize) -> Self {
        let mut tails = Self {
            below: 0.0,
            above: 0.0,
            both: 0.0,
        };
        for (sum, p) in probabilities.iter().enumerate() {
            if sum <= observed {
                tails.below += p;
            }
            if sum >= observed {
                tails.above += p;
            }
            if far(sum) >= far(observed) {
                tails.both += p;
            }
        }
        tails
    }
}

/// The sum of those `weights` that get a plus, where each sign is as likely as the other.
///
/// Time is their number times their sum.
pub(super) fn of_signs(weights: &[usize], observed: usize) -> Tails {
    let total: usize = weights.iter().sum();
    let mut probabilities = vec![0.0; total + 1];
    probabilities[0] = 1.0;
    let mut reach = 0;
    for &weight in weights {
        reach += weight;
        for sum in (0..=reach).rev() {
            let with = sum
                .checked_sub(weight)
                .map_or(0.0, |sum| probabilities[sum]);
            probabilities[sum] = f64::midpoint(probabilities[sum], with);
        }
    }
    Tails::of(&probabilities, observed, |sum| (2 * sum).abs_diff(total))
}

/// The sum of `chosen` of the `weights`, where every choice of so many is as likely; none where that takes more than
/// `most` steps.
pub(super) fn of_splits(
    weights: &[usize],
    chosen: usize,
    observed: usize,
    most: usize,
) -> Option<Tails> {
    let all = weights.len();
    let mut sorted = weights.to_vec();
    sorted.sort_unstable();
    let largest: usize = sorted.iter().rev().take(chosen).sum();
    let width = largest + 1;
    let steps = all.checked_mul(chosen + 1)?.checked_mul(width)?;
    if steps > most {
        return None;
    }
    // The place of (how many are chosen so far, their sum).
    let mut probabilities = vec![0.0; (chosen + 1) * width];
    probabilities[0] = 1.0;
    for (seen, &weight) in sorted.iter().enumerate() {
        let left = (all - seen) as f64;
        for count in (0..=chosen.min(seen + 1)).rev() {
            // It is chosen as often as there is room left for it.
            let passed = (left - (chosen - count) as f64).max(0.0) / left;
            let taken = (chosen + 1 - count) as f64 / left;
            for sum in (0..width).rev() {
                let place = count * width + sum;
                let mut p = probabilities[place] * passed;
                if count > 0 && sum >= weight {
                    p += probabilities[place - width - weight] * taken;
                }
                probabilities[place] = p;
            }
        }
    }
    let total: usize = sorted.iter().sum();
    // The mean of the sum is total·chosen/all, which need not be whole: all is measured in as many parts.
    let far = |sum: usize| (all * sum).abs_diff(total * chosen);
    Some(Tails::of(&probabilities[chosen * width..], observed, far))
}

/// Mid-ranks as whole numbers: doubled, unless none is a half.
pub(super) fn doubled(ranks: &[f64]) -> (Vec<usize>, f64) {
    let halves = ranks.iter().any(|rank| rank.fract() != 0.0);
    let times = if halves { 2.0 } else { 1.0 };
    let whole = ranks.iter().map(|rank| (rank * times) as usize).collect();
    (whole, times)
}
