//! Ties: sentences that nothing binds to the text around them.
//!
//! Measure: a statement of three to fifteen words is loose if it has no pronoun, no connective, no
//! demonstrative, no name, no number, and no content word whose stem stands in another sentence within
//! 400 tokens, and if it has at least three content words. Fragments of dialogue are left out. The rate
//! is loose sentences per 1,000 words. Weak: it sees only sentences without any tie; a sentence that is
//! out of place in time or logic is invisible to it as soon as it shares one word with its surroundings or
//! has a pronoun, and the dates at which words came into use are not known to it.

use super::classes::Classes;
use super::finding::Signal;
use super::stems::Stems;
use super::text::{Case, Document, Kind};

const REACH: u32 = 400;
const WORDS: std::ops::RangeInclusive<usize> = 3..=15;

/// Scores loose sentences; the rate is per 1,000 words.
pub(super) fn ties(document: &Document<'_>, stems: &Stems) -> Signal {
    let neighbours = Neighbours::of(stems);
    let mut signal = Signal::default();
    for paragraph in document
        .paragraphs
        .iter()
        .filter(|p| !p.heading && p.sentences.len() > 1)
    {
        for sentence in &document.sentences[paragraph.sentences.clone()] {
            if !is_plain_statement(document, sentence.clone()) {
                continue;
            }
            let from = stems
                .content
                .partition_point(|c| (c.token as usize) < sentence.start);
            let content = stems.within(sentence.clone());
            let bound = (from..from + content.len()).any(|i| neighbours.near(stems, i, sentence));
            if content.len() >= 3 && !bound {
                signal.add(
                    "COHESION",
                    sentence.clone(),
                    "has no tie to the text around it",
                    0.8,
                );
            }
        }
    }
    signal.rate = document.per_thousand(signal.findings.len() as f64);
    signal
}

/// A short sentence of words only, begun with a capital, ended by a full stop, bound by no grammar.
fn is_plain_statement(document: &Document<'_>, sentence: std::ops::Range<usize>) -> bool {
    let binding = Classes::SUBJECT
        .with(Classes::OBJECT)
        .with(Classes::IT_YOU)
        .with(Classes::POSSESSIVE)
        .with(Classes::HIS_HER)
        .with(Classes::DEMONSTRATIVE)
        .with(Classes::AND)
        .with(Classes::BECAUSE)
        .with(Classes::WH)
        .with(Classes::NOT)
        .with(Classes::OTHER);
    let last = sentence.end - 1;
    let words = sentence.len() - 1;
    WORDS.contains(&words)
        && document.kind_at(last) == Kind::Stop
        && document.slice(last) == "."
        && document.tokens[sentence.start].case == Case::Title
        && (sentence.start..last).all(|at| match document.word_at(at) {
            Some(word) => {
                !word.is(binding)
                    && (at == sentence.start || document.tokens[at].case == Case::Lower)
            }
            None => document.kind_at(at) == Kind::Hyphen,
        })
}

/// For each content word the token of the same stem before and after it.
struct Neighbours {
    before: Vec<Option<u32>>,
    after: Vec<Option<u32>>,
}

impl Neighbours {
    fn of(stems: &Stems) -> Self {
        let count = stems.content.len();
        let pass = |order: &mut dyn Iterator<Item = usize>| {
            let mut last = vec![None; stems.counts.len()];
            let mut found = vec![None; count];
            for at in order {
                let content = stems.content[at];
                found[at] = last[content.stem as usize].replace(content.token);
            }
            found
        };
        Self {
            before: pass(&mut (0..count)),
            after: pass(&mut (0..count).rev()),
        }
    }

    fn near(&self, stems: &Stems, at: usize, sentence: &std::ops::Range<usize>) -> bool {
        let here = stems.content[at].token;
        let close = |other: Option<u32>| {
            other.is_some_and(|t| !sentence.contains(&(t as usize)) && t.abs_diff(here) <= REACH)
        };
        close(self.before[at]) || close(self.after[at])
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Stems, ties};

    fn count(text: &str) -> usize {
        let document = Document::read(text);
        ties(&document, &Stems::of(&document)).findings.len()
    }

    #[test]
    fn a_sentence_that_nothing_binds_is_found() {
        assert_eq!(
            count(
                "The ghost came to the house. A polished lantern dried slowly. He left the house."
            ),
            1
        );
    }

    #[test]
    fn a_pronoun_a_name_or_a_shared_word_binds() {
        let text = "The ghost came with a lantern. A polished lantern dried slowly. He left the house at once. \
            Polished Virginia dried slowly.";
        assert_eq!(count(text), 0);
    }
}
