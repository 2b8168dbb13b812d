//! The Anderson–Darling statistic of k samples (F. W. Scholz and M. A. Stephens, JASA 82, 1987).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::{Value, sorted, too_few};
use crate::stats::rank::same;
use crate::stats::{Code, NoValue};

/// The most steps: samples times distinct values, times draws where there are any.
const MOST_STEPS: f64 = 5e8;

/// By how much of itself a statistic may be off because of rounding.
const NOISE: f64 = 1e-10;

/// How many draws share a stream. Part of what a seed means.
const BLOCK: u32 = 16;

/// The statistic.
#[derive(Clone, Debug, PartialEq)]
pub struct AndersonDarling {
    /// A² with mid-ranks for ties (equation 7).
    pub a2: f64,
    /// (A² − (k − 1))/σ, with σ of equation 4; none of fewer than 4 values.
    pub standardised: Value,
}

/// The statistic of samples, none of them empty.
pub fn anderson_darling(samples: &[Vec<f64>]) -> Result<AndersonDarling, NoValue> {
    let pooled = Pooled::of(samples)?;
    let a2 = pooled.a2(&pooled.places);
    let df = samples.len() as f64 - 1.0;
    let standardised = pooled
        .variance()
        .map(|variance| (a2 - df) / variance.sqrt());
    Ok(AndersonDarling { a2, standardised })
}

/// The p-value by drawn assignments of the values to samples of the same sizes, (b + 1)/(B + 1).
pub fn anderson_darling_p(samples: &[Vec<f64>], draws: u32, seed: u64) -> Value {
    let pooled = Pooled::of(samples)?;
    if draws == 0 {
        let why = "no assignments are drawn: `resamples` is 0";
        return Err(NoValue::new(Code::InvalidParameter, why));
    }
    let steps = pooled.places.len() + pooled.counts.len() * samples.len();
    if steps as f64 * f64::from(draws) > MOST_STEPS {
        let why = "the samples are too large for so many drawn assignments; lower `resamples`";
        return Err(NoValue::new(Code::TooMany, why));
    }
    let observed = pooled.a2(&pooled.places) * (1.0 - NOISE);
    let block = |block: u32| {
        let mut bits = ChaCha8Rng::seed_from_u64(seed);
        bits.set_stream(u64::from(block));
        let mut places = pooled.places.clone();
        let again = (0..BLOCK.min(draws - block * BLOCK)).filter(|_| {
            shuffle(&mut places, &mut bits);
            pooled.a2(&places) >= observed
        });
        again.count()
    };
    let blocks = (0..draws.div_ceil(BLOCK)).into_par_iter().map(block);
    let extreme: usize = blocks.sum();
    Ok((extreme as f64 + 1.0) / (f64::from(draws) + 1.0))
}

/// Swaps each element with one not before it, each equally likely but for 2⁻³² of their number.
fn shuffle(places: &mut [u32], bits: &mut ChaCha8Rng) {
    for index in (1..places.len()).rev() {
        let wide = (u128::from(bits.next_u64()) * (index as u128 + 1)) >> 64;
        places.swap(index, wide as usize);
    }
}

/// The values of all samples by the places of their distinct values.
struct Pooled {
    /// How many values each sample has.
    sizes: Vec<usize>,
    /// How many values each distinct value has.
    counts: Vec<usize>,
    /// The place of each value, sample by sample.
    places: Vec<u32>,
}

impl Pooled {
    fn of(samples: &[Vec<f64>]) -> Result<Self, NoValue> {
        if samples.len() < 2 {
            return Err(too_few("it takes 2 samples"));
        }
        if samples.iter().any(Vec::is_empty) {
            return Err(too_few("a sample is empty"));
        }
        let all = sorted(&samples.concat());
        let mut distinct = all.clone();
        distinct.dedup();
        if distinct.len() < 2 {
            return Err(NoValue::new(Code::AllTies, "all values are the same"));
        }
        if samples.len() as f64 * distinct.len() as f64 > MOST_STEPS {
            return Err(NoValue::new(Code::TooMany, "there are too many samples"));
        }
        let place = |value: &f64| distinct.partition_point(|other| other < value) as u32;
        let counts = all
            .chunk_by(|left, right| same(*left, *right))
            .map(<[f64]>::len);
        Ok(Self {
            sizes: samples.iter().map(Vec::len).collect(),
            counts: counts.collect(),
            places: samples.iter().flatten().map(place).collect(),
        })
    }

    /// Equation 7 of values at these places, sample by sample.
    fn a2(&self, places: &[u32]) -> f64 {
        let n = places.len() as f64;
        let mut rest = places;
        let mut own = vec![0.0; self.counts.len()];
        let mut sum = 0.0;
        for &size in &self.sizes {
            let (sample, others) = rest.split_at(size);
            rest = others;
            own.fill(0.0);
            for &place in sample {
                own[place as usize] += 1.0;
            }
            let (mut below, mut own_below, mut part) = (0.0, 0.0, 0.0);
            for (count, own) in self.counts.iter().zip(&own) {
                let count = *count as f64;
                let (b, m) = (below + count / 2.0, own_below + own / 2.0);
                let gap = n * m - size as f64 * b;
                part += count / n * gap * gap / (b * (n - b) - n * count / 4.0);
                below += count;
                own_below += own;
            }
            sum += part / size as f64;
        }
        (n - 1.0) / n * sum
    }

    /// Equation 4: the variance of A² where all values differ.
    #[expect(clippy::many_single_char_names, reason = "the letters of the paper")]
    fn variance(&self) -> Value {
        let count = self.places.len();
        if count < 4 {
            return Err(too_few("it takes 4 values"));
        }
        let (n, k) = (count as f64, self.sizes.len() as f64);
        let inverse: f64 = self.sizes.iter().map(|size| 1.0 / *size as f64).sum();
        let h: f64 = (1..count).rev().map(|i| 1.0 / i as f64).sum();
        // Of i the sum of 1/j over j from i + 1 to n − 1.
        let (mut g, mut after) = (0.0, 0.0);
        for i in (1..count - 1).rev() {
            after += 1.0 / (i + 1) as f64;
            g += after / (count - i) as f64;
        }
        let a = (4.0 * g - 6.0) * (k - 1.0) + (10.0 - 6.0 * g) * inverse;
        let b = (2.0 * g - 4.0) * k * k + 8.0 * h * k + (2.0 * g - 14.0 * h - 4.0) * inverse
            - 8.0 * h
            + 4.0 * g
            - 6.0;
        let c = (6.0 * h + 2.0 * g - 2.0) * k * k
            + (4.0 * h - 4.0 * g + 6.0) * k
            + (2.0 * h - 6.0) * inverse
            + 4.0 * h;
        let d = (2.0 * h + 6.0) * k * k - 4.0 * h * k;
        let cubic = ((a * n + b) * n + c) * n + d;
        Ok(cubic / ((n - 1.0) * (n - 2.0) * (n - 3.0)))
    }
}
