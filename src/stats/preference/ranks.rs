//! Ranks by strength with their intervals: comparisons, or clusters of them, are drawn again and fitted anew.
//!
//! This file must not know names.

use crate::stats::resample::{Tally, resample};
use crate::stats::{Code, NoValue};

use super::bradley_terry::fit;
use super::{Comparison, Games};

/// Strengths that differ by less share a rank.
const SAME: f64 = 1e-7;
/// The least share of resamples that must have strengths.
const LEAST_USED: f64 = 0.9;

/// The ranks of all contenders.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// By the strengths themselves; equal strengths share the better rank.
    pub ranks: Vec<usize>,
    /// The ranks between which the resamples' lie, the better one first.
    pub intervals: Result<Vec<[usize; 2]>, NoValue>,
    /// How many resamples have strengths: in the others someone never won or never lost.
    pub used: usize,
}

/// Ranks contenders by `strengths`, which were fitted to the comparisons, and draws those again.
pub fn ranks(
    strengths: &[f64],
    comparisons: &[Comparison],
    clusters: Option<&[usize]>,
    resamples: usize,
    seed: u64,
    level: f64,
) -> Ranks {
    let units = units(comparisons, clusters);
    let of_resample = |drawn: Drawn<'_>| {
        let games = drawn.games;
        games
            .connected()
            .then(|| fit(&games, strengths.to_vec()))
            .flatten()
            .map(|fitted| ranked(&fitted))
    };
    let contenders = strengths.len();
    let start = || Drawn {
        units: &units,
        games: Games::none(contenders),
    };
    let drawn = resample(units.len(), resamples, seed, start, of_resample);
    let found: Vec<Vec<usize>> = drawn.into_iter().flatten().collect();
    let used = found.len();
    let enough = used > 0 && used as f64 >= LEAST_USED * resamples as f64;
    let intervals = if enough {
        Ok((0..contenders)
            .map(|contender| ends(&found, contender, level))
            .collect())
    } else if resamples == 0 {
        Err(NoValue::new(
            Code::InvalidParameter,
            "ranks have intervals with `resamples` only",
        ))
    } else {
        let why = format!(
            "only {used} of {resamples} resamples have strengths, since in the others someone never wins or never loses"
        );
        Err(NoValue::new(Code::NotIdentifiable, why))
    };
    Ranks {
        ranks: ranked(strengths),
        intervals,
        used,
    }
}

/// What is drawn: comparisons, or clusters of them, in an order that does not depend on that of the rows.
fn units(comparisons: &[Comparison], clusters: Option<&[usize]>) -> Vec<Vec<Comparison>> {
    let mut units: Vec<Vec<Comparison>> = match clusters {
        None => comparisons
            .iter()
            .map(|comparison| vec![*comparison])
            .collect(),
        Some(clusters) => {
            let mut members = std::collections::BTreeMap::<usize, Vec<Comparison>>::new();
            for (cluster, comparison) in clusters.iter().zip(comparisons) {
                members.entry(*cluster).or_default().push(*comparison);
            }
            members.into_values().collect()
        }
    };
    let order = |it: &Comparison| (it.contender, it.opponent, it.share.to_bits());
    for unit in &mut units {
        unit.sort_unstable_by_key(order);
    }
    units.sort_unstable_by(|left, right| left.iter().map(order).cmp(right.iter().map(order)));
    units
}

/// The comparisons of a resample so far.
struct Drawn<'u> {
    units: &'u [Vec<Comparison>],
    games: Games,
}

impl Tally for Drawn<'_> {
    fn one(&mut self, unit: usize) {
        for comparison in &self.units[unit] {
            self.games.add(comparison);
        }
    }
}

fn ranked(strengths: &[f64]) -> Vec<usize> {
    let rank = |own: &f64| {
        1 + strengths
            .iter()
            .filter(|other| **other > own + SAME)
            .count()
    };
    strengths.iter().map(rank).collect()
}

/// The quantiles of a contender's ranks, each one that occurs.
fn ends(found: &[Vec<usize>], contender: usize, level: f64) -> [usize; 2] {
    let mut ranks: Vec<usize> = found.iter().map(|ranks| ranks[contender]).collect();
    ranks.sort_unstable();
    let tail = (1.0 - level) / 2.0;
    let at = |probability: f64| {
        // (1 - 0.95)/2 is a rounding more than 0.025, which must not make 25 of 1000 into 26.
        let position = (probability * ranks.len() as f64 - 1e-9).ceil() as usize;
        ranks[position.clamp(1, ranks.len()) - 1]
    };
    [at(tail), at(1.0 - tail)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_ranks_lie_beyond_either_end() {
        let found: Vec<Vec<usize>> = (1..=1000).map(|rank| vec![rank]).collect();
        assert_eq!(ends(&found, 0, 0.95), [25, 975]);
        assert_eq!(ends(&found, 0, 0.9), [50, 950]);
        assert_eq!(ends(&found[..10], 0, 0.95), [1, 10]);
    }
}
