//! Sequences of n words or characters, counted.

use std::collections::BTreeMap;

/// The sequences of one length in a text, sorted, with how often each is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Grams(Vec<(u128, u32)>);

impl Grams {
    /// The sequences of `n` symbols; `n` symbols fit into 128 bits.
    pub(super) fn of(symbols: &[u32], n: usize) -> Self {
        let bits = 128 / n;
        let mask = u128::MAX.checked_shr(128 - (bits * n) as u32).unwrap_or(0);
        let mut all: Vec<u128> = Vec::with_capacity(symbols.len());
        let mut gram = 0_u128;
        for (at, &symbol) in symbols.iter().enumerate() {
            let shifted = gram.checked_shl(bits as u32).unwrap_or(0);
            gram = (shifted | u128::from(symbol)) & mask;
            if at + 1 >= n {
                all.push(gram);
            }
        }
        all.sort_unstable();
        let mut counted: Vec<(u128, u32)> = Vec::with_capacity(all.len());
        for gram in all {
            match counted.last_mut() {
                Some((last, times)) if *last == gram => *times += 1,
                _ => counted.push((gram, 1)),
            }
        }
        Self(counted)
    }

    /// How many there are.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|&(_, times)| u64::from(times)).sum()
    }

    /// How many of these are in another text too.
    pub(super) fn matched(&self, other: &Self) -> u64 {
        let mut sum = 0;
        both(&self.0, &other.0, |_, one, another| {
            sum += u64::from(one.min(another));
        });
        sum
    }

    /// Each as often as in the text that has it more often.
    pub(super) fn most(&self, other: &Self) -> Self {
        let mut most = Vec::with_capacity(self.0.len() + other.0.len());
        both(&self.0, &other.0, |gram, one, another| {
            most.push((gram, one.max(another)));
        });
        Self(most)
    }
}

/// Goes through two sorted lists side by side.
fn both(one: &[(u128, u32)], other: &[(u128, u32)], mut each: impl FnMut(u128, u32, u32)) {
    let (mut ones, mut others) = (one.iter().peekable(), other.iter().peekable());
    loop {
        match (ones.peek(), others.peek()) {
            (Some(&&(gram, times)), Some(&&(same, others_times))) if gram == same => {
                each(gram, times, others_times);
                ones.next();
                others.next();
            }
            (Some(&&(gram, times)), other) if other.is_none_or(|(next, _)| gram < *next) => {
                each(gram, times, 0);
                ones.next();
            }
            (_, Some(&&(gram, times))) => {
                each(gram, 0, times);
                others.next();
            }
            (None | Some(_), None) => return,
        }
    }
}

/// Numbers for words, the same for the same word.
#[derive(Default)]
pub(super) struct Numbers<'w>(BTreeMap<&'w str, u32>);

impl<'w> Numbers<'w> {
    /// The numbers of some words.
    pub(super) fn of(&mut self, words: impl Iterator<Item = &'w str>) -> Vec<u32> {
        let number = |word| {
            let next = self.0.len() as u32;
            *self.0.entry(word).or_insert(next)
        };
        words.map(number).collect()
    }
}
