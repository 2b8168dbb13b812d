//! Verb forms after the words that govern them: `to told`, `had qualify`, `did went`, `can was`.
//!
//! Measure: each word that governs a form (the infinitive's `to`, a modal, `do`, `have`, `be`, a tight
//! preposition) is looked at with the next word, adverbs and a fronted subject skipped; a form that
//! cannot stand there weighs 1, one that rarely can 0.5 or less. The rate is the sum per 1,000 words.
//! Only words the list tags as nothing but verb forms (or irregular forms listed here) are taken, so
//! that nouns and adjectives raise no alarm. Weak: a wrong tense that fits its place (`she is` for
//! `she was`) is not seen here; verbs that are also nouns escape.

use super::classes::Classes;
use super::finding::Signal;
use super::text::{Case, Document, Kind, Type};
use super::verb_words::{
    is_bare, is_finite_be, is_participle_only, is_past, is_past_tense_only, is_third_person,
};
use crate::language::text::lexicon::Entry;

const LABEL: &str = "VERB_FORM";

/// Skips adverbs and negation.
fn skip_adverbs(document: &Document<'_>, mut at: usize) -> usize {
    for _ in 0..2 {
        let adverb = document.word_at(at).is_some_and(|w| {
            w.is(Classes::BETWEEN) || (w.text.ends_with("ly") && w.entry(Entry::is_adverb))
        });
        if !adverb {
            break;
        }
        at += 1;
    }
    at
}

/// Whether what follows a past form shows it to be a verb: a noun phrase, a preposition, a stop.
fn followed_like_a_verb(document: &Document<'_>, at: usize) -> bool {
    let opening = Classes::OPENER
        .with(Classes::HIS_HER)
        .with(Classes::DEMONSTRATIVE)
        .with(Classes::OBJECT)
        .with(Classes::IT_YOU)
        .with(Classes::PREPOSITION)
        .with(Classes::WH);
    match document.word_at(at + 1) {
        Some(word) => word.is(opening),
        None => matches!(
            document.kind_at(at + 1),
            Kind::Stop | Kind::Comma | Kind::Semicolon
        ),
    }
}

/// Scores verb forms; the rate is per 1,000 words.
pub(super) fn verb_forms(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    for at in 0..document.tokens.len() {
        let Some(word) = document.word_at(at) else {
            continue;
        };
        let (next, weight, note) = if word.is(Classes::TO) {
            after_to(document, at)
        } else if word.is(Classes::MODAL.with(Classes::MODAL_TOO)) {
            after_modal(document, at, word)
        } else if word.is(Classes::DO) {
            after_do(document, at, word)
        } else if word.is(Classes::HAVE) {
            after_have(document, at)
        } else if word.is(Classes::BE) || matches!(word.text.as_str(), "be" | "been" | "being") {
            after_be(document, at)
        } else if word.is(Classes::TIGHT) {
            after_preposition(document, at)
        } else {
            continue;
        };
        if weight > 0.0 && document.tokens[next].case == Case::Lower {
            signal.add(LABEL, at.saturating_sub(1)..next + 1, note, weight);
        }
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

type Verdict = (usize, f64, &'static str);

fn after_to(document: &Document<'_>, at: usize) -> Verdict {
    let note = "has a past or finite form after the infinitive mark";
    let next = skip_adverbs(document, at + 1);
    let Some(word) = document.word_at(next) else {
        return (at, 0.0, note);
    };
    let weight = if is_finite_be(word) || word.is(Classes::MODAL) || word.text == "been" {
        1.0
    } else if is_past(word) {
        if followed_like_a_verb(document, next) || is_past_tense_only(&word.text) {
            1.0
        } else {
            0.4
        }
    } else {
        0.0
    };
    (next, weight, note)
}

/// `can`, `will`, `may` and `might` after a determiner are nouns, and `may` with a capital is a month.
fn is_noun_here(document: &Document<'_>, at: usize, word: &Type) -> bool {
    let determiner = Classes::OPENER
        .with(Classes::HIS_HER)
        .with(Classes::DEMONSTRATIVE)
        .with(Classes::QUANTIFIER)
        .with(Classes::PREPOSITION);
    let after = at > 0
        && document.word_at(at - 1).is_some_and(|w| {
            w.is(determiner) || w.entry(Entry::is_adjective) && !w.entry(Entry::is_noun)
        });
    let capital = document.tokens[at].case != Case::Lower;
    word.is(Classes::MODAL_TOO) && (after || capital || at == 0)
}

/// Steps over a subject put after its auxiliary: `did he go`.
fn skip_subject(document: &Document<'_>, at: usize) -> usize {
    let subject = Classes::SUBJECT.with(Classes::IT_YOU);
    if document.word_at(at).is_some_and(|w| w.is(subject)) {
        skip_adverbs(document, at + 1)
    } else {
        at
    }
}

fn after_modal(document: &Document<'_>, at: usize, word: &Type) -> Verdict {
    let note = "has no bare verb after the modal";
    if is_noun_here(document, at, word) {
        return (at, 0.0, note);
    }
    let direct = skip_adverbs(document, at + 1);
    let next = skip_subject(document, direct);
    let Some(verb) = document.word_at(next) else {
        return (at, 0.0, note);
    };
    let weight = if verb.text == "had" {
        if next == direct { 1.0 } else { 0.0 }
    } else if is_past(verb) || is_participle_only(&verb.text) {
        if next == direct || is_past_tense_only(&verb.text) {
            1.0
        } else {
            0.5
        }
    } else if is_finite_be(verb) || (is_third_person(&verb.text) && verb.text != "lies") {
        if next == direct { 1.0 } else { 0.3 }
    } else {
        0.0
    };
    (next, weight, note)
}

fn after_do(document: &Document<'_>, at: usize, word: &Type) -> Verdict {
    let note = "has no bare verb after the auxiliary `do`";
    let direct = skip_adverbs(document, at + 1);
    let next = skip_subject(document, direct);
    let emphatic = next == at + 1;
    let sure = word.text.ends_with("n't") || !emphatic;
    let Some(verb) = document.word_at(next) else {
        return (at, 0.0, note);
    };
    let wrong = is_past(verb) || is_finite_be(verb) || is_third_person(&verb.text);
    (
        next,
        if wrong && sure && verb.text != "was" {
            1.0
        } else if wrong && sure {
            0.3
        } else {
            0.0
        },
        note,
    )
}

fn after_have(document: &Document<'_>, at: usize) -> Verdict {
    let note = "has no participle after the auxiliary `have`";
    let next = skip_subject(document, skip_adverbs(document, at + 1));
    let Some(verb) = document.word_at(next) else {
        return (at, 0.0, note);
    };
    let weight = if verb.text == "am"
        || verb.text == "are"
        || verb.text == "is"
        || is_past_tense_only(&verb.text)
            && verb.text != "saw"
            && verb.text != "rose"
            && verb.text != "hid"
    {
        if matches!(verb.text.as_str(), "was" | "were" | "is" | "are") {
            0.7
        } else {
            1.0
        }
    } else if is_bare(verb) {
        1.0
    } else {
        0.0
    };
    (next, weight, note)
}

fn after_be(document: &Document<'_>, at: usize) -> Verdict {
    let note = "has a form after `be` that cannot stand there";
    let next = skip_adverbs(document, at + 1);
    let Some(verb) = document.word_at(next) else {
        return (at, 0.0, note);
    };
    let weight = if is_past_tense_only(&verb.text)
        && !is_finite_be(verb)
        && !matches!(verb.text.as_str(), "saw" | "rose" | "did" | "bore" | "hid")
        || is_bare(verb)
    {
        1.0
    } else if is_finite_be(verb) && next == at + 1 {
        0.5
    } else {
        0.0
    };
    (next, weight, note)
}

fn after_preposition(document: &Document<'_>, at: usize) -> Verdict {
    let note = "has a bare or finite verb after the preposition";
    let next = at + 1;
    let Some(verb) = document.word_at(next) else {
        return (at, 0.0, note);
    };
    let weight = if is_past_tense_only(&verb.text)
        && verb.text != "saw"
        && verb.text != "rose"
        && !is_finite_be(verb)
        || is_bare(verb)
    {
        1.0
    } else if is_past(verb)
        && document
            .word_at(next + 1)
            .is_some_and(|w| w.is(Classes::OPENER.with(Classes::OBJECT)))
    {
        0.7
    } else {
        0.0
    };
    (next, weight, note)
}

#[cfg(test)]
mod tests {
    use super::{Document, verb_forms};

    fn rate(text: &str) -> f64 {
        verb_forms(&Document::read(text)).rate
    }

    #[test]
    fn forms_that_cannot_follow_are_found() {
        for text in [
            "I feel bound to told you.",
            "He began to regretted that she had left.",
            "A man who had qualify himself.",
            "It can was the fault of the rain.",
            "They did not went home.",
            "Nothing was took from the house.",
            "I have always am of this opinion.",
            "He thought of regretted the letter.",
        ] {
            assert!(rate(text) > 0.0, "{text}");
        }
    }

    #[test]
    fn forms_that_can_follow_are_not() {
        for text in [
            "He used to say that he had told her, and would have gone to bed.",
            "The will was read, and in May was kept a feast.",
            "Did she know that the might of the king was broken?",
            "They had been to wooded hills and had cause to be glad.",
            "What I do is done; she did it and went away.",
            "The house that he was in was sold; would he had come!",
        ] {
            assert!(
                rate(text) < 1e-9,
                "{text} {:?}",
                verb_forms(&Document::read(text)).findings
            );
        }
    }
}
