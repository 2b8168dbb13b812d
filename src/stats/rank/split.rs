//! The Mann–Whitney test (H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18, 1947).

use super::tails::{doubled, of_splits};
use super::{Value, all_same, all_ties, ties, too_few};
use crate::stats::Tail;
use crate::stats::correlation::mid_ranks;
use crate::stats::normal::normal_p;
use crate::stats::{Code, NoValue};

/// The most splits of tied values in two samples that the exact p-value goes through unless it is asked for.
pub const MOST_SPLITS: f64 = 1e6;

/// The most steps of the computation of an exact p-value: about two samples of 65 without ties, of 50 with.
const MOST_STEPS: usize = 100_000_000;

/// How far the exact p-value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// With ties up to [`MOST_SPLITS`], without up to the bound of the computation.
    Usual,
    /// Up to the bound of the computation in any case.
    Asked,
    /// Not at all, where nobody looks at it.
    Never,
}

/// The test and its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// How many pairs of one value each the first sample wins, ties half.
    pub u1: f64,
    /// The same of the second.
    pub u2: f64,
    /// `u1` as a share: the probability that the first is greater, ties half.
    pub auc: f64,
    /// `u1` less its mean over its standard deviation with ties.
    pub z: Value,
    /// The p-value of `z`.
    pub p_normal: Value,
    /// With a continuity correction of ½ towards 0.
    pub p_corrected: Value,
    /// The share of all splits that give a `u1` as far from its mean.
    pub p_exact: Value,
}

/// Tests whether values of one sample tend to be greater.
pub fn mann_whitney(a: &[f64], b: &[f64], tail: Tail, how: Exact) -> Result<Split, NoValue> {
    let (n1, n2) = (a.len() as f64, b.len() as f64);
    if a.is_empty() || b.is_empty() {
        return Err(too_few("a sample is empty"));
    }
    let both = [a, b].concat();
    let ranks = mid_ranks(&both);
    let rank_sum: f64 = ranks[..a.len()].iter().sum();
    let u1 = rank_sum - n1 * (n1 + 1.0) / 2.0;
    let ties = ties(&both);
    let n = n1 + n2;
    let variance = n1 * n2 / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    let split = |z: Value, p_normal: Value, p_corrected: Value, p_exact: Value| Split {
        u1,
        u2: n1 * n2 - u1,
        auc: u1 / (n1 * n2),
        z,
        p_normal,
        p_corrected,
        p_exact,
    };
    if all_same(&both) {
        let none = || Err(all_ties("all values are the same"));
        return Ok(split(none(), none(), none(), none()));
    }
    let off = u1 - n1 * n2 / 2.0;
    let corrected = match tail {
        Tail::TwoSided => (off.abs() - 0.5).max(0.0),
        Tail::Greater => off - 0.5,
        Tail::Less => off + 0.5,
    };
    let sd = variance.sqrt();
    let z = off / sd + 0.0;
    Ok(split(
        Ok(z),
        Ok(normal_p(z, tail)),
        Ok(normal_p(corrected / sd, tail)),
        exact(&ranks, a.len(), ties > 0.0, tail, how),
    ))
}

fn exact(ranks: &[f64], n1: usize, tied: bool, tail: Tail, how: Exact) -> Value {
    let n = ranks.len();
    if how == Exact::Never {
        return Err(NoValue::new(Code::TooMany, "nobody asked for it"));
    }
    if tied && how == Exact::Usual && splits(n, n1) > MOST_SPLITS {
        let why = format!(
            "with ties there are more than {MOST_SPLITS:e} splits of {n} values; `method = \"exact\"` goes on"
        );
        return Err(NoValue::new(Code::TooMany, why));
    }
    // The smaller sample has fewer sums; the tails of the other are the same the other way round.
    let (weights, _) = doubled(ranks);
    let first = n1 <= n - n1;
    let (side, chosen) = if first {
        (&weights[..n1], n1)
    } else {
        (&weights[n1..], n - n1)
    };
    let observed = side.iter().sum();
    let tails = of_splits(&weights, chosen, observed, MOST_STEPS);
    let tails = tails.ok_or_else(|| {
        NoValue::new(
            Code::TooMany,
            format!("{n} values are too many for all their splits"),
        )
    })?;
    Ok(match (tail, first) {
        (Tail::Greater, false) => tails.p(Tail::Less),
        (Tail::Less, false) => tails.p(Tail::Greater),
        _ => tails.p(tail),
    })
}

/// How many ways there are to choose `k` of `n`.
fn splits(n: usize, k: usize) -> f64 {
    let k = k.min(n - k);
    (0..k).fold(1.0, |ways, taken| {
        ways * (n - taken) as f64 / (taken + 1) as f64
    })
}
