//! Krippendorff's alpha.

use std::collections::BTreeMap;

use crate::stats::correlation::{Value, mid_ranks};
use crate::stats::describe::power_of_two;
use crate::stats::{Code, NoValue};
use crate::stats::{exact_sum, mean};

/// The most different values between which distances of the ratio level are computed: all pairs of them are gone through.
pub const MOST_FOR_RATIO: usize = 20_000;

/// The level of measurement, which says how far two values are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// 1 where they differ.
    Nominal,
    /// (the values that lie between them, and half of those on either)².
    Ordinal,
    /// (c − k)².
    Interval,
    /// ((c − k)/(c + k))², 0 of two zeros.
    Ratio,
}

/// Krippendorff's alpha, 1 − observed/expected disagreement (K. Krippendorff, "Content analysis", 3rd edition, 2013,
/// chapter 12), over units of any number of values. Units with one value are ignored, and their value does not enter the
/// expected disagreement.
///
/// Instead of the table of coincidences, distances are summed in each unit and over all values, in a closed form where there
/// is one: the squared differences of m values are 2m times the squared deviations from their mean, and the ordinal level is
/// the interval level of mid-ranks.
pub fn krippendorff(units: &[Vec<f64>], metric: Metric) -> Value {
    let units: Vec<&Vec<f64>> = units.iter().filter(|unit| unit.len() > 1).collect();
    let mut values: Vec<f64> = units.iter().copied().flatten().copied().collect();
    if values.is_empty() {
        return Err(NoValue::new(Code::SingleRater, "no item has two values"));
    }
    let first = values[0] + 0.0;
    if values
        .iter()
        .all(|value| (value + 0.0).total_cmp(&first).is_eq())
    {
        return Err(NoValue::new(Code::SingleCategory, "all values are equal"));
    }
    if metric == Metric::Ratio && values.iter().any(|value| *value < 0.0) {
        let why = "values below 0 have no ratio";
        return Err(NoValue::new(Code::InvalidParameter, why));
    }
    match metric {
        Metric::Ordinal => values = mid_ranks(&values),
        Metric::Interval | Metric::Ratio => {
            // By a power of two, which rounds nothing.
            let scale = power_of_two(values.iter().fold(0.0, |most, value| most.max(value.abs())));
            for value in &mut values {
                *value /= scale;
            }
        }
        Metric::Nominal => {}
    }
    let large = || NoValue::new(Code::Undefined, "the numbers are too large for it");
    let (mut observed, mut rest) = (Vec::with_capacity(units.len()), &values[..]);
    for unit in units {
        let (own, after) = rest.split_at(unit.len());
        rest = after;
        observed.push(apart(own, metric)? / (own.len() as f64 - 1.0));
    }
    let observed = exact_sum(observed).ok_or_else(large)?;
    let expected = apart(&values, metric)? / (values.len() as f64 - 1.0);
    if expected <= 0.0 {
        let why = "the values differ by rounding only";
        return Err(NoValue::new(Code::SingleCategory, why));
    }
    Ok(1.0 - observed / expected)
}

/// The sum of the distances of all ordered pairs of values.
fn apart(values: &[f64], metric: Metric) -> Value {
    let large = || NoValue::new(Code::Undefined, "the numbers are too large for it");
    let n = values.len() as f64;
    match metric {
        Metric::Nominal => {
            let same: f64 = counts(values).iter().map(|(_, count)| count * count).sum();
            Ok(n * n - same)
        }
        Metric::Ordinal | Metric::Interval => {
            let center = mean(values).ok_or_else(large)?;
            let squares = exact_sum(values.iter().map(|value| (value - center).powi(2)));
            squares.map(|squares| 2.0 * n * squares).ok_or_else(large)
        }
        Metric::Ratio => {
            let counts = counts(values);
            if counts.len() > MOST_FOR_RATIO {
                let different = counts.len();
                let why = format!(
                    "{different} different values; ratios are computed for up to {MOST_FOR_RATIO}"
                );
                return Err(NoValue::new(Code::TooMany, why));
            }
            let mut sum = 0.0;
            for (index, (c, times)) in counts.iter().enumerate() {
                for (k, others) in &counts[index + 1..] {
                    sum += 2.0 * times * others * ((c - k) / (c + k)).powi(2);
                }
            }
            Ok(sum)
        }
    }
}

/// The different values in their order, with how often each occurs.
fn counts(values: &[f64]) -> Vec<(f64, f64)> {
    let mut counts = BTreeMap::<u64, f64>::new();
    let ordered = |value: f64| {
        let bits = (value + 0.0).to_bits();
        // The bits of doubles in the order of the numbers.
        if bits >> 63 == 1 {
            !bits
        } else {
            bits | 1 << 63
        }
    };
    let back = |bits: u64| {
        f64::from_bits(if bits >> 63 == 1 {
            bits & !(1 << 63)
        } else {
            !bits
        })
    };
    for &value in values {
        *counts.entry(ordered(value)).or_default() += 1.0;
    }
    counts
        .into_iter()
        .map(|(bits, count)| (back(bits), count))
        .collect()
}
