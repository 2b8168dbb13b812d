//! Density: where in the text the operations of a manipulation lie.
//!
//! Chooses among candidates that others found (letters, words, marks, sentences, verbs); how many
//! are chosen is the intensity's business and the same in both settings. The region itself is
//! not recorded: it is never smaller than the stretch from the first to the last edit.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::NotApplicable;
use super::shortage::enough;
use crate::base::draw::Draw;
use crate::language::text::Span;

/// What an operation is called, and what one is made on, both in the singular: `("typo", "letter")`.
type Named<'n> = (&'n str, &'n str);

/// Where operations lie (thesis, 3.2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Density {
    /// Anywhere, each candidate equally likely.
    #[default]
    Widespread,
    /// In one region, and there each candidate equally likely.
    Dense,
}

/// The factor β of Eq. 3.3, as a fraction: how many words' room one operation gets.
const ROOM: (usize, usize) = (5, 2);

/// Letters in an English word, on average (Eq. 3.3).
const LETTERS: usize = 5;

/// `L_s` of Eq. 3.3: the characters of the region for so many operations, half a character rounded up.
pub fn region_characters(operations: usize) -> usize {
    room(operations.saturating_mul(LETTERS))
}

impl Density {
    /// Chooses `operations` of the candidates, which are in the order of the text and do not overlap, and
    /// gives their numbers in that order.
    ///
    /// Dense: the region has [`region_characters`], or the whole text where that is shorter. Every place
    /// of it that holds enough candidates is equally likely. Where no place does (punctuation is
    /// too rare for Eq. 3.3), the region becomes as much longer as it must: it is then a random run
    /// of exactly as many neighbouring candidates as there are operations.
    ///
    /// # Errors
    /// When there are too few candidates.
    pub fn choose(
        self,
        text: &str,
        candidates: &[Span],
        operations: usize,
        named: Named<'_>,
        draw: &mut Draw,
    ) -> Result<Vec<usize>, NotApplicable> {
        let region = |draw: &mut Draw| region(text, candidates, operations, draw);
        self.choose_within(candidates.len(), operations, named, draw, region)
    }

    /// The same for manipulations of sentences and verbs, where the thesis moves a window over adjacent
    /// sentences without saying how large it is.
    ///
    /// Dense: a window is a run of whole sentences, the shortest from its first sentence on that holds
    /// β times as many candidates as operations, half a one rounded up: Eq. 3.3 with the candidate
    /// in place of the word. Every window that begins with a sentence that has a candidate is equally
    /// likely. Where the text has fewer than β times as many, it is the window.
    ///
    /// # Errors
    /// When there are too few candidates.
    pub fn choose_among_sentences(
        self,
        sentences: &[Span],
        candidates: &[Span],
        operations: usize,
        named: Named<'_>,
        draw: &mut Draw,
    ) -> Result<Vec<usize>, NotApplicable> {
        let window = |draw: &mut Draw| window(sentences, candidates, operations, draw);
        self.choose_within(candidates.len(), operations, named, draw, window)
    }

    fn choose_within(
        self,
        candidates: usize,
        operations: usize,
        (operation, candidate): Named<'_>,
        draw: &mut Draw,
        dense: impl FnOnce(&mut Draw) -> Range<usize>,
    ) -> Result<Vec<usize>, NotApplicable> {
        enough(operations, operation, candidates, candidate)?;
        let within = match self {
            Self::Widespread => 0..candidates,
            Self::Dense => dense(draw),
        };
        let chosen = draw.some(within.len(), operations).into_iter();
        Ok(chosen.map(|number| within.start + number).collect())
    }
}

fn room(things: usize) -> usize {
    things.saturating_mul(ROOM.0).div_ceil(ROOM.1)
}

/// The candidates of a random region of Eq. 3.3's length.
fn region(text: &str, candidates: &[Span], operations: usize, draw: &mut Draw) -> Range<usize> {
    if operations == 0 {
        return 0..0;
    }
    let (places, characters) = in_characters(text, candidates);
    let length = region_characters(operations).min(characters);
    // The places at which a region begins whose first candidate is this one and which has enough.
    let starts = |first: usize| {
        let enough = places[first + operations - 1].end.saturating_sub(length);
        let after = first
            .checked_sub(1)
            .map_or(0, |before| places[before].start + 1);
        enough.max(after)..(places[first].start.min(characters - length) + 1)
    };
    let firsts = 0..=candidates.len() - operations;
    let number: usize = firsts.clone().map(|first| starts(first).len()).sum();
    if number == 0 {
        let first = draw.below(candidates.len() - operations + 1);
        return first..first + operations;
    }
    let mut left = draw.below(number);
    for first in firsts {
        let starts = starts(first);
        if left < starts.len() {
            let end = starts.start + left + length;
            let count = places[first..].partition_point(|place| place.end <= end);
            return first..first + count;
        }
        left -= starts.len();
    }
    0..candidates.len()
}

/// The candidates' places counted in characters, and the characters of the text.
fn in_characters(text: &str, candidates: &[Span]) -> (Vec<Span>, usize) {
    let (mut byte, mut character) = (0, 0);
    let mut count_to = |end: usize| {
        character += text[byte..end].chars().count();
        byte = end;
        character
    };
    let places = candidates
        .iter()
        .map(|span| Span::new(count_to(span.start), count_to(span.end)))
        .collect();
    (places, count_to(text.len()))
}

/// The candidates of a random window of sentences.
fn window(
    sentences: &[Span],
    candidates: &[Span],
    operations: usize,
    draw: &mut Draw,
) -> Range<usize> {
    let wanted = room(operations).min(candidates.len());
    // The candidates that begin before each sentence's end: where the next sentence's candidates start.
    let mut ends = Vec::with_capacity(sentences.len());
    let mut end = 0;
    for sentence in sentences {
        while candidates
            .get(end)
            .is_some_and(|span| span.start < sentence.end)
        {
            end += 1;
        }
        ends.push(end);
    }
    let mut firsts = Vec::new();
    let mut first = 0;
    for &end in &ends {
        if end > first && first + wanted <= candidates.len() {
            firsts.push(first);
        }
        first = end;
    }
    let first = draw.pick(&firsts).copied().unwrap_or(0);
    let last = ends.partition_point(|&end| end < first + wanted);
    first..ends.get(last).copied().unwrap_or(candidates.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn letters(text: &str) -> Vec<Span> {
        text.char_indices()
            .filter(|(_, letter)| letter.is_alphabetic())
            .map(|(at, letter)| Span::new(at, at + letter.len_utf8()))
            .collect()
    }

    const NAMED: (&str, &str) = ("typo", "letter");

    fn draw(seed: u64) -> Draw {
        Draw::new(seed, &["density"])
    }

    #[test]
    fn the_region_has_twelve_and_a_half_characters_per_operation() {
        assert_eq!(region_characters(40), 500);
        assert_eq!(region_characters(1), 13);
        assert_eq!(region_characters(0), 0);
    }

    #[test]
    fn too_few_candidates_are_no_choice() {
        let text = "a b";
        for density in [Density::Widespread, Density::Dense] {
            let choose = |text: &str, operations| {
                density.choose(text, &letters(text), operations, NAMED, &mut draw(0))
            };
            assert!(choose(text, 3).is_err());
            assert!(choose(text, usize::MAX).is_err());
            assert_eq!(choose(text, 2).unwrap(), [0, 1]);
            assert!(choose("", 0).unwrap().is_empty());
        }
    }

    #[test]
    fn only_regions_with_enough_candidates_are_drawn() {
        // One operation has 13 characters; of the 88 places the two letters share 26.
        let text = format!("{}é{}é{}", "-".repeat(30), "-".repeat(38), "-".repeat(30));
        let mut seen = [0; 2];
        for seed in 0..60 {
            let chosen = Density::Dense
                .choose(&text, &letters(&text), 1, NAMED, &mut draw(seed))
                .unwrap();
            seen[chosen[0]] += 1;
        }
        assert!(seen.iter().all(|&times| times > 15), "{seen:?}");
    }

    #[test]
    fn a_region_has_all_candidates_it_covers() {
        let text = "a".repeat(40);
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..400 {
            let range = region(&text, &letters(&text), 1, &mut draw(seed));
            assert_eq!(range.len(), 13);
            seen.insert(range.start);
        }
        assert_eq!(seen.len(), 28, "places of 13 characters among 40");
    }

    #[test]
    fn a_region_with_too_few_candidates_is_widened_to_neighbouring_ones() {
        let text = "a-------------------b-------------------c-------------------d";
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let chosen = Density::Dense.choose(text, &letters(text), 2, NAMED, &mut draw(seed));
            seen.insert(chosen.unwrap());
        }
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            [[0, 1], [1, 2], [2, 3]]
        );
    }

    #[test]
    fn a_window_is_of_whole_sentences_and_has_room() {
        // Ten sentences of ten bytes; every second one has a candidate, the last one has three.
        let sentences: Vec<Span> = (0..10).map(|n| Span::new(n * 10, n * 10 + 9)).collect();
        let mut candidates: Vec<Span> = (0..5).map(|n| Span::new(n * 20 + 3, n * 20 + 5)).collect();
        candidates.push(Span::new(91, 92));
        candidates.push(Span::new(93, 94));
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..100 {
            let range = window(&sentences, &candidates, 2, &mut draw(seed));
            assert!(
                range.len() >= 5,
                "room for two operations is five candidates"
            );
            seen.insert((range.start, range.end));
        }
        // From the second candidate on, the fifth one stands in the last sentence, with one more.
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            [(0, 5), (1, 7), (2, 7)]
        );
    }

    #[test]
    fn a_text_without_that_much_room_is_the_window() {
        let sentences = [Span::new(0, 9), Span::new(10, 19)];
        let candidates = [Span::new(1, 2), Span::new(3, 4), Span::new(11, 12)];
        for seed in 0..10 {
            assert_eq!(window(&sentences, &candidates, 2, &mut draw(seed)), 0..3);
        }
        assert_eq!(window(&[], &candidates, 2, &mut draw(0)), 0..3);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn dense_operations_lie_in_one_region(text in "[a-zé ,.]{0,200}", part in 1usize..20, seed: u64) {
            let candidates = letters(&text);
            let operations = candidates.len() / part;
            let chosen = Density::Dense.choose(&text, &candidates, operations, NAMED, &mut draw(seed)).unwrap();
            prop_assert_eq!(chosen.len(), operations);
            prop_assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            if let (Some(&first), Some(&last)) = (chosen.first(), chosen.last()) {
                let stretch = &text[candidates[first].start..candidates[last].end];
                let neighbours = last - first + 1 == operations;
                prop_assert!(
                    stretch.chars().count() <= region_characters(operations) || neighbours,
                    "{} characters for {} operations", stretch.chars().count(), operations
                );
            }
        }

        #[test]
        fn widespread_operations_are_different_candidates(n in 0usize..50, k in 0usize..60, seed: u64) {
            let candidates: Vec<Span> = (0..n).map(|at| Span::new(at, at + 1)).collect();
            let chosen = Density::Widespread.choose(&"x".repeat(n), &candidates, k, NAMED, &mut draw(seed));
            match chosen {
                Err(_) => prop_assert!(k > n),
                Ok(chosen) => {
                    prop_assert_eq!(chosen.len(), k);
                    prop_assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
                    prop_assert!(chosen.iter().all(|&number| number < n));
                }
            }
        }
    }
}
