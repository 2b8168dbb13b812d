//! Decided comparisons among all: wins, losses and ties, the share of wins without ties, and whether it differs from a half.
//!
//! This file must not know who won.

use crate::stats::binomial::even_p;
use crate::stats::{Code, NoValue};
use crate::stats::{Interval, StatsError, Tail, share};

/// Counts of outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Shares above ½.
    pub wins: usize,
    /// Shares below ½.
    pub losses: usize,
    /// Shares of exactly ½.
    pub ties: usize,
    /// Wins among wins and losses.
    pub rate: Result<f64, NoValue>,
    /// Wilson's interval of it.
    pub interval: Result<Interval, NoValue>,
    /// The sign test's p-value: exact, two-sided, ties left out.
    pub p: Result<f64, NoValue>,
}

/// Counts shares of the win.
pub fn decided(shares: impl IntoIterator<Item = f64>, level: f64) -> Result<Decided, StatsError> {
    let (mut wins, mut losses, mut ties) = (0, 0, 0);
    for share in shares {
        if share > 0.5 {
            wins += 1;
        } else if share < 0.5 {
            losses += 1;
        } else {
            ties += 1;
        }
    }
    let n = wins + losses;
    let about = share(wins as u64, n as u64, level)?;
    let none = || match ties {
        0 => NoValue::new(Code::TooFew, "there is no comparison"),
        _ => NoValue::new(Code::AllTies, "every comparison is a tie"),
    };
    Ok(Decided {
        wins,
        losses,
        ties,
        rate: about.share.ok_or_else(none),
        interval: about.interval.ok_or_else(none),
        p: if n == 0 {
            Err(none())
        } else {
            even_p(wins as u64, n as u64, Tail::TwoSided).ok_or_else(none)
        },
    })
}
