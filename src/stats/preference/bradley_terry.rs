//! Strengths by the model of Bradley and Terry (Biometrika 39, 1952): P(i beats j) = e^θi / (e^θi + e^θj).
//!
//! Maximum likelihood by Newton's method, the log-strengths θ summing to 0. A tie is half a win of each. Standard errors come
//! out of the pseudo-inverse of the information (D. Firth, Journal of Statistical Software 12(1), 2005); where comparisons come
//! in clusters, from the sums of scores within them (the sandwich, times G/(G - 1)).
//! This file must not know names, nor how the strengths are shown.

use crate::stats::{Code, NoValue};

use super::linear::Square;
use super::{Comparison, Games};

/// Points of Elo for a strength of 1: 400 / ln 10, so that 400 points are ten to one.
pub const ELO_STEP: f64 = 400.0 / std::f64::consts::LN_10;

/// Newton's method is given up after so many steps; ten are many.
const MOST_STEPS: usize = 200;

/// Strengths and how sure they are.
#[derive(Clone, Debug)]
pub struct BradleyTerry {
    /// The log-strength of each contender; their sum is 0.
    pub strengths: Vec<f64>,
    covariance: Square,
}

impl BradleyTerry {
    /// The standard error of a contender's strength.
    pub fn se(&self, contender: usize) -> f64 {
        self.covariance.at(contender, contender).max(0.0).sqrt()
    }

    /// The standard error of a difference of strengths.
    pub fn se_difference(&self, contender: usize, other: usize) -> f64 {
        se_difference(&self.covariance, contender, other)
    }
}

/// From the covariances of strengths.
pub(super) fn se_difference(covariance: &Square, one: usize, other: usize) -> f64 {
    let cell = |row, column| covariance.at(row, column);
    (cell(one, one) + cell(other, other) - 2.0 * cell(one, other))
        .max(0.0)
        .sqrt()
}

/// Fits strengths to comparisons; `clusters` gives the cluster of each, from 0 on.
pub fn bradley_terry(
    contenders: usize,
    comparisons: &[Comparison],
    clusters: Option<&[usize]>,
) -> Result<BradleyTerry, NoValue> {
    let games = Games::of(contenders, comparisons);
    games.check()?;
    let strengths = fit(&games, vec![0.0; contenders]).ok_or_else(not_fitted)?;
    let inverse = information(&games, &strengths)
        .cholesky()
        .ok_or_else(not_fitted)?
        .inverse();
    let covariance = match clusters {
        None => without_level(inverse),
        Some(clusters) => sandwich(&without_level(inverse), comparisons, clusters, &strengths)?,
    };
    Ok(BradleyTerry {
        strengths,
        covariance,
    })
}

fn not_fitted() -> NoValue {
    NoValue::new(
        Code::NotIdentifiable,
        "the strengths are too far apart to be fitted",
    )
}

/// P(one of this strength beats one of that).
fn beats(strength: f64, other: f64) -> f64 {
    1.0 / (1.0 + (other - strength).exp())
}

/// The strengths of greatest likelihood, from a guess; none where Newton's method does not come to an end.
pub(super) fn fit(games: &Games, mut strengths: Vec<f64>) -> Option<Vec<f64>> {
    let mut likelihood = log_likelihood(games, &strengths);
    for _ in 0..MOST_STEPS {
        let gradient = gradient(games, &strengths);
        let step = information(games, &strengths).cholesky()?.solve(gradient);
        let largest = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
        let mut share = 1.0;
        loop {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(at, step)| at + share * step)
                .collect();
            let there = log_likelihood(games, &next);
            // Near the top the likelihood no longer tells steps apart.
            if there >= likelihood || largest * share < 1e-6 {
                (strengths, likelihood) = (next, there);
                break;
            }
            share /= 2.0;
        }
        if largest < 1e-9 {
            let level = strengths.iter().sum::<f64>() / strengths.len() as f64;
            for strength in &mut strengths {
                *strength -= level;
            }
            return Some(strengths);
        }
    }
    None
}

fn log_likelihood(games: &Games, strengths: &[f64]) -> f64 {
    let of = |(one, other, won, lost): (usize, usize, f64, f64)| {
        let ahead = strengths[one] - strengths[other];
        // ln(1 + e^x) without overflow.
        let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
        -won * softplus(-ahead) - lost * softplus(ahead)
    };
    games.pairs().map(of).sum()
}

fn gradient(games: &Games, strengths: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; strengths.len()];
    for (one, other, won, lost) in games.pairs() {
        let more = won - (won + lost) * beats(strengths[one], strengths[other]);
        gradient[one] += more;
        gradient[other] -= more;
    }
    gradient
}

/// The information, with the common level of all strengths, of which comparisons say nothing, fixed.
fn information(games: &Games, strengths: &[f64]) -> Square {
    let size = strengths.len();
    let mut information = Square::zero(size);
    for (one, other, won, lost) in games.pairs() {
        let p = beats(strengths[one], strengths[other]);
        let weight = (won + lost) * p * (1.0 - p);
        information.add(one, one, weight);
        information.add(other, other, weight);
        information.add_both(one, other, -weight);
    }
    add_level(&mut information, size, 1.0);
    information
}

/// Adds the projection on the level of the first `size` parameters.
pub(super) fn add_level(matrix: &mut Square, size: usize, sign: f64) {
    for row in 0..size {
        for column in 0..size {
            matrix.add(row, column, sign / size as f64);
        }
    }
}

/// The pseudo-inverse of the information from the inverse of what `information` gives.
fn without_level(mut inverse: Square) -> Square {
    let size = inverse.size;
    add_level(&mut inverse, size, -1.0);
    inverse
}

fn sandwich(
    bread: &Square,
    comparisons: &[Comparison],
    clusters: &[usize],
    strengths: &[f64],
) -> Result<Square, NoValue> {
    let size = strengths.len();
    let mut of_cluster: Vec<(usize, &Comparison)> =
        clusters.iter().copied().zip(comparisons).collect();
    let order = |(cluster, comparison): &(usize, &Comparison)| {
        (
            *cluster,
            comparison.contender,
            comparison.opponent,
            comparison.share.to_bits(),
        )
    };
    of_cluster.sort_unstable_by_key(order);
    let mut meat = Square::zero(size);
    let mut groups = 0;
    for cluster in of_cluster.chunk_by(|left, right| left.0 == right.0) {
        groups += 1;
        let mut score = std::collections::BTreeMap::<usize, f64>::new();
        for (_, comparison) in cluster {
            let p = beats(
                strengths[comparison.contender],
                strengths[comparison.opponent],
            );
            *score.entry(comparison.contender).or_default() += comparison.share - p;
            *score.entry(comparison.opponent).or_default() -= comparison.share - p;
        }
        for (&row, left) in &score {
            for (&column, right) in &score {
                meat.add(row, column, left * right);
            }
        }
    }
    if groups < 2 {
        let why = "all comparisons are of one cluster, so nothing says how much clusters vary";
        return Err(NoValue::new(Code::TooFew, why));
    }
    let factor = f64::from(groups) / (f64::from(groups) - 1.0);
    let half = product(bread, &meat);
    let mut covariance = product(&half, bread);
    covariance.scale(factor);
    Ok(covariance)
}

fn product(left: &Square, right: &Square) -> Square {
    let mut product = Square::zero(left.size);
    for row in 0..left.size {
        for middle in 0..left.size {
            let factor = left.at(row, middle);
            for column in 0..left.size {
                product.add(row, column, factor * right.at(middle, column));
            }
        }
    }
    product
}
