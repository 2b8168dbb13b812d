//! What all that one object says of a metric comes to.

use std::ops::Range;

use super::value::Said;
use crate::models::parse::agree::Verdict;
use crate::models::parse::offers::Offers;
use crate::models::parse::place::Strength;

/// How firmly an object says whose score it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    /// It names the metric.
    Named,
    /// It names nobody, and there is one metric only.
    Unnamed,
}

/// The values for one metric on the level nearest to the top.
#[derive(Debug)]
struct Tally {
    rank: (Naming, usize),
    offers: Offers,
    none: Option<Range<usize>>,
}

/// A value found for a metric.
#[derive(Debug)]
pub(super) struct Saying {
    pub(super) metric: usize,
    pub(super) said: Said,
    pub(super) naming: Naming,
    pub(super) level: usize,
    /// Where its key starts and the value ends.
    pub(super) span: Range<usize>,
}

/// What sayings come to about each of so many metrics: those count that name it most firmly, nearest to the top.
pub(super) fn verdicts(sayings: Vec<Saying>, metrics: usize) -> Vec<Option<(Verdict, Naming)>> {
    let mut tallies: Vec<Option<Tally>> = (0..metrics).map(|_| None).collect();
    for saying in sayings {
        let place = &mut tallies[saying.metric];
        let rank = (saying.naming, saying.level);
        match place {
            Some(tally) if tally.rank < rank => {}
            Some(tally) if tally.rank == rank => {
                tally.add(saying);
            }
            place => {
                place.insert(Tally::new(rank)).add(saying);
            }
        }
    }
    tallies.into_iter().map(|tally| tally?.verdict()).collect()
}

impl Tally {
    fn new(rank: (Naming, usize)) -> Self {
        Self {
            rank,
            offers: Offers::default(),
            none: None,
        }
    }

    fn add(&mut self, saying: Saying) {
        match saying.said {
            Said::Score(found) => self.offers.add(found, saying.span.start),
            Said::None => self.none = Some(saying.span),
        }
    }

    fn verdict(self) -> Option<(Verdict, Naming)> {
        let (found, span) = if self.offers.is_empty() {
            (None, self.none?)
        } else {
            let (found, span) = self.offers.verdict()?;
            (Some(found), span)
        };
        let verdict = Verdict {
            found,
            span,
            strength: Strength::Object,
            contradicted: false,
        };
        Some((verdict, self.rank.0))
    }
}
