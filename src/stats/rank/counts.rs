//! Tests that only count which side of a pair is ahead: the sign test, and McNemar's for shares.

use super::{Value, all_ties, chi_square_p, too_few};
use crate::stats::Tail;
use crate::stats::binomial::{even_mid_p, even_p};
use crate::stats::{Code, NoValue};

/// The sign test.
#[derive(Clone, Debug, PartialEq)]
pub struct Signs {
    /// Differences above 0.
    pub wins: u64,
    /// Differences below 0.
    pub losses: u64,
    /// Differences of 0, which the test leaves out.
    pub ties: u64,
    /// The share of wins among wins and losses.
    pub share: Value,
    /// The exact p-value: of so many wins where a win is as likely as a loss.
    pub p: Value,
}

/// Tests whether differences are above 0 as often as below (J. Arbuthnott 1710; W. J. Dixon and A. M. Mood, JASA 41, 1946).
pub fn sign_test(differences: &[f64], tail: Tail) -> Signs {
    let count = |holds: fn(f64) -> bool| {
        let those = differences.iter().filter(|difference| holds(**difference));
        those.count() as u64
    };
    let (wins, losses) = (count(|d| d > 0.0), count(|d| d < 0.0));
    let ties = differences.len() as u64 - wins - losses;
    let decided = wins + losses;
    let none = if ties == 0 {
        too_few("there is no complete pair")
    } else {
        all_ties("all pairs are ties")
    };
    let exists = || {
        if decided > 0 {
            Ok(())
        } else {
            Err(none.clone())
        }
    };
    Signs {
        wins,
        losses,
        ties,
        share: exists().map(|()| wins as f64 / decided as f64),
        p: exists().and_then(|()| even_p(wins, decided, tail).ok_or_else(too_many)),
    }
}

/// McNemar's test of pairs that one side has and the other has not.
#[derive(Clone, Debug, PartialEq)]
pub struct McNemar {
    /// The exact p-value, twice the smaller binomial tail.
    pub p_exact: f64,
    /// The mid-p value: the exact one less the probability of what was observed (half of it where both counts are equal).
    pub p_mid: f64,
    /// (b − c)²/(b + c).
    pub chi2: f64,
    /// Its p-value of 1 degree of freedom.
    pub p_chi2: f64,
    /// (|b − c| − 1)²/(b + c).
    pub chi2_corrected: f64,
    /// Its p-value of 1 degree of freedom.
    pub p_corrected: f64,
}

/// Tests whether two shares of the same items differ, of the pairs that only the first (`b`) and only the second (`c`) has
/// (Q. McNemar, Psychometrika 12, 1947; the correction after A. L. Edwards, Psychometrika 13, 1948; mid-p after
/// M. W. Fagerland, S. Lydersen and P. Laake, BMC Medical Research Methodology 13, 2013).
pub fn mcnemar(pairs: u64, b: u64, c: u64) -> Result<McNemar, NoValue> {
    let discordant = b + c;
    if pairs == 0 {
        return Err(too_few("there is no complete pair"));
    }
    if discordant == 0 {
        let why = "both sides agree in every pair";
        return Err(NoValue::new(Code::NoDiscordantPairs, why));
    }
    let n = discordant as f64;
    let gap = b.abs_diff(c) as f64;
    let (chi2, corrected) = (gap * gap / n, (gap - 1.0) * (gap - 1.0) / n);
    Ok(McNemar {
        p_exact: even_p(b, discordant, Tail::TwoSided).ok_or_else(too_many)?,
        p_mid: even_mid_p(b, discordant).ok_or_else(too_many)?,
        chi2,
        p_chi2: chi_square_p(chi2, 1.0),
        chi2_corrected: corrected,
        p_corrected: chi_square_p(corrected, 1.0),
    })
}

fn too_many() -> NoValue {
    NoValue::new(
        Code::TooMany,
        "there are too many pairs for a binomial tail",
    )
}
