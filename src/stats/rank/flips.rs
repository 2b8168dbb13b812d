//! The permutation test of paired differences: how often their mean is as extreme where each could as well have the other
//! sign (R. A. Fisher, The Design of Experiments, 1935, chapter III).
//!
//! Exact where all signs can be gone through: by dynamic programming over sums where the differences are whole multiples of a
//! step, one by one for a few others. Beyond that signs are drawn.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::tails::{Tails, of_signs};
use super::{Value, all_ties, too_few};
use crate::stats::steps::Differences;
use crate::stats::{Code, NoValue};
use crate::stats::{Tail, exact_sum};

/// The most steps (pairs times the sum of their differences in steps) of the exact computation.
pub const MOST_STEPS: f64 = 1e8;

/// The largest sum of differences in steps, which is what the computation keeps in memory.
const LARGEST_SUM: f64 = 4e6;

/// The most differences without a common step of which all signs are gone through one by one.
const MOST_ONE_BY_ONE: usize = 20;

/// How many draws share a stream. Part of what a seed means.
const BLOCK: u32 = 64;

/// Differences other than 0, ready to be given other signs.
#[derive(Clone, Debug)]
pub struct Flips {
    /// Their sizes.
    sizes: Vec<f64>,
    /// Their sum.
    sum: f64,
    /// By how much a sum may be off because of rounding; 0 for whole numbers.
    noise: f64,
    whole: bool,
}

/// Reads the differences.
pub fn flips(differences: &Differences) -> Result<Flips, NoValue> {
    let values = &differences.values;
    if values.is_empty() {
        return Err(too_few("there is no complete pair"));
    }
    let sizes: Vec<f64> = values
        .iter()
        .map(|d| d.abs())
        .filter(|d| *d > 0.0)
        .collect();
    if sizes.is_empty() {
        return Err(all_ties("all differences are 0"));
    }
    let too_large = || NoValue::new(Code::Undefined, "the differences are too large to be added");
    let sum = exact_sum(values.iter().copied()).ok_or_else(too_large)?;
    let total = exact_sum(sizes.iter().copied()).ok_or_else(too_large)?;
    // Sums of whole numbers below 2^53 are exact.
    let whole = differences.denominator.is_some() && total < 9e15;
    let noise = if whole {
        0.0
    } else {
        2.0 * f64::EPSILON * sizes.len() as f64 * total
    };
    Ok(Flips {
        sizes,
        sum,
        noise,
        whole,
    })
}

/// The share of all signs that give a sum as extreme as the observed one, which counts itself.
pub fn flip_exact(flips: &Flips, tail: Tail) -> Value {
    let n = flips.sizes.len();
    let total: f64 = flips.sizes.iter().sum();
    if flips.whole && total <= LARGEST_SUM && n as f64 * total <= MOST_STEPS {
        let weights: Vec<usize> = flips.sizes.iter().map(|size| *size as usize).collect();
        let plus = f64::midpoint(total, flips.sum);
        return Ok(of_signs(&weights, plus as usize).p(tail));
    }
    if n <= MOST_ONE_BY_ONE {
        return Ok(one_by_one(flips).p(tail));
    }
    let why = format!("all signs of {n} differences are too many to go through");
    Err(NoValue::new(Code::TooMany, why))
}

fn one_by_one(flips: &Flips) -> Tails {
    let n = flips.sizes.len();
    let mut counts = [0_u32; 3];
    for signs in 0..1_u64 << n {
        count(flips, signed_sum(&flips.sizes, signs), &mut counts);
    }
    tails(counts, 0.0, f64::from(1_u32 << n))
}

/// The p-value of drawn signs, (b + 1)/(B + 1) for b of B draws as extreme as what was observed
/// (B. Phipson and G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).
pub fn flip_monte_carlo(flips: &Flips, tail: Tail, draws: u32, seed: u64) -> Value {
    if draws == 0 {
        let why = "no signs are drawn: `resamples` is 0";
        return Err(NoValue::new(Code::InvalidParameter, why));
    }
    let block = |block: u32| {
        let mut bits = ChaCha8Rng::seed_from_u64(seed);
        bits.set_stream(u64::from(block));
        let mut counts = [0_u32; 3];
        for _ in 0..BLOCK.min(draws - block * BLOCK) {
            let of_word = |sizes: &[f64]| signed_sum(sizes, bits.next_u64());
            count(
                flips,
                flips.sizes.chunks(64).map(of_word).sum(),
                &mut counts,
            );
        }
        counts
    };
    let blocks = (0..draws.div_ceil(BLOCK)).into_par_iter().map(block);
    let add = |a: [u32; 3], b: [u32; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let counts = blocks.reduce(|| [0; 3], add);
    Ok(tails(counts, 1.0, f64::from(draws) + 1.0).p(tail))
}

/// The sum of up to 64 numbers, those with a bit set as they are and the others negative.
fn signed_sum(sizes: &[f64], signs: u64) -> f64 {
    let signed = sizes.iter().enumerate().map(|(index, size)| {
        let flip = (!signs >> index) << 63;
        f64::from_bits(size.to_bits() ^ flip)
    });
    signed.sum()
}

/// Counts a sum among those as small, as great and as far from 0 as the observed one.
fn count(flips: &Flips, sum: f64, counts: &mut [u32; 3]) {
    counts[0] += u32::from(sum <= flips.sum + flips.noise);
    counts[1] += u32::from(sum >= flips.sum - flips.noise);
    counts[2] += u32::from(sum.abs() >= flips.sum.abs() - flips.noise);
}

fn tails([below, above, both]: [u32; 3], more: f64, of: f64) -> Tails {
    let share = |count: u32| (f64::from(count) + more) / of;
    Tails {
        below: share(below),
        above: share(above),
        both: share(both),
    }
}
