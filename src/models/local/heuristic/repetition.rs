//! Repetition: sentences that say again, word for word or nearly so, what stood before.
//!
//! Measure: a sentence of at least five distinct content words whose set of content stems has occurred
//! before is a repetition, whatever its words of grammar and its order. The rate is the words in such
//! sentences per 1,000 words. Weak: refrains and formulas repeat by right; a paraphrase is not seen.

use std::collections::BTreeSet;

use super::finding::Signal;
use super::stems::Stems;
use super::text::Document;

/// Distinct content words a sentence needs to be compared.
const LEAST: usize = 5;

/// Scores repetition; the rate is repeated words per 1,000 words.
pub(super) fn repetition(document: &Document<'_>, stems: &Stems) -> Signal {
    let mut seen: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut signal = Signal::default();
    let mut repeated = 0usize;
    for sentence in &document.sentences {
        let content = stems.within(sentence.clone());
        let mut key: Vec<u32> = content.iter().map(|c| c.stem).collect();
        key.sort_unstable();
        key.dedup();
        if key.len() >= LEAST && !seen.insert(key) {
            repeated += sentence.len();
            let end = (sentence.start + 12).min(sentence.end);
            signal.add(
                "REPETITION",
                sentence.start..end,
                "says again what an earlier sentence said",
                1.0,
            );
        }
    }
    signal.rate = document.per_thousand(repeated as f64);
    signal
}

#[cfg(test)]
mod tests {
    use super::{Document, Stems, repetition};

    #[test]
    fn the_same_sentence_twice_is_found_even_with_other_words_of_grammar() {
        let text = "The ghost walked along a corridor with rusty chains at midnight. Nobody spoke. \
            At midnight a ghost walked along that corridor with the rusty chains.";
        let document = Document::read(text);
        assert_eq!(
            repetition(&document, &Stems::of(&document)).findings.len(),
            1
        );
    }
}
