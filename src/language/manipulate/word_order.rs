//! \[43\] Word order: words of a sentence change places (thesis, Eq. 3.20 and 3.21).
//!
//! Finds no sentences. The thesis's text swaps one pair of words, its published data shuffles the whole
//! sentence; both are here. The first and the last word and all punctuation stay where they
//! are, and a word keeps its capitals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::density::Density;
use super::edit::{Change, NotApplicable};

use super::words::whole_words;
use super::{About, Damaged, Intensity, Job, Refusal, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::{Headings, Span, Want};

/// \[43\] Words change places within sentences (Eq. 3.20, 3.21).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WordOrder {
    /// Spread over the text, or close together.
    pub density: Density,
    /// One pair of words or all of a sentence.
    pub shuffle: Shuffle,
}

impl Work for WordOrder {
    type Settings = Self;

    const ABOUT: About = About {
        usual: Some(Intensity::Percent { start: 5, end: 5 }),
        wants: Want::SENTENCES,
        ..About::of("word-order", Some(43), Target::Fluency)
    };

    fn perform(settings: &Self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let sentences = &job.subject.annotations.sentences;
        let Self { density, shuffle } = *settings;
        job.make(sentences.len(), |operations, draw| {
            word_order(text, sentences, operations, shuffle, density, draw)
        })
    }
}

/// How much of a sentence changes its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shuffle {
    /// Two inner words change places (Eq. 3.21).
    #[default]
    Pair,
    /// All inner words come into a random order, as in the published data.
    Sentence,
}

/// Changes the order of words in `operations` of the sentences.
///
/// Eq. 3.20 takes its percentage of all sentences; those can be chosen, headings excepted, in which two
/// inner words differ in more than capitals, which takes four words. One operation is a sentence, with one
/// change per word that comes to stand elsewhere.
///
/// # Errors
/// When there are too few sentences whose order can change.
pub fn word_order(
    text: &str,
    sentences: &[Span],
    operations: usize,
    shuffle: Shuffle,
    density: Density,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let headings = Headings::of(text);
    let candidates: Vec<Span> = sentences
        .iter()
        .copied()
        .filter(|&sentence| {
            if headings.hold(sentence) {
                return false;
            }
            let mut inner = inner_words(text, sentence).into_iter();
            let first = inner.next().map(|word| folded(text, word));
            inner.any(|word| Some(folded(text, word)) != first)
        })
        .collect();
    let named = ("reordering", "reorderable sentence");
    let chosen = density.choose_among_sentences(sentences, &candidates, operations, named, draw)?;
    let mut changes = Vec::new();
    for (operation, number) in chosen.into_iter().enumerate() {
        let inner = inner_words(text, candidates[number]);
        let order = match shuffle {
            Shuffle::Pair => swapped(text, &inner, draw),
            Shuffle::Sentence => shuffled(text, &inner, draw),
        };
        for (place, word) in inner.iter().zip(order) {
            if place.of(text) != word.of(text) {
                changes.push(Change::new(operation, *place, word.of(text)));
            }
        }
    }
    Ok(changes)
}

/// The words of a sentence without the first and the last.
fn inner_words(text: &str, sentence: Span) -> Vec<Span> {
    let mut words = whole_words(text, sentence);
    words.pop();
    words.drain(..words.len().min(1));
    words
}

/// The words after one swap of two that differ: the first any word, the second any that differs from it.
fn swapped(text: &str, words: &[Span], draw: &mut Draw) -> Vec<Span> {
    let mut order = words.to_vec();
    let one = draw.below(words.len());
    let word = folded(text, words[one]);
    let others: Vec<usize> = (0..words.len())
        .filter(|&other| folded(text, words[other]) != word)
        .collect();
    if let Some(&other) = draw.pick(&others) {
        order.swap(one, other);
    }
    order
}

/// The words in a random order in which they read otherwise.
fn shuffled(text: &str, words: &[Span], draw: &mut Draw) -> Vec<Span> {
    let mut order = words.to_vec();
    draw.shuffle(&mut order);
    let same = words
        .iter()
        .zip(&order)
        .all(|(&before, &now)| folded(text, before) == folded(text, now));
    if same {
        swapped(text, words, draw)
    } else {
        order
    }
}

fn folded(text: &str, word: Span) -> String {
    word.of(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::language::manipulate::edit::apply;
    use crate::language::manipulate::testing::{paragraphs, sentences};

    fn reordered(
        text: &str,
        operations: usize,
        shuffle: Shuffle,
        seed: u64,
    ) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["word-order"]);
        let sentences = sentences(text, &paragraphs(text));
        let changes = word_order(
            text,
            &sentences,
            operations,
            shuffle,
            Density::Widespread,
            &mut draw,
        )?;
        Ok(apply(text, changes).unwrap().0)
    }

    fn all(text: &str, shuffle: Shuffle) -> Vec<String> {
        let seen: BTreeSet<String> = (0..200)
            .map(|seed| reordered(text, 1, shuffle, seed).unwrap())
            .collect();
        seen.into_iter().collect()
    }

    #[test]
    fn a_heading_keeps_its_order() {
        let text = "CHAPTER: THE RETURN TO VENICE\n\nOne two three four.";
        for seed in 0..10 {
            let draw = &mut Draw::new(seed, &[]);
            let sentences = crate::language::text::sentences(text);
            let changes = word_order(
                text,
                &sentences,
                1,
                Shuffle::Pair,
                Density::Widespread,
                draw,
            )
            .unwrap();
            assert!(changes.iter().all(|change| change.span.start > 30));
        }
    }

    #[test]
    fn one_pair_of_inner_words_changes_places() {
        assert_eq!(
            all("“He came,\nvery late, home.”", Shuffle::Pair),
            [
                "“He came,\nlate very, home.”",
                "“He late,\nvery came, home.”",
                "“He very,\ncame late, home.”"
            ]
        );
    }

    #[test]
    fn a_whole_sentence_comes_into_any_other_order() {
        assert_eq!(
            all("He came, very late home.", Shuffle::Sentence),
            [
                "He came, late very home.",
                "He late, came very home.",
                "He late, very came home.",
                "He very, came late home.",
                "He very, late came home."
            ]
        );
    }

    #[test]
    fn words_that_differ_only_in_capitals_are_not_swapped() {
        let text = "So the The THE dog barked.";
        for shuffle in [Shuffle::Pair, Shuffle::Sentence] {
            for result in all(text, shuffle) {
                assert!(
                    !result.to_lowercase().starts_with("so the the the dog"),
                    "{result}"
                );
            }
        }
    }

    #[test]
    fn sentences_with_too_few_words_are_no_candidates() {
        let text = "He came home. Why? The the the the end. So very far away! 1.";
        let changed = reordered(text, 1, Shuffle::Pair, 3).unwrap();
        assert_eq!(changed, text.replace("very far", "far very"));
        assert_eq!(
            reordered(text, 2, Shuffle::Pair, 0).unwrap_err().0,
            "2 reorderings need 2 reorderable sentences, and there is only 1"
        );
    }

    #[test]
    fn dense_operations_lie_in_adjacent_sentences() {
        let text = "He went far away. ".repeat(40);
        let sentences = sentences(&text, &paragraphs(&text));
        for seed in 0..10 {
            let mut draw = Draw::new(seed, &[]);
            let changes = word_order(
                &text,
                &sentences,
                4,
                Shuffle::Pair,
                Density::Dense,
                &mut draw,
            )
            .unwrap();
            let last = changes.iter().map(|change| change.span.end).max().unwrap();
            assert_eq!(changes.len(), 8);
            assert!(last - changes[0].span.start <= 10 * "He went far away. ".len());
        }
    }
}
