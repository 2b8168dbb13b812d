//! Edit distance: the fewest insertions, removals and exchanges that make one text the other.
//!
//! A column of the table of distances is kept as bits (one for each place that is one more or one less than the place
//! above it), 64 at a time, so that texts of some thousand characters take a fraction of a millisecond.

use super::blanks::between_blanks;
use super::grams::Numbers;

/// What is inserted, removed and exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Characters.
    Characters,
    /// What stands between blanks.
    Words,
}

/// How many bits are in a block.
const BITS: usize = 64;

pub(super) fn distance(text: &str, reference: &str, unit: Unit) -> f64 {
    let (one, other) = symbols(text, reference, unit);
    between(&one, &other) as f64
}

/// The distance as a share of the longer text; of two empty ones 0.
pub(super) fn ratio(text: &str, reference: &str, unit: Unit) -> f64 {
    let (one, other) = symbols(text, reference, unit);
    let longer = one.len().max(other.len());
    between(&one, &other) as f64 / longer.max(1) as f64
}

fn symbols(text: &str, reference: &str, unit: Unit) -> (Vec<u32>, Vec<u32>) {
    let letters = |text: &str| text.chars().map(u32::from).collect();
    match unit {
        Unit::Characters => (letters(text), letters(reference)),
        Unit::Words => {
            let mut numbers = Numbers::default();
            let one = numbers.of(between_blanks(text));
            let other = numbers.of(between_blanks(reference));
            (one, other)
        }
    }
}

fn between(one: &[u32], other: &[u32]) -> usize {
    let Some(last) = one.len().checked_sub(1) else {
        return other.len();
    };
    let blocks = one.len().div_ceil(BITS);
    // Where each symbol stands in the first text, a block of bits after the other.
    let mut known: Vec<u32> = one.to_vec();
    known.sort_unstable();
    known.dedup();
    let mut places = vec![0_u64; known.len() * blocks];
    for (at, symbol) in one.iter().enumerate() {
        if let Ok(index) = known.binary_search(symbol) {
            places[index * blocks + at / BITS] |= 1 << (at % BITS);
        }
    }
    let nowhere = vec![0_u64; blocks];
    let end = 1_u64 << (last % BITS);
    let (mut more, mut less) = (vec![u64::MAX; blocks], vec![0_u64; blocks]);
    let mut distance = one.len();
    for symbol in other {
        let equal = match known.binary_search(symbol) {
            Ok(index) => &places[index * blocks..][..blocks],
            Err(_) => &nowhere,
        };
        // What comes in from above: the first row grows by one with each symbol.
        let (mut rises, mut falls) = (1_u64, 0_u64);
        for block in 0..blocks {
            let (up, down) = (more[block], less[block]);
            let vertical = equal[block] | down;
            let same = equal[block] | falls;
            let diagonal = ((same & up).wrapping_add(up) ^ up) | same;
            let mut grows = down | !(diagonal | up);
            let mut shrinks = up & diagonal;
            if block == blocks - 1 {
                distance += usize::from(grows & end != 0);
                distance -= usize::from(shrinks & end != 0);
            }
            let (rises_on, falls_on) = (grows >> (BITS - 1), shrinks >> (BITS - 1));
            grows = grows << 1 | rises;
            shrinks = shrinks << 1 | falls;
            more[block] = shrinks | !(vertical | grows);
            less[block] = grows & vertical;
            (rises, falls) = (rises_on, falls_on);
        }
    }
    distance
}
