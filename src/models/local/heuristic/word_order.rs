//! Word order: pairs of neighbours that English syntax does not allow.
//!
//! Measure: a table of rules over closed classes (article before full stop, preposition before `and`,
//! `the of`, subject pronoun before a noun …) gives each pair of neighbours a weight from 0 to 1. A single
//! pair may be a slip or an idiom; a sentence with several is out of order. So the weights are summed by
//! sentence, and a sentence counts with min(1, max(0, sum − 0.8) / 2). The rate is the number of such
//! sentences, so weighted, per 1,000 words. Weak: orders that happen to be grammatical, very short
//! sentences, and words out of place by several positions inside open classes.

use super::classes::Classes as C;
use super::finding::Signal;
use super::text::{Case, Document, Kind, Type};
use crate::language::text::lexicon::Entry;

/// Scores word order; the rate is disordered sentences per 1,000 words.
pub(super) fn word_order(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    for sentence in &document.sentences {
        let mut sum = 0.0;
        let (mut first, mut worst) = (sentence.start, 0.0);
        for at in sentence.clone() {
            let weight = pair(document, at, sentence.end);
            sum += weight;
            if weight > worst {
                (first, worst) = (at, weight);
            }
        }
        let weight = f64::min(1.0, f64::max(0.0, sum - 0.8) / 2.0);
        if weight > 0.0 {
            let from = first.saturating_sub(3).max(sentence.start);
            let to = (first + 6).min(sentence.end);
            signal.add(
                "WORD_ORDER",
                from..to,
                "has words in an order that English does not allow",
                weight,
            );
        }
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

/// The weight of the pair that begins at `at`; the end of the sentence counts as a stop.
fn pair(document: &Document<'_>, at: usize, end: usize) -> f64 {
    let Some(first) = document.word_at(at) else {
        return punctuation(document, at, end);
    };
    if at + 1 >= end {
        return 0.0;
    }
    match document.word_at(at + 1) {
        Some(second)
            if !matches!(document.tokens[at].case, Case::Upper | Case::Mixed)
                || first.text == "i" =>
        {
            words(document, at, first, second)
        }
        Some(_) => 0.0,
        None if document.tokens[at].case == Case::Upper && first.text != "i" => 0.0,
        None => before_punctuation(document.kind_at(at + 1), first),
    }
}

/// Punctuation that cannot follow punctuation or open a sentence.
fn punctuation(document: &Document<'_>, at: usize, end: usize) -> f64 {
    let kind = document.kind_at(at);
    if at + 1 >= end {
        return 0.0;
    }
    let next = document.kind_at(at + 1);
    match (kind, next) {
        (Kind::Comma | Kind::Semicolon, Kind::Comma | Kind::Semicolon) => 0.8,
        (Kind::Comma | Kind::Semicolon, Kind::Stop) if document.slice(at + 1).len() == 1 => 0.8,
        _ => 0.0,
    }
}

fn before_punctuation(next: Kind, first: &Type) -> f64 {
    match next {
        Kind::Stop | Kind::Comma | Kind::Semicolon => {
            let comma = next == Kind::Comma;
            if first.is(C::ARTICLE) {
                1.0
            } else if first.is(C::POSSESSIVE) {
                0.9
            } else if first.is(C::AND) {
                if comma { 0.0 } else { 0.9 }
            } else if first.is(C::TIGHT) {
                if comma { 0.4 } else { 0.3 }
            } else if first.is(C::BECAUSE) {
                if comma { 0.1 } else { 0.6 }
            } else if matches!(first.text.as_str(), "very" | "i" | "no" | "every") {
                if comma { 0.15 } else { 0.3 }
            } else {
                0.0
            }
        }
        _ => 0.0,
    }
}

fn words(document: &Document<'_>, at: usize, first: &Type, second: &Type) -> f64 {
    if first.is(C::ARTICLE) {
        return after_article(first, second);
    }
    if first.is(C::POSSESSIVE) {
        return after_possessive(second);
    }
    if first.is(C::PREPOSITION) {
        return after_preposition(first, second);
    }
    if first.is(C::AND) && second.is(C::AND) {
        return if first.text == "and" && second.text == "but" {
            0.3
        } else {
            0.8
        };
    }
    if first.is(C::SUBJECT) {
        return after_subject(document, at, first, second);
    }
    if first.is(C::MODAL) {
        return after_modal(second);
    }
    if first.is(C::BE) && second.is(C::BE.with(C::MODAL).with(C::HAVE)) {
        return 0.6;
    }
    if first.is(C::HAVE) && second.is(C::MODAL.with(C::DO)) && second.text != "do" {
        return 0.7;
    }
    if first.is(C::BECAUSE) && second.is(C::BECAUSE.with(C::BE).with(C::AND)) {
        return 0.5;
    }
    after_open(first, second)
}

fn after_article(first: &Type, second: &Type) -> f64 {
    let pair = (first.text.as_str(), second.text.as_str());
    if matches!(
        pair,
        (
            "the",
            "above"
                | "under"
                | "in"
                | "off"
                | "down"
                | "up"
                | "i"
                | "he"
                | "she"
                | "why"
                | "how"
                | "to"
        ) | ("a", "by" | "she" | "he" | "must" | "but" | "to")
    ) {
        return 0.3;
    }
    let never = C::OPENER
        .with(C::PREPOSITION)
        .with(C::AND)
        .with(C::SUBJECT)
        .with(C::OBJECT)
        .with(C::IT_YOU)
        .with(C::BE)
        .with(C::MODAL)
        .with(C::HAVE)
        .with(C::DO)
        .with(C::BECAUSE)
        .with(C::HIS_HER)
        .with(C::DEMONSTRATIVE);
    if second.is(never) || second.is(C::WH) && second.text != "what" {
        1.0
    } else if second.entry(Entry::only_base) {
        0.6
    } else {
        0.0
    }
}

fn after_possessive(second: &Type) -> f64 {
    let never = C::OPENER
        .with(C::AND)
        .with(C::SUBJECT)
        .with(C::OBJECT)
        .with(C::BE)
        .with(C::MODAL)
        .with(C::HAVE)
        .with(C::BECAUSE)
        .with(C::TIGHT)
        .with(C::WH);
    if second.is(never) {
        0.9
    } else if second.is(C::LOOSE) {
        0.4
    } else if second.entry(Entry::only_base) {
        0.6
    } else {
        0.0
    }
}

fn after_preposition(first: &Type, second: &Type) -> f64 {
    let (a, b) = (first.text.as_str(), second.text.as_str());
    let tight = first.is(C::TIGHT);
    if second.is(C::AND) {
        return if tight { 0.8 } else { 0.1 };
    }
    if second.is(C::BE) {
        return if tight {
            0.7
        } else if a == "to" {
            0.9
        } else {
            0.1
        };
    }
    if second.is(C::MODAL) || second.is(C::HAVE) && b != "having" && b != "have" {
        return if tight || a == "to" { 0.7 } else { 0.15 };
    }
    if second.is(C::SUBJECT) {
        return if tight || a == "to" { 0.6 } else { 0.1 };
    }
    if b == "of"
        && matches!(
            a,
            "of" | "to" | "at" | "with" | "for" | "by" | "from" | "into" | "upon" | "in" | "on"
        )
    {
        return 0.9;
    }
    if tight && second.is(C::TIGHT) && !matches!(a, "from") {
        return 0.6;
    }
    if tight && second.entry(Entry::only_base) {
        return 0.5;
    }
    if tight && second.is(C::BECAUSE) && b != "when" {
        return 0.5;
    }
    0.0
}

fn after_subject(document: &Document<'_>, at: usize, first: &Type, second: &Type) -> f64 {
    let inverted = at > 0
        && document.word_at(at - 1).is_some_and(|w| {
            w.is(C::BE
                .with(C::DO)
                .with(C::MODAL)
                .with(C::MODAL_TOO)
                .with(C::HAVE))
                || matches!(w.text.as_str(), "said" | "says" | "say" | "than" | "as")
                || w.entry(Entry::is_past)
        });
    let plain = if inverted { 0.4 } else { 1.0 };
    if second.is(C::SUBJECT) {
        return 0.6 * plain;
    }
    if second.is(C::OBJECT) {
        return 0.7 * plain;
    }
    if second.is(C::OPENER) {
        return 0.6 * plain;
    }
    if second.is(C::TIGHT) {
        return 0.4 * plain;
    }
    let noun = second.entry(|e| e.only_noun() && e.rarity < 4) && !second.text.ends_with("self");
    if noun && second.classes.is_open() && !matches!(first.text.as_str(), "we") {
        return 0.6 * plain;
    }
    0.0
}

fn after_modal(second: &Type) -> f64 {
    if second.is(C::MODAL.with(C::BE)) {
        0.8
    } else if second.is(C::OBJECT.with(C::AND)) {
        0.4
    } else if second.is(C::TIGHT) {
        0.5
    } else {
        0.0
    }
}

/// Nouns that are nothing else do not take an object pronoun or a modal's complement right after them.
fn after_open(first: &Type, second: &Type) -> f64 {
    let noun = first.classes.is_open()
        && first.entry(|e| e.only_noun() && e.rarity < 4)
        && first.lower > 0;
    if noun && second.is(C::OBJECT) {
        return 0.5;
    }
    if noun && second.is(C::ARTICLE) {
        return 0.2;
    }
    let degree = first.is(C::DEGREE) && first.text == "very" || first.text == "every";
    if degree
        && second.is(C::PREPOSITION
            .with(C::BE)
            .with(C::AND)
            .with(C::OPENER)
            .with(C::SUBJECT))
    {
        return 0.7;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::{Document, word_order};

    fn rate(text: &str) -> f64 {
        word_order(&Document::read(text)).rate
    }

    #[test]
    fn a_shuffled_sentence_is_found() {
        assert!(
            rate(
                "But the be suspended guess, is, the and thing, to there I of for as a such sir not."
            ) > 0.0
        );
    }

    #[test]
    fn ordinary_inversions_and_stranded_prepositions_are_allowed() {
        for text in [
            "Never had I seen the man she spoke of.",
            "\"What are you looking at?\" said he, and, the door being open, in she went.",
            "The sides are by no means the same, and so on and so forth.",
            "Such was the end of it all, and of what he was we know no more.",
        ] {
            assert!(rate(text) < 1e-9, "{text}");
        }
    }

    #[test]
    fn more_shuffled_sentences_give_a_higher_rate() {
        let (good, bad) = (
            "The dog lay by the fire. ",
            "The by lay the the of, dog and. ",
        );
        assert!(rate(&format!("{good}{bad}{bad}")) > rate(&format!("{good}{good}{bad}")));
    }
}
