//! As many draws with replacement as there are units, without a random number for each.
//!
//! Units stand in a row. How many draws fall into the left part of a row is a number of heads of as many coins, so a word of bits
//! decides hundreds of draws at once; what is left are stretches of 256 units, in which eight bits decide a draw and all that is
//! read lies in the fastest cache. Each unit is equally likely and draws are independent: together the counts have the
//! multinomial distribution that drawing one by one gives.
//! This file must not know what a unit is.

use rayon::prelude::*;

use super::Stream;

/// How many units are drawn among by a byte.
pub(super) const STRETCH: usize = 256;
/// How many resamples share a stream. Part of what a seed means.
const BLOCK: usize = 32;

/// What is done with draws.
pub trait Tally {
    /// A unit was drawn.
    fn one(&mut self, unit: usize);

    /// Eight were drawn from a stretch that begins at `start`, a multiple of 256, and is complete.
    fn eight(&mut self, start: usize, at: [u8; 8]) {
        for at in at {
            self.one(start + usize::from(at));
        }
    }
}

/// Draws `units` times among `units`, `resamples` times over, each time into a new tally.
///
/// What a resample holds depends on the seed, its number and the number of units, and on nothing else.
pub fn resample<T: Tally, R: Send>(
    units: usize,
    resamples: usize,
    seed: u64,
    start: impl Fn() -> T + Sync,
    finish: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let blocks = resamples.div_ceil(BLOCK);
    let of_block = |block: usize| {
        let mut stream = Stream::new(seed, block as u64);
        let here = BLOCK.min(resamples - block * BLOCK);
        let one = |_| {
            let mut tally = start();
            draw(0, units, units, &mut stream, &mut tally);
            finish(tally)
        };
        (0..here).map(one).collect::<Vec<R>>()
    };
    let found: Vec<Vec<R>> = (0..blocks).into_par_iter().map(of_block).collect();
    found.into_iter().flatten().collect()
}

/// Draws `count` times among the units from `start` up to `end`.
fn draw(start: usize, end: usize, count: usize, stream: &mut Stream, tally: &mut impl Tally) {
    let units = end - start;
    if count == 0 {
        return;
    }
    if units > STRETCH {
        // A power of two of stretches on the left, so that most halves below are equal and cost one throw.
        let stretches = units.div_ceil(STRETCH);
        let left = STRETCH * (stretches.next_power_of_two() / 2);
        let heads = stream.successes(count, left, units);
        draw(start, start + left, heads, stream, tally);
        draw(start + left, end, count - heads, stream, tally);
        return;
    }
    let mut rest = count;
    if units == STRETCH {
        for _ in 0..count / 8 {
            tally.eight(start, stream.bits().to_le_bytes());
        }
        rest = count % 8;
    }
    let mask = units.next_power_of_two() - 1;
    while rest > 0 {
        for at in stream.bits().to_le_bytes() {
            let at = usize::from(at) & mask;
            // What hits none is drawn again.
            if rest > 0 && at < units {
                tally.one(start + at);
                rest -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counts(Vec<usize>);

    impl Tally for Counts {
        fn one(&mut self, unit: usize) {
            self.0[unit] += 1;
        }
    }

    fn counts(units: usize, resamples: usize, seed: u64) -> Vec<Vec<usize>> {
        resample(
            units,
            resamples,
            seed,
            || Counts(vec![0; units]),
            |tally| tally.0,
        )
    }

    #[test]
    fn each_resample_draws_as_often_as_there_are_units() {
        for units in [1, 2, 3, 7, 8, 255, 256, 257, 1000, 4096, 5000] {
            for drawn in counts(units, 3, 5) {
                assert_eq!(drawn.iter().sum::<usize>(), units);
            }
        }
        assert!(counts(0, 2, 1).iter().all(Vec::is_empty));
    }

    #[test]
    fn every_unit_is_equally_likely_and_counts_vary_as_a_multinomial() {
        for units in [5_usize, 300, 700] {
            let resamples = 4000;
            let all = counts(units, resamples, 11);
            let (mut square, mut product) = (0.0, 0.0);
            for unit in 0..units {
                let sum: usize = all.iter().map(|drawn| drawn[unit]).sum();
                // Six standard deviations of a Poisson count.
                assert!(sum.abs_diff(resamples) < 6 * 64, "{unit} of {units}: {sum}");
            }
            for drawn in &all {
                for (at, &count) in drawn.iter().enumerate() {
                    let count = count as f64 - 1.0;
                    square += count * count;
                    product += count * (drawn[(at + 1) % units] as f64 - 1.0);
                }
            }
            let many = (units * resamples) as f64;
            let share = 1.0 / units as f64;
            // Variance 1 - 1/n, covariance -1/n of two counts.
            let bound = 8.0 * (2.0 / many).sqrt();
            assert!((square / many - (1.0 - share)).abs() < bound, "{units}");
            assert!((product / many + share).abs() < bound, "{units}");
        }
    }

    #[test]
    fn the_number_of_threads_does_not_reach_the_draws() {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| counts(700, 100, 3))
        };
        assert_eq!(with(1), with(3));
        assert_ne!(counts(700, 100, 3), counts(700, 100, 4));
        // A shorter run is the beginning of a longer one.
        assert_eq!(counts(700, 40, 3), counts(700, 100, 3)[..40]);
    }
}
