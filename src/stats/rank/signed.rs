//! Wilcoxon's signed-rank test (F. Wilcoxon, Biometrics Bulletin 1, 1945; zeros after J. W. Pratt, JASA 54, 1959).

use super::tails::{doubled, of_signs};
use super::{Value, all_ties, too_few};
use crate::stats::Tail;
use crate::stats::correlation::mid_ranks;
use crate::stats::normal::normal_p;
use crate::stats::{Code, NoValue};

/// The most differences other than 0 that the exact p-value is computed of.
pub const MOST_FOR_EXACT: usize = 200;

/// What becomes of differences of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// They are left out before ranking.
    Drop,
    /// They are ranked with the others and left out after.
    Rank,
}

/// The test and its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedRanks {
    /// The sum of the ranks of differences above 0.
    pub plus: f64,
    /// The sum of the ranks of differences below 0.
    pub minus: f64,
    /// `plus` less its mean over its standard deviation, both with ties.
    pub z: f64,
    /// The p-value of `z`.
    pub p_normal: f64,
    /// `z` with a continuity correction of ½ towards 0.
    pub z_corrected: f64,
    /// The p-value of `z_corrected`.
    pub p_corrected: f64,
    /// The share of all signs of the observed ranks that give a sum as extreme.
    pub p_exact: Value,
}

/// Tests whether differences lie symmetrically around 0.
///
/// Equal differences share the mean of their ranks. Mean and variance of `plus` are Σr/2 and Σr²/4 over the ranks r of
/// differences other than 0, which holds with ties and zeros alike.
pub fn wilcoxon(differences: &[f64], zeros: Zeros, tail: Tail) -> Result<SignedRanks, NoValue> {
    let (ranks, total, plus) = ranked(differences, zeros)?;
    let sd = (ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0).sqrt();
    let off = plus - total / 2.0;
    let corrected = match tail {
        Tail::TwoSided => (off.abs() - 0.5).max(0.0).copysign(off),
        Tail::Greater => off - 0.5,
        Tail::Less => off + 0.5,
    };
    let (z, z_corrected) = (off / sd + 0.0, corrected / sd + 0.0);
    Ok(SignedRanks {
        plus,
        minus: total - plus,
        z,
        p_normal: normal_p(z, tail),
        z_corrected,
        p_corrected: normal_p(z_corrected, tail),
        p_exact: exact(&ranks, plus, tail),
    })
}

/// (W+ − W−)/(W+ + W−), zeros dropped (D. S. Kerby, Comprehensive Psychology 3, 2014).
pub(super) fn rank_biserial(differences: &[f64]) -> Value {
    let (_, total, plus) = ranked(differences, Zeros::Drop)?;
    Ok((2.0 * plus - total) / total)
}

/// The ranks of differences other than 0, their sum, and that of those above 0.
fn ranked(differences: &[f64], zeros: Zeros) -> Result<(Vec<f64>, f64, f64), NoValue> {
    if differences.is_empty() {
        return Err(too_few("there is no complete pair"));
    }
    let kept: Vec<f64> = match zeros {
        Zeros::Drop => differences.iter().copied().filter(|d| *d != 0.0).collect(),
        Zeros::Rank => differences.to_vec(),
    };
    let sizes: Vec<f64> = kept.iter().map(|difference| difference.abs()).collect();
    let all = mid_ranks(&sizes);
    let moved = || kept.iter().zip(&all).filter(|(d, _)| **d != 0.0);
    let ranks: Vec<f64> = moved().map(|(_, rank)| *rank).collect();
    if ranks.is_empty() {
        return Err(all_ties("all differences are 0"));
    }
    // Ranks are halves of whole numbers, so that these sums are exact.
    let total = ranks.iter().sum();
    let above = moved().filter(|(d, _)| **d > 0.0);
    let plus = above.map(|(_, rank)| rank).sum();
    Ok((ranks, total, plus))
}

fn exact(ranks: &[f64], plus: f64, tail: Tail) -> Value {
    if ranks.len() > MOST_FOR_EXACT {
        let why = format!(
            "{} differences other than 0 are more than the {MOST_FOR_EXACT} that all signs are gone through for",
            ranks.len()
        );
        return Err(NoValue::new(Code::TooMany, why));
    }
    let (weights, times) = doubled(ranks);
    Ok(of_signs(&weights, (plus * times) as usize).p(tail))
}
