//! How much of the variance of scores lies between items and how much within them, between repeats.
//!
//! One-way random effects with unequal numbers of repeats (S. Searle, G. Casella and C. `McCulloch`, "Variance components",
//! 1992, section 3.6): var within = MSW, var between = (MSB - MSW)/n0 with n0 = (N - Σn²/N)/(a - 1) over a items.
//! This file must not know what an item or a repeat is.

use super::describe::{check_finite, power_of_two};
use super::{Code, NoValue};
use super::{StatsError, exact_sum, mean};

/// The parts of a variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variance {
    /// How many items.
    pub items: usize,
    /// How many values.
    pub n: usize,
    /// Mean square between items.
    pub ms_between: f64,
    /// Mean square within items.
    pub ms_within: f64,
    /// What a mean number of repeats is here.
    pub n0: f64,
    /// Variance between repeats of an item.
    pub within: f64,
    /// Variance between items as the formula gives it; below 0 where repeats vary more than items.
    pub between_raw: f64,
    /// The same, at least 0.
    pub between: f64,
}

impl Variance {
    /// The share of the variance of a single value that lies within items.
    pub fn share_within(&self) -> Result<f64, NoValue> {
        let all = self.within + self.between;
        if all > 0.0 {
            Ok(self.within / all)
        } else {
            Err(NoValue::new(Code::Constant, "nothing varies"))
        }
    }

    /// The standard error of the mean of these items with so many repeats each.
    pub fn se(&self, repeats: f64) -> f64 {
        ((self.between + self.within / repeats) / self.items as f64).sqrt()
    }

    /// How many repeats of each item would halve the standard error.
    pub fn repeats_to_halve(&self) -> Result<f64, NoValue> {
        let now = self.between + self.within / self.n0;
        if now <= 0.0 {
            return Err(NoValue::new(
                Code::ZeroError,
                "the standard error is 0 already",
            ));
        }
        let left = now / 4.0 - self.between;
        if left <= 0.0 {
            let why =
                "no number of repeats halves it, since items differ too much; take more items";
            return Err(NoValue::new(Code::Undefined, why));
        }
        Ok((self.within / left).ceil())
    }
}

/// Takes the variance of `values` apart, of which `items` gives the item of each, from 0 on.
///
/// No value where there are fewer than two items, or no item has two values.
pub fn variance(values: &[f64], items: &[usize]) -> Result<Result<Variance, NoValue>, StatsError> {
    check_finite(values)?;
    let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let scale = power_of_two(largest);
    let mut members: Vec<Vec<f64>> = Vec::new();
    for (&value, &item) in values.iter().zip(items) {
        if members.len() <= item {
            members.resize_with(item + 1, Vec::new);
        }
        members[item].push(value / scale);
    }
    members.retain(|members| !members.is_empty());
    Ok(of_members(&members, scale))
}

fn of_members(members: &[Vec<f64>], scale: f64) -> Result<Variance, NoValue> {
    let items = members.len();
    let n: usize = members.iter().map(Vec::len).sum();
    if items < 2 {
        let why = format!("variance between items needs at least 2 of them, here is {items}");
        return Err(NoValue::new(Code::TooFew, why));
    }
    if n == items {
        let why = "no item has 2 values, so variance within items cannot be told from variance between them";
        return Err(NoValue::new(Code::TooFew, why));
    }
    let all: Vec<f64> = members.iter().flatten().copied().collect();
    let middle = mean(&all).unwrap_or(0.0);
    let means: Vec<f64> = members.iter().map(|own| mean(own).unwrap_or(0.0)).collect();
    let parts = || members.iter().zip(&means);
    let sum = |terms: &mut dyn Iterator<Item = f64>| exact_sum(terms).unwrap_or(0.0);
    let square = |value: f64| value * value;
    let between = sum(&mut parts().map(|(own, mean)| own.len() as f64 * square(mean - middle)));
    let within =
        sum(&mut parts().flat_map(|(own, mean)| own.iter().map(move |value| square(value - mean))));
    let squared_sizes = sum(&mut members.iter().map(|own| square(own.len() as f64)));
    let free = (items - 1) as f64;
    let n0 = (n as f64 - squared_sizes / n as f64) / free;
    let (ms_between, ms_within) = (between / free, within / (n - items) as f64);
    let between_raw = (ms_between - ms_within) / n0;
    let unit = scale * scale;
    if !(unit * (ms_between + ms_within)).is_finite() {
        return Err(NoValue::new(
            Code::Undefined,
            "the values are too large for a variance",
        ));
    }
    Ok(Variance {
        items,
        n,
        ms_between: ms_between * unit,
        ms_within: ms_within * unit,
        n0,
        within: ms_within * unit,
        between_raw: between_raw * unit,
        between: between_raw.max(0.0) * unit,
    })
}
