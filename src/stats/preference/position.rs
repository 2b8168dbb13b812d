//! How much a judge's choice hangs on who is shown first.
//!
//! Documents judged in both orders show it directly (`swaps`). Where each was judged in one order only, the contender's share
//! of wins is compared between the orders (`order_effect`): a regression on the order, whose standard error is clustered with
//! the factor G/(G - 1)·(N - 1)/(N - 2).
//! This file must not know documents or names.

use crate::stats::describe::check_finite;
use crate::stats::{Code, NoValue};
use crate::stats::{StatsError, exact_sum, mean};

/// Counts of documents that were judged in both orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swaps {
    /// How many.
    pub pairs: usize,
    /// The same winner twice, or a tie twice.
    pub consistent: usize,
    /// The winner changes with the order.
    pub flips: usize,
    /// A tie in one order only.
    pub partial: usize,
    /// Flips in which whoever was first won.
    pub first_both: usize,
    /// Flips in which whoever was second won.
    pub second_both: usize,
}

/// Counts what becomes of a choice when the order is changed; each pair is the share of one contender, shown first and second.
pub fn swaps(both: impl IntoIterator<Item = [f64; 2]>) -> Swaps {
    let mut swaps = Swaps::default();
    let sign = |share: f64| match share {
        share if share > 0.5 => 1,
        share if share < 0.5 => -1,
        _ => 0,
    };
    for [first, second] in both {
        swaps.pairs += 1;
        match (sign(first), sign(second)) {
            (first, second) if first == second => swaps.consistent += 1,
            (0, _) | (_, 0) => swaps.partial += 1,
            (first, _) => {
                swaps.flips += 1;
                swaps.first_both += usize::from(first > 0);
                swaps.second_both += usize::from(first < 0);
            }
        }
    }
    swaps
}

/// How much more of the win is the contender's when it is shown second.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderEffect {
    /// Its mean share where it is shown first.
    pub shown_first: Result<f64, NoValue>,
    /// Its mean share where it is shown second.
    pub shown_second: Result<f64, NoValue>,
    /// The second less the first.
    pub effect: Result<f64, NoValue>,
    /// As if comparisons were independent.
    pub se_naive: Result<f64, NoValue>,
    /// Of clusters.
    pub se: Result<f64, NoValue>,
    /// How many clusters.
    pub clusters: usize,
}

/// Compares shares between the orders: `(share, whether the contender was second, cluster)`.
pub fn order_effect(rows: &[(f64, bool, usize)]) -> Result<OrderEffect, StatsError> {
    check_finite(&rows.iter().map(|row| row.0).collect::<Vec<_>>())?;
    let of = |second: bool| {
        let shares: Vec<f64> = rows
            .iter()
            .filter(|row| row.1 == second)
            .map(|row| row.0)
            .collect();
        let place = if second { "second" } else { "first" };
        let none = || {
            NoValue::new(
                Code::TooFew,
                format!("the contender is never shown {place}"),
            )
        };
        mean(&shares)
            .ok_or_else(none)
            .map(|mean| (mean, shares.len() as f64))
    };
    let (first, second) = (of(false), of(true));
    let mut clusters: Vec<usize> = rows.iter().map(|row| row.2).collect();
    clusters.sort_unstable();
    clusters.dedup();
    let mut found = OrderEffect {
        shown_first: first.clone().map(|first| first.0),
        shown_second: second.clone().map(|second| second.0),
        effect: Err(NoValue::new(Code::TooFew, "there is no comparison")),
        se_naive: Err(NoValue::new(Code::TooFew, "there is no comparison")),
        se: Err(NoValue::new(Code::TooFew, "there is no comparison")),
        clusters: clusters.len(),
    };
    let ((first, firsts), (second, seconds)) = match (first, second) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(why), _) | (_, Err(why)) => {
            (found.effect, found.se_naive, found.se) =
                (Err(why.clone()), Err(why.clone()), Err(why));
            return Ok(found);
        }
    };
    found.effect = Ok(second - first);
    let n = rows.len() as f64;
    if rows.len() < 3 {
        let why = NoValue::new(
            Code::TooFew,
            "a standard error needs at least 3 comparisons",
        );
        (found.se_naive, found.se) = (Err(why.clone()), Err(why));
        return Ok(found);
    }
    let rest = |row: &(f64, bool, usize)| row.0 - if row.1 { second } else { first };
    let squares = exact_sum(rows.iter().map(|row| rest(row).powi(2))).unwrap_or(0.0);
    found.se_naive = Ok((squares / (n - 2.0) * (1.0 / firsts + 1.0 / seconds)).sqrt());
    // What a row adds to the difference of the means.
    let pull =
        |row: &(f64, bool, usize)| rest(row) * if row.1 { 1.0 / seconds } else { -1.0 / firsts };
    let mut pulls: Vec<(usize, f64)> = rows.iter().map(|row| (row.2, pull(row))).collect();
    pulls.sort_unstable_by_key(|pull| pull.0);
    let of_cluster = |part: &[(usize, f64)]| {
        exact_sum(part.iter().map(|pull| pull.1))
            .unwrap_or(0.0)
            .powi(2)
    };
    let sum = exact_sum(pulls.chunk_by(|a, b| a.0 == b.0).map(of_cluster)).unwrap_or(0.0);
    let groups = clusters.len() as f64;
    found.se = if clusters.len() < 2 {
        let why = "all comparisons are of one cluster, so nothing says how much clusters vary";
        Err(NoValue::new(Code::TooFew, why))
    } else {
        Ok((sum * groups / (groups - 1.0) * (n - 1.0) / (n - 2.0)).sqrt())
    };
    Ok(found)
}
