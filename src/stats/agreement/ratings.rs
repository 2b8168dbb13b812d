//! Labels of items by raters, and how much a disagreement counts.

use std::collections::BTreeMap;

use crate::stats::correlation::Value;
use crate::stats::mean;
use crate::stats::{Code, NoValue};

/// The most categories between which weights other than those of identity are computed: all pairs of them are gone through.
pub const MOST_WEIGHTED: usize = 2_000;

/// How much of an agreement a pair of categories is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// 1 of the same category, 0 of others.
    Identity,
    /// 1 − |i − j|/(q − 1) of the places of q categories.
    Linear,
    /// 1 − ((i − j)/(q − 1))².
    Quadratic,
}

impl Weights {
    /// The weight of two of q categories.
    pub fn of(self, i: usize, j: usize, q: usize) -> f64 {
        let apart = || i.abs_diff(j) as f64 / (q as f64 - 1.0);
        match self {
            _ if i == j => 1.0,
            Self::Identity => 0.0,
            Self::Linear => 1.0 - apart(),
            Self::Quadratic => 1.0 - apart() * apart(),
        }
    }

    /// The mean weight of each category against categories of these shares.
    pub(super) fn against(self, shares: &[f64]) -> Vec<f64> {
        if self == Self::Identity {
            return shares.to_vec();
        }
        let q = shares.len();
        let mean = |i| {
            let weighted = shares.iter().enumerate();
            weighted.map(|(j, share)| self.of(i, j, q) * share).sum()
        };
        (0..q).map(mean).collect()
    }

    /// Refuses more categories than all pairs of which can be gone through.
    pub(super) fn check(self, categories: usize) -> Result<(), NoValue> {
        if self == Self::Identity || categories <= MOST_WEIGHTED {
            return Ok(());
        }
        let why =
            format!("{categories} categories; weights are computed for up to {MOST_WEIGHTED}");
        Err(NoValue::new(Code::TooMany, why))
    }
}

/// Labels: of each item, who gave which category. A rater labels an item at most once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// Of each item, the raters and the places of their labels among the categories.
    pub items: Vec<Vec<(usize, usize)>>,
    /// How many raters there are.
    pub raters: usize,
    /// How many categories there are, occurring or not.
    pub categories: usize,
}

/// Agreement without correction for chance.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// How many items have two labels or more.
    pub items: usize,
    /// The share of agreeing pairs of labels, item by item; the mean over items.
    pub agreement: Value,
    /// The share of agreeing pairs among the pairs of all items.
    pub pooled: Value,
    /// The share of items on which all agree.
    pub all_agree: Value,
}

impl Ratings {
    /// How often each category occurs on each item that has a label.
    pub(super) fn counts(&self) -> Vec<BTreeMap<usize, usize>> {
        let counts = self.items.iter().map(|item| {
            let mut counts = BTreeMap::new();
            for &(_, category) in item {
                *counts.entry(category).or_default() += 1;
            }
            counts
        });
        counts
            .filter(|counts: &BTreeMap<_, _>| !counts.is_empty())
            .collect()
    }

    /// The items that every rater labelled.
    #[must_use]
    pub fn complete(&self) -> Self {
        let items = self.items.iter().filter(|item| item.len() == self.raters);
        Self {
            items: items.cloned().collect(),
            ..*self
        }
    }

    /// Agreement without correction for chance.
    pub fn raw(&self) -> Raw {
        let (mut shares, mut agreeing, mut pairs, mut unanimous) = (Vec::new(), 0, 0, 0);
        for counts in self.counts() {
            let labels: usize = counts.values().sum();
            let of_item = labels * (labels - 1) / 2;
            if of_item == 0 {
                continue;
            }
            let agree: usize = counts.values().map(|count| count * (count - 1) / 2).sum();
            shares.push(agree as f64 / of_item as f64);
            (agreeing, pairs) = (agreeing + agree, pairs + of_item);
            unanimous += usize::from(agree == of_item);
        }
        let items = shares.len();
        let share = |part: usize, all: usize| {
            let none = || NoValue::new(Code::SingleRater, "no item has two labels");
            (all > 0).then(|| part as f64 / all as f64).ok_or_else(none)
        };
        Raw {
            items,
            agreement: share(0, items).map(|zero| mean(&shares).unwrap_or(zero)),
            pooled: share(agreeing, pairs),
            all_agree: share(unanimous, items),
        }
    }
}
