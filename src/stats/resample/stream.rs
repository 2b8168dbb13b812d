//! A stream of random bits that is the same on every machine and in every version.
//!
//! The state comes out of `ChaCha8`, keyed by seed and number, so that streams of neighbouring numbers have nothing in common;
//! the bits come out of xoshiro256++ (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
//! 47, 2021), since a bootstrap needs thousands of millions of them and `ChaCha8` would take most of its time.
//! This file must not know what is drawn.

use std::sync::LazyLock;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random bits.
#[derive(Clone, Debug)]
pub struct Stream([u64; 4]);

impl Stream {
    /// The stream of a number under a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        key[16..].copy_from_slice(b"resamples, first");
        let mut source = ChaCha8Rng::from_seed(key);
        Self([(); 4].map(|()| source.next_u64()))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        // The published form changes the words one after another; this is the same step at once.
        result
    }

    /// How many of `n` fair coins show heads.
    pub fn heads(&mut self, n: usize) -> usize {
        let mut heads = 0;
        for _ in 0..n / PURSE {
            heads += PURSES.heads(self.bits());
        }
        let rest = n % PURSE;
        for _ in 0..rest / 64 {
            heads += self.bits().count_ones() as usize;
        }
        if !rest.is_multiple_of(64) {
            heads += (self.bits() >> (64 - rest % 64)).count_ones() as usize;
        }
        heads
    }

    /// How many of `n` trials succeed, each with a chance of `hits` in `of`.
    ///
    /// The binary digits of the chance are held against random ones, those of all trials at once: where they differ first,
    /// a trial is decided, so half of those left are at each digit.
    pub fn successes(&mut self, n: usize, hits: usize, of: usize) -> usize {
        let (mut successes, mut open, mut rest) = (0, n, hits);
        while open > 0 && rest > 0 {
            let ones = self.heads(open);
            rest *= 2;
            if rest >= of {
                rest -= of;
                successes += open - ones;
                open = ones;
            } else {
                open -= ones;
            }
        }
        successes
    }

    /// A number from 0 up to, but not including 1, in steps of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }
}

/// So many coins are thrown at once.
const PURSE: usize = 512;

static PURSES: LazyLock<Purse> = LazyLock::new(Purse::new);

/// How often so many coins show heads: the binomial distribution as a table to look a word of bits up in. Probabilities are
/// made by the four rules of arithmetic alone and so are the same on every machine; they are right to 2⁻⁵³.
struct Purse {
    /// The probability of at most so many heads, in 2⁻⁶³.
    up_to: Vec<u64>,
    /// Where to begin, by the first eight bits.
    begin: [u16; 256],
}

impl Purse {
    fn new() -> Self {
        // From the middle outwards each number of heads is a fraction of its neighbour; the middle counts 1.
        let mut weights = vec![1.0_f64; PURSE + 1];
        for heads in PURSE / 2 + 1..=PURSE {
            let weight = weights[heads - 1] * (PURSE + 1 - heads) as f64 / heads as f64;
            (weights[heads], weights[PURSE - heads]) = (weight, weight);
        }
        let all: f64 = weights.iter().sum();
        let words = 2.0_f64.powi(63);
        let mut sum = 0.0;
        let up_to = weights.iter().map(|weight| {
            sum += weight;
            (sum / all * words) as u64
        });
        let up_to: Vec<u64> = up_to.collect();
        let mut begin = [0; 256];
        for (first, begin) in begin.iter_mut().enumerate() {
            let word = (first as u64) << 55;
            *begin = up_to.partition_point(|&up_to| up_to <= word) as u16;
        }
        Self { up_to, begin }
    }

    fn heads(&self, word: u64) -> usize {
        let mut heads = usize::from(self.begin[(word >> 56) as usize]);
        let word = word >> 1;
        while heads < PURSE && self.up_to[heads] <= word {
            heads += 1;
        }
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_generator_and_stays_as_it_is() {
        // The first outputs of the authors' C program from this state.
        let mut stream = Stream([1, 2, 3, 4]);
        let first = [(); 4].map(|()| stream.bits());
        let published = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
        ];
        assert_eq!(first, published);
        // Written down once.
        assert_eq!(Stream::new(7, 0).bits(), 1_224_702_080_619_342_049);
        assert_ne!(Stream::new(7, 0).bits(), Stream::new(7, 1).bits());
    }

    #[test]
    fn half_of_all_coins_show_heads() {
        let mut stream = Stream::new(1, 0);
        let heads: usize = (0..1000).map(|n| stream.heads(n)).sum();
        // Five standard deviations of a binomial with n = 499,500 and p = 1/2.
        assert!(heads.abs_diff(249_750) < 1767, "{heads}");
        assert!((0..2000).all(|n| stream.heads(n) <= n));
    }

    #[test]
    fn trials_succeed_as_often_as_their_chance_says() {
        let mut stream = Stream::new(3, 0);
        for (hits, of) in [(1, 3), (5, 7), (1, 1000), (256, 391), (1, 2)] {
            let found: usize = (0..2000).map(|_| stream.successes(100, hits, of)).sum();
            let p = hits as f64 / of as f64;
            let gap = found as f64 - 200_000.0 * p;
            assert!(
                gap.abs() < 5.0 * (200_000.0 * p * (1.0 - p)).sqrt(),
                "{hits} of {of}: {found}"
            );
        }
        assert_eq!(stream.successes(50, 0, 3), 0);
    }

    #[test]
    fn coins_thrown_at_once_vary_as_coins_thrown_one_by_one() {
        let mut stream = Stream::new(2, 0);
        let throws = 40_000;
        let mut square = 0.0;
        let mut at_middle = 0;
        for _ in 0..throws {
            let heads = stream.heads(PURSE);
            square += (heads as f64 - 256.0).powi(2);
            at_middle += usize::from(heads == 256);
        }
        // Variance n/4 = 128, within five standard errors; P(256 of 512) = 0.035244, within five of 0.00092.
        let variance = square / f64::from(throws);
        assert!(
            (variance - 128.0).abs() < 5.0 * 128.0 * (2.0 / f64::from(throws)).sqrt(),
            "{variance}"
        );
        let share = at_middle as f64 / f64::from(throws);
        assert!((share - 0.035_244).abs() < 0.0046, "{share}");
        // The ends of the table and the least of every stretch that a word may begin in.
        assert!(PURSES.heads(0) > 150 && PURSES.heads(u64::MAX) < 362);
    }
}
