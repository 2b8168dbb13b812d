//! Strengths where ties are outcomes of their own (R. Davidson, JASA 65, 1970): P(i wins) : P(j wins) : P(tie) is
//! πi : πj : ν·√(πi·πj).
//!
//! In ln π and ln ν this is a log-linear model; it is fitted by Newton's method. This file must not know names.

use crate::stats::{Code, NoValue};

use super::bradley_terry::{add_level, se_difference};
use super::linear::Square;
use super::{Comparison, Games};

/// Newton's method is given up after so many steps; ten are many.
const MOST_STEPS: usize = 200;

/// Strengths, the weight of ties, and how sure they are.
#[derive(Clone, Debug)]
pub struct Davidson {
    /// ln π of each contender; their sum is 0.
    pub strengths: Vec<f64>,
    /// ln ν.
    pub log_nu: f64,
    /// Of the strengths and, last, of ln ν.
    covariance: Square,
}

impl Davidson {
    /// The standard error of a contender's strength.
    pub fn se(&self, contender: usize) -> f64 {
        self.covariance.at(contender, contender).max(0.0).sqrt()
    }

    /// The standard error of a difference of strengths.
    pub fn se_difference(&self, contender: usize, other: usize) -> f64 {
        se_difference(&self.covariance, contender, other)
    }

    /// The standard error of ln ν.
    pub fn se_log_nu(&self) -> f64 {
        self.se(self.strengths.len())
    }
}

/// Two that met: how often either won, and how often nobody.
struct Pair {
    one: usize,
    other: usize,
    won: f64,
    lost: f64,
    tied: f64,
}

impl Pair {
    fn games(&self) -> f64 {
        self.won + self.lost + self.tied
    }

    /// The probabilities of the outcomes under parameters.
    fn probabilities(&self, at: &[f64]) -> [f64; 3] {
        let half = (at[self.one] - at[self.other]) / 2.0;
        let logs = [half, -half, at[at.len() - 1]];
        let top = logs[0].max(logs[1]).max(logs[2]);
        let weights = logs.map(|log| (log - top).exp());
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }
}

/// Fits strengths to comparisons whose shares are 1, ½ or 0.
pub fn davidson(contenders: usize, comparisons: &[Comparison]) -> Result<Davidson, NoValue> {
    let outcome = |share: f64| {
        [1.0, 0.5, 0.0]
            .iter()
            .any(|outcome| (share - outcome).abs() < 1e-12)
    };
    if let Some(other) = comparisons
        .iter()
        .find(|comparison| !outcome(comparison.share))
    {
        let why = format!(
            "the model knows wins (1), ties (0.5) and losses (0), not {}",
            other.share
        );
        return Err(NoValue::new(Code::InvalidParameter, why));
    }
    let tie = |comparison: &&Comparison| (comparison.share - 0.5).abs() < 1e-12;
    let (tied, decided): (Vec<&Comparison>, Vec<&Comparison>) = comparisons.iter().partition(tie);
    let decided = Games::of(
        contenders,
        &decided.into_iter().copied().collect::<Vec<_>>(),
    );
    decided.check()?;
    if tied.is_empty() {
        let why = "there is no tie, so the weight of ties is 0; use the model of Bradley and Terry";
        return Err(NoValue::new(Code::NotIdentifiable, why));
    }
    let ties = Games::of(contenders, &tied.into_iter().copied().collect::<Vec<_>>());
    let all = Games::of(contenders, comparisons);
    let pair = |(one, other, _, _): (usize, usize, f64, f64)| Pair {
        one,
        other,
        won: decided.wins(one, other),
        lost: decided.wins(other, one),
        tied: 2.0 * ties.wins(one, other),
    };
    let pairs: Vec<Pair> = all.pairs().map(pair).collect();
    fit(contenders, &pairs).ok_or_else(|| {
        NoValue::new(
            Code::NotIdentifiable,
            "the strengths are too far apart to be fitted",
        )
    })
}

fn fit(contenders: usize, pairs: &[Pair]) -> Option<Davidson> {
    let mut at = vec![0.0; contenders + 1];
    let mut likelihood = log_likelihood(pairs, &at);
    for _ in 0..MOST_STEPS {
        let step = information(contenders, pairs, &at)
            .cholesky()?
            .solve(gradient(pairs, &at));
        let largest = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
        let mut share = 1.0;
        loop {
            let next: Vec<f64> = at
                .iter()
                .zip(&step)
                .map(|(at, step)| at + share * step)
                .collect();
            let there = log_likelihood(pairs, &next);
            if there >= likelihood || largest * share < 1e-6 {
                (at, likelihood) = (next, there);
                break;
            }
            share /= 2.0;
        }
        if largest < 1e-9 {
            let mut covariance = information(contenders, pairs, &at).cholesky()?.inverse();
            add_level(&mut covariance, contenders, -1.0);
            let log_nu = at.pop()?;
            let level = at.iter().sum::<f64>() / contenders as f64;
            return Some(Davidson {
                strengths: at.into_iter().map(|strength| strength - level).collect(),
                log_nu,
                covariance,
            });
        }
    }
    None
}

fn log_likelihood(pairs: &[Pair], at: &[f64]) -> f64 {
    let of = |pair: &Pair| {
        let counts = [pair.won, pair.lost, pair.tied];
        let probabilities = pair.probabilities(at);
        let term = |(count, p): (f64, f64)| if count > 0.0 { count * p.ln() } else { 0.0 };
        counts.into_iter().zip(probabilities).map(term).sum::<f64>()
    };
    pairs.iter().map(of).sum()
}

fn gradient(pairs: &[Pair], at: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; at.len()];
    for pair in pairs {
        let [won, _, tied] = pair.probabilities(at);
        let n = pair.games();
        let more = pair.won + pair.tied / 2.0 - n * (won + tied / 2.0);
        gradient[pair.one] += more;
        gradient[pair.other] -= more;
        gradient[at.len() - 1] += pair.tied - n * tied;
    }
    gradient
}

/// The information, with the common level of strengths fixed.
fn information(contenders: usize, pairs: &[Pair], at: &[f64]) -> Square {
    let mut information = Square::zero(contenders + 1);
    for pair in pairs {
        let [won, _, tied] = pair.probabilities(at);
        let n = pair.games();
        let (one, other) = (pair.one, pair.other);
        let mean = won + tied / 2.0;
        let variance = n * (won + tied / 4.0 - mean * mean);
        let with_ties = n * tied * (0.5 - mean);
        information.add(one, one, variance);
        information.add(other, other, variance);
        information.add_both(one, other, -variance);
        information.add_both(one, contenders, with_ties);
        information.add_both(other, contenders, -with_ties);
        information.add(contenders, contenders, n * tied * (1.0 - tied));
    }
    add_level(&mut information, contenders, 1.0);
    information
}
