//! Triples of contenders of which each beats the next: a judge that orders them has none.
//!
//! ζ of M. Kendall and B. Babington Smith (Biometrika 31, 1940): 1 without a cyclic triple, 0 with as many as there can be.
//! This file must not know names.

use crate::stats::{Code, NoValue};

use super::{Comparison, MOST_CONTENDERS};

/// Counts of triples.
#[derive(Clone, Debug, PartialEq)]
pub struct Triads {
    /// How many contenders.
    pub contenders: usize,
    /// Triples in which each two are decided.
    pub decided: usize,
    /// The others.
    pub undecided: usize,
    /// Decided ones in which each beats one and loses to one.
    pub cyclic: usize,
    /// Cyclic ones among the decided.
    pub cyclic_share: Result<f64, NoValue>,
    /// The coefficient of consistence.
    pub zeta: Result<f64, NoValue>,
}

/// Counts triples. Who beats whom is decided by the strict majority of their decided comparisons; ties do not count.
pub fn triads(contenders: usize, comparisons: &[Comparison]) -> Result<Triads, NoValue> {
    if contenders > MOST_CONTENDERS {
        let why = format!(
            "triples of more than {MOST_CONTENDERS} contenders are not counted, here are {contenders}"
        );
        return Err(NoValue::new(Code::InvalidParameter, why));
    }
    let mut ahead = vec![0_i64; contenders * contenders];
    for comparison in comparisons {
        let step = match comparison.share {
            share if share > 0.5 => 1,
            share if share < 0.5 => -1,
            _ => 0,
        };
        ahead[comparison.contender * contenders + comparison.opponent] += step;
        ahead[comparison.opponent * contenders + comparison.contender] -= step;
    }
    let (mut decided, mut cyclic, mut all) = (0, 0, 0);
    for a in 0..contenders {
        for b in a + 1..contenders {
            let first = ahead[a * contenders + b].signum();
            for c in b + 1..contenders {
                all += 1;
                let (second, third) = (
                    ahead[b * contenders + c].signum(),
                    ahead[c * contenders + a].signum(),
                );
                if first != 0 && second != 0 && third != 0 {
                    decided += 1;
                    cyclic += usize::from(first == second && second == third);
                }
            }
        }
    }
    let k = contenders as f64;
    let most = if contenders % 2 == 1 {
        k * k * k - k
    } else {
        k * k * k - 4.0 * k
    } / 24.0;
    let zeta = if contenders < 3 {
        Err(NoValue::new(
            Code::TooFew,
            "there are fewer than 3 contenders",
        ))
    } else if decided < all {
        Err(NoValue::new(
            Code::Incomplete,
            "not every two contenders are decided",
        ))
    } else {
        Ok(1.0 - cyclic as f64 / most)
    };
    let cyclic_share = if decided > 0 {
        Ok(cyclic as f64 / decided as f64)
    } else {
        let why = "there is no triple of contenders in which each two are decided";
        Err(NoValue::new(Code::TooFew, why))
    };
    Ok(Triads {
        contenders,
        decided,
        undecided: all - decided,
        cyclic,
        cyclic_share,
        zeta,
    })
}
