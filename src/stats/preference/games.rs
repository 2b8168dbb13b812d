//! Comparisons of two, and their sums for each two contenders.
//!
//! This file must not know names.

use crate::stats::{Code, NoValue};

/// More contenders than these are not fitted: a table of all pairs would be in the way of everything else.
pub const MOST_CONTENDERS: usize = 400;

/// One comparison of two different contenders, which are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Whom the share is about.
    pub contender: usize,
    /// Whom it was compared with.
    pub opponent: usize,
    /// How much of the win is the contender's: 1, ½ for a tie, 0, or a probability.
    pub share: f64,
}

/// For each two contenders, how much of their wins is whose.
#[derive(Clone, Debug, PartialEq)]
pub struct Games {
    /// How many contenders.
    pub contenders: usize,
    wins: Vec<f64>,
}

impl Games {
    /// None yet.
    pub fn none(contenders: usize) -> Self {
        let wins = vec![0.0; contenders * contenders];
        Self { contenders, wins }
    }

    /// The sums of comparisons; a tie is half a win of each.
    pub fn of(contenders: usize, comparisons: &[Comparison]) -> Self {
        let mut games = Self::none(contenders);
        for comparison in comparisons {
            games.add(comparison);
        }
        games
    }

    /// Adds a comparison.
    pub fn add(&mut self, comparison: &Comparison) {
        let Comparison {
            contender,
            opponent,
            share,
        } = *comparison;
        self.wins[contender * self.contenders + opponent] += share;
        self.wins[opponent * self.contenders + contender] += 1.0 - share;
    }

    /// How much of the wins over `opponent` is of `contender`.
    pub fn wins(&self, contender: usize, opponent: usize) -> f64 {
        self.wins[contender * self.contenders + opponent]
    }

    /// Every two that met, the smaller number first: with the wins of the first and of the second.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, f64, f64)> {
        let pairs = (0..self.contenders)
            .flat_map(|first| (first + 1..self.contenders).map(move |second| (first, second)));
        pairs
            .map(|(first, second)| {
                (
                    first,
                    second,
                    self.wins(first, second),
                    self.wins(second, first),
                )
            })
            .filter(|(_, _, won, lost)| won + lost > 0.0)
    }

    /// Whether strengths have a finite estimate: from each contender a chain of wins leads to each other one (L. R. Ford,
    /// American Mathematical Monthly 64, 1957).
    pub fn connected(&self) -> bool {
        let reached = |won: &dyn Fn(usize, usize) -> bool| {
            let mut seen = vec![false; self.contenders];
            let mut next = vec![0];
            seen[0] = true;
            while let Some(at) = next.pop() {
                for (other, seen) in seen.iter_mut().enumerate() {
                    if !*seen && won(at, other) {
                        *seen = true;
                        next.push(other);
                    }
                }
            }
            seen.into_iter().all(|seen| seen)
        };
        self.contenders > 0
            && reached(&|from, to| self.wins(from, to) > 0.0)
            && reached(&|from, to| self.wins(to, from) > 0.0)
    }

    /// Refuses what no strengths can be estimated of.
    pub(super) fn check(&self) -> Result<(), NoValue> {
        match self.contenders {
            ..2 => Err(NoValue::new(
                Code::TooFew,
                "strengths need at least 2 contenders",
            )),
            more if more > MOST_CONTENDERS => {
                let why = format!(
                    "strengths of more than {MOST_CONTENDERS} contenders are not computed, here are {more}"
                );
                Err(NoValue::new(Code::InvalidParameter, why))
            }
            _ if !self.connected() => Err(not_connected()),
            _ => Ok(()),
        }
    }
}

fn not_connected() -> NoValue {
    let why = "a contender or a group of them never loses, never wins or is never compared with the others, so no finite strength fits";
    NoValue::new(Code::NotIdentifiable, why)
}
