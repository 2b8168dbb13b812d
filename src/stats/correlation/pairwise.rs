//! Pairwise accuracy, where both sides may tie.

use super::{Value, kendall};
use crate::stats::steps::denominator;
use crate::stats::{Code, NoValue};

/// The most pairs over which the best threshold is sought: they are held at once.
pub const MOST_PAIRS: u64 = 4_000_000;

/// Units of the fixed-point numbers in which shares are summed, so that equal shares are found equal.
const ONE: i128 = 1 << 96;

/// Pairwise accuracy over groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairwise {
    /// How many groups have two rows or more.
    pub groups: usize,
    /// How many pairs they have together.
    pub pairs: u64,
    /// The accuracy where only equal values are ties.
    pub accuracy: Value,
    /// The largest difference that counts as a tie, such that the accuracy is best; the smallest one of several.
    pub epsilon: Value,
    /// The accuracy with it.
    pub best: Value,
}

/// Of each group of (value, reference) the share of pairs that both sides order or tie the same; the mean over groups
/// (D. Deutsch, G. Foster and M. Freitag, "Ties matter", EMNLP 2023, there called acc-eq with tie calibration).
///
/// Two values tie where they differ by at most ε; the references tie where they are equal. Candidates for ε are 0 and every
/// difference that occurs. Groups of fewer than two rows have no pairs. The threshold is sought among at most [`MOST_PAIRS`]
/// pairs; the accuracy at 0 has no limit.
pub fn pairwise(groups: &[Vec<(f64, f64)>]) -> Pairwise {
    let groups: Vec<&Vec<(f64, f64)>> = groups.iter().filter(|group| group.len() > 1).collect();
    let pairs_of = |group: &[(f64, f64)]| group.len() as u64 * (group.len() as u64 - 1) / 2;
    let pairs = groups.iter().map(|group| pairs_of(group)).sum();
    let mut result = Pairwise {
        groups: groups.len(),
        pairs,
        accuracy: Err(NoValue::new(Code::TooFew, "no group has two complete rows")),
        epsilon: Err(NoValue::new(Code::TooFew, "no group has two complete rows")),
        best: Err(NoValue::new(Code::TooFew, "no group has two complete rows")),
    };
    if groups.is_empty() {
        return result;
    }
    let share = |sum: i128| sum as f64 / ONE as f64 / groups.len() as f64;
    let weight = |group: &[(f64, f64)]| ONE / i128::from(pairs_of(group));
    let start: i128 = groups
        .iter()
        .map(|group| {
            let (values, references): (Vec<f64>, Vec<f64>) = group.iter().copied().unzip();
            let counts = kendall(&values, &references);
            i128::from(counts.concordant + counts.tied_both) * weight(group)
        })
        .sum();
    result.accuracy = Ok(share(start));
    if pairs > MOST_PAIRS {
        let why = format!("{pairs} pairs; a threshold is sought among up to {MOST_PAIRS}");
        result.epsilon = Err(NoValue::new(Code::TooMany, why.clone()));
        result.best = Err(NoValue::new(Code::TooMany, why));
        return result;
    }
    // 4.3 - 4.1 and 3.3 - 3.1 are one threshold: differences are taken of whole steps, where there are some.
    let values: Vec<f64> = groups.iter().copied().flatten().map(|row| row.0).collect();
    let step = denominator(&[&values]);
    let of_steps = |value: f64| step.map_or(value, |one| (value * one).round());
    let changes = groups
        .iter()
        .flat_map(|group| changes(group, of_steps, weight(group)));
    let (epsilon, best) = best(start, changes.collect(), i128::from(pairs));
    result.epsilon = Ok(epsilon / step.unwrap_or(1.0));
    result.best = Ok(share(best));
    result
}

/// What becomes of each pair that is not tied once its difference counts as a tie: it turns right or wrong.
fn changes(group: &[(f64, f64)], of_steps: impl Fn(f64) -> f64, weight: i128) -> Vec<(f64, i128)> {
    let mut changes = Vec::new();
    for (index, left) in group.iter().enumerate() {
        for right in &group[index + 1..] {
            let difference = of_steps(left.0) - of_steps(right.0);
            if difference == 0.0 {
                continue;
            }
            let gain = if left.1 - right.1 == 0.0 {
                weight
            } else if (difference > 0.0) == (left.1 > right.1) {
                -weight
            } else {
                0
            };
            changes.push((difference.abs(), gain));
        }
    }
    changes
}

/// The smallest threshold with the largest sum.
fn best(start: i128, mut changes: Vec<(f64, i128)>, rounding: i128) -> (f64, i128) {
    changes.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let (mut sum, mut best) = (start, (0.0, start));
    for tied in changes.chunk_by(|left, right| left.0.total_cmp(&right.0).is_eq()) {
        sum += tied.iter().map(|(_, gain)| gain).sum::<i128>();
        // Each pair's weight is rounded by less than one unit; less than all of them together is no difference.
        if sum > best.1 + rounding && tied[0].0.is_finite() {
            best = (tied[0].0, sum);
        }
    }
    best
}
