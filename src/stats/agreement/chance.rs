//! Agreement of any number of raters, corrected for chance.

use std::collections::BTreeMap;

use super::{Ratings, Weights};
use crate::stats::correlation::{Ends, Value};
use crate::stats::{Code, NoValue};
use crate::stats::{Sides, exact_sum, mean, t_critical};

/// What agreement by chance is taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Fleiss' kappa: Σ wₖₗ πₖ πₗ. With two raters it is Scott's pi.
    Fleiss,
    /// Gwet's AC1 and AC2: Σw/(q(q − 1)) · Σ πₖ(1 − πₖ).
    Gwet,
}

/// An agreement coefficient with what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrected {
    /// How many items have a label.
    pub items: usize,
    /// The weighted share of agreement, the mean over items with two labels or more.
    pub observed: Value,
    /// What chance is taken to give.
    pub expected: Value,
    /// (observed − expected)/(1 − expected).
    pub coefficient: Value,
    /// Its standard error over items.
    pub se: Value,
    /// Its interval, of t with as many degrees of freedom as there are items, less one; cut to [−1, 1].
    pub interval: Ends,
}

impl Corrected {
    fn without(items: usize, why: &NoValue) -> Self {
        Self {
            items,
            observed: Err(why.clone()),
            expected: Err(why.clone()),
            coefficient: Err(why.clone()),
            se: Err(why.clone()),
            interval: Err(why.clone()),
        }
    }
}

/// An item as the coefficients see it.
struct Item {
    /// How many labels it has.
    labels: usize,
    /// The weighted share of pairs that agree; none of a single label.
    agreement: Option<f64>,
    /// How often each category occurs.
    counts: BTreeMap<usize, usize>,
}

/// Fleiss' kappa (J. L. Fleiss, Psychological Bulletin 76, 1971) or Gwet's AC (K. L. Gwet, British Journal of Mathematical
/// and Statistical Psychology 61, 2008), both in the form of Gwet's "Handbook of inter-rater reliability" (4th edition,
/// chapters 2 to 5) that lets labels be missing: shares of categories are over all items with a label, agreement over those
/// with two or more. The standard error is conditional on the raters and linear in items.
pub fn corrected(ratings: &Ratings, weights: Weights, chance: Chance, level: f64) -> Corrected {
    let q = ratings.categories;
    let items: Vec<Item> = items(ratings, weights);
    let none = |code, why: &str| Corrected::without(items.len(), &NoValue::new(code, why));
    if let Err(why) = weights.check(q) {
        return Corrected::without(items.len(), &why);
    }
    let agreements: Vec<f64> = items.iter().filter_map(|item| item.agreement).collect();
    let Some(observed) = mean(&agreements) else {
        return none(Code::SingleRater, "no item has two labels");
    };
    let shares = shares(&items, q);
    let by_chance = match chance {
        Chance::Fleiss => weights.against(&shares),
        Chance::Gwet => {
            let factor = weight_sum(weights, q) / (q as f64 * (q as f64 - 1.0));
            shares.iter().map(|share| factor * (1.0 - share)).collect()
        }
    };
    let expected: f64 = shares.iter().zip(&by_chance).map(|(a, b)| a * b).sum();
    let occurring = shares.iter().filter(|share| **share > 0.0).count();
    let single = match chance {
        Chance::Fleiss => occurring < 2,
        Chance::Gwet => q < 2,
    };
    let mut result = none(Code::SingleCategory, "only one category occurs");
    result.observed = Ok(observed);
    if single {
        return result;
    }
    result.expected = Ok(expected);
    let coefficient = (observed - expected) / (1.0 - expected);
    result.coefficient = Ok(coefficient);
    let (se, interval) = match se(&items, &by_chance, expected, coefficient) {
        Ok(se) => (Ok(se), interval(coefficient, se, items.len(), level)),
        Err(why) => (Err(why.clone()), Err(why)),
    };
    (result.se, result.interval) = (se, interval);
    result
}

fn items(ratings: &Ratings, weights: Weights) -> Vec<Item> {
    let q = ratings.categories;
    let counts = ratings.counts().into_iter();
    counts
        .map(|counts| {
            let labels: usize = counts.values().sum();
            let agreeing = |(&i, &count): (&usize, &usize)| {
                let alike = counts
                    .iter()
                    .map(|(&j, &count)| weights.of(i, j, q) * count as f64);
                count as f64 * (alike.sum::<f64>() - 1.0)
            };
            let pairs = labels as f64 * (labels as f64 - 1.0);
            let agreement = || counts.iter().map(agreeing).sum::<f64>() / pairs;
            Item {
                labels,
                agreement: (labels > 1).then(agreement),
                counts,
            }
        })
        .collect()
}

/// The mean share of each category on an item.
fn shares(items: &[Item], q: usize) -> Vec<f64> {
    // Counted by the number of labels first, so that the order of items does not reach the sum.
    let mut counts = BTreeMap::<(usize, usize), usize>::new();
    for item in items {
        for (&category, &count) in &item.counts {
            *counts.entry((category, item.labels)).or_default() += count;
        }
    }
    let mut shares = vec![0.0; q];
    for ((category, labels), count) in counts {
        shares[category] += count as f64 / labels as f64;
    }
    shares.iter().map(|sum| sum / items.len() as f64).collect()
}

/// The sum of all weights.
fn weight_sum(weights: Weights, q: usize) -> f64 {
    weights.against(&vec![1.0; q]).iter().sum()
}

fn se(items: &[Item], by_chance: &[f64], expected: f64, coefficient: f64) -> Value {
    let n = items.len() as f64;
    if items.len() < 2 {
        return Err(NoValue::new(
            Code::TooFew,
            "its standard error takes 2 items",
        ));
    }
    let rated_twice = items.iter().filter(|item| item.agreement.is_some()).count() as f64;
    let own = |item: &Item| {
        let agreement = item.agreement.map_or(0.0, |agreement| {
            n / rated_twice * (agreement - expected) / (1.0 - expected)
        });
        let counts = item.counts.iter();
        let chance: f64 = counts
            .map(|(&category, &count)| by_chance[category] * count as f64)
            .sum::<f64>()
            / item.labels as f64;
        let drift = 2.0 * (1.0 - coefficient) * (chance - expected) / (1.0 - expected);
        agreement - drift - coefficient
    };
    let squares = exact_sum(items.iter().map(|item| own(item).powi(2)));
    let none = || NoValue::new(Code::Undefined, "its variance is no finite number");
    squares
        .map(|squares| (squares / (n * (n - 1.0))).sqrt())
        .ok_or_else(none)
}

fn interval(coefficient: f64, se: f64, items: usize, level: f64) -> Ends {
    let none = || NoValue::new(Code::InvalidParameter, "the level has no quantile");
    let t = t_critical(level, items as f64 - 1.0, Sides::Two).ok_or_else(none)?;
    let cut = |end: f64| end.clamp(-1.0, 1.0);
    Ok((cut(coefficient - t * se), cut(coefficient + t * se)))
}
