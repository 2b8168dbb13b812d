//! Random draws that are the same on every machine and in every year.
//!
//! A generator is seeded from the experiment's seed and the names of what it draws for, so a draw
//! depends neither on the order of threads nor on other documents. The methods are our own because
//! libraries of distributions change the values they give from version to version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random draws.
#[derive(Clone, Debug)]
pub struct Draw(ChaCha8Rng);

/// Streams whose names begin alike, such as all that are drawn for one document: what they begin with is read once.
#[derive(Clone, Debug)]
pub struct Source(blake3::Hasher);

impl Source {
    /// Streams under an experiment's seed whose names begin with `parts`.
    pub fn new(seed: u64, parts: &[&str]) -> Self {
        let mut source = Self(blake3::Hasher::new());
        source.add(&seed.to_string());
        for part in parts {
            source.add(part);
        }
        source
    }

    /// The stream whose name goes on with `parts`: the same as [`Draw::new`] gives for all of them.
    pub fn draw(&self, parts: &[&str]) -> Draw {
        let mut source = self.clone();
        for part in parts {
            source.add(part);
        }
        Draw(ChaCha8Rng::from_seed(*source.0.finalize().as_bytes()))
    }

    fn add(&mut self, part: &str) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part.as_bytes());
    }
}

/// A number drawn for each of very many names, for some nanoseconds each.
///
/// A name's number depends on the name and on the stream that the lots come from, and on no other name.
#[derive(Clone, Copy, Debug)]
pub struct Lots(u64);

impl Lots {
    /// The number of a name.
    pub fn of(&self, name: &str) -> u64 {
        // FNV-1a tells the names apart; the finalizer of SplitMix64 makes neighbours of them, and of lots, strangers.
        let folded = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut mixed = folded ^ self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Draw {
    /// The stream for what `parts` name, under an experiment's seed. Parts are kept apart: `ab`, `c`
    /// and `a`, `bc` give different streams.
    pub fn new(seed: u64, parts: &[&str]) -> Self {
        Source::new(seed, parts).draw(&[])
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Lots for as many names as there are, of which the next 64 bits decide.
    pub fn lots(&mut self) -> Lots {
        Lots(self.bits())
    }

    /// A number below `n`, each equally likely; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        if n <= 1 {
            return 0;
        }
        // Lemire's method: the high half of a product, with the few draws that would favour small
        // numbers thrown away.
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// One of `items`, unless there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `k` different numbers below `n`, in random order; all of them where `k` is larger.
    pub fn sample(&mut self, n: usize, k: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        let k = k.min(n);
        for first in 0..k {
            let other = first + self.below(n - first);
            all.swap(first, other);
        }
        all.truncate(k);
        all
    }

    /// The same numbers in ascending order.
    pub fn some(&mut self, n: usize, k: usize) -> Vec<usize> {
        let mut chosen = self.sample(n, k);
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_names_give_the_same_draws() {
        let draws = |parts: &[&str]| {
            let mut draw = Draw::new(7, parts);
            (0..5).map(|_| draw.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(&["a", "bc"]), draws(&["a", "bc"]));
        assert_ne!(draws(&["a", "bc"]), draws(&["ab", "c"]));
        // Written down once: they must be the same on every machine and in every version.
        assert_eq!(draws(&["stage", "document"]), [908, 635, 690, 60, 127]);
    }

    #[test]
    fn a_source_gives_the_streams_of_the_whole_names() {
        let source = Source::new(7, &["stage"]);
        assert_eq!(
            source.draw(&["a", "bc"]).bits(),
            Draw::new(7, &["stage", "a", "bc"]).bits()
        );
        assert_eq!(source.draw(&[]).bits(), Draw::new(7, &["stage"]).bits());
    }

    #[test]
    fn lots_order_names_anew_for_every_stream() {
        let names: Vec<String> = (0..6).map(|number| format!("JM-{number}")).collect();
        let mut first = [0_i32; 6];
        let mut before = [0_i32; 2];
        for seed in 0..6000 {
            let lots = Draw::new(seed, &["lots"]).lots();
            let least = (0..6).min_by_key(|&at| lots.of(&names[at])).unwrap();
            first[least] += 1;
            // Of two neighbours either comes first as often, also where another one came first of all.
            before[usize::from(lots.of(&names[1]) < lots.of(&names[2]))] += i32::from(least == 0);
        }
        // Five standard deviations of binomials with n = 6000, p = 1/6 and with n = 1000, p = 1/2.
        assert!(first.iter().all(|n| (n - 1000).abs() < 145), "{first:?}");
        assert!((before[0] - before[1]).abs() < 160, "{before:?}");
        // Written down once, as above.
        let lots = Draw::new(7, &["stage"]).lots();
        assert_eq!(lots.of("a"), 5_266_099_102_335_069_863);
    }

    #[test]
    fn every_number_below_a_limit_is_equally_likely() {
        let mut draw = Draw::new(1, &["counts"]);
        let mut counts = [0_i32; 7];
        for _ in 0..7000 {
            counts[draw.below(7)] += 1;
        }
        // Five standard deviations of a binomial with n = 7000 and p = 1/7.
        assert!(counts.iter().all(|n| (n - 1000).abs() < 147), "{counts:?}");
        assert_eq!(draw.below(0), 0);
        assert_eq!(draw.below(1), 0);
    }

    #[test]
    fn a_sample_holds_different_numbers_and_no_more_than_there_are() {
        let mut draw = Draw::new(1, &["sample"]);
        let mut sample = draw.sample(10, 4);
        sample.sort_unstable();
        sample.dedup();
        assert_eq!(sample.len(), 4);
        assert!(sample.iter().all(|&n| n < 10));
        let mut all = draw.sample(3, 9);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    }

    #[test]
    fn a_shuffle_keeps_what_there_is() {
        let mut items: Vec<u32> = (0..50).collect();
        Draw::new(1, &["shuffle"]).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn a_range_includes_both_ends() {
        let mut draw = Draw::new(1, &["range"]);
        let seen: std::collections::BTreeSet<usize> =
            (0..200).map(|_| draw.between(3, 5)).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [3, 4, 5]);
    }
}
