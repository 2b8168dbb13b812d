//! Empty nouns: places where a name or a noun should stand and only `thing` or `stuff` does.
//!
//! Halliday and Hasan (Cohesion in English, 1976) call nouns such as `thing` and `stuff` general nouns:
//! they hold a text together only if something before says what they stand for. Measure: an article with
//! an empty noun weighs 1 where English wants a name or a full noun (before another noun, a name or a
//! possessive ending; after a title, whatever the noun; after a name; `a` before a mass noun), 0.5 where
//! it closes a phrase after a preposition, 0.25 before a verb or at another phrase end; nothing after
//! `such` and before a relative clause or an `of` (`the thing that`, `a thing of`). The rate is the sum per 1,000 words.
//! Weak: whether an antecedent exists is not resolved; other general nouns (`matter`, `object`) weigh 0.6 as
//! owners (`the object's`) and nothing elsewhere, where they are too often right; so a text whose names gave
//! way to other words than these few goes unnoticed. Pronouns without antecedent are not seen.

use super::classes::Classes;
use super::finding::Signal;
use super::text::{Case, Document, Kind, Type};

/// Scores empty nouns; the rate is per 1,000 words.
pub(super) fn empty_nouns(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    for at in 1..document.tokens.len() {
        let (Some(article), Some(noun)) = (document.word_at(at - 1), document.word_at(at)) else {
            continue;
        };
        if !article.is(Classes::ARTICLE) || document.tokens[at].case != Case::Lower {
            continue;
        }
        let weight = if after_title(document, at - 1) && document.tokens[at - 1].case == Case::Lower
        {
            1.0
        } else if is_empty_noun(&noun.text) {
            place(document, at, article, noun)
        } else if noun.text.strip_suffix("'s").is_some_and(is_general_noun) {
            0.6
        } else {
            0.0
        };
        if weight > 0.0 {
            let from = at.saturating_sub(4);
            let to = (at + 4).min(document.tokens.len());
            signal.add(
                "REFERENCE",
                from..to,
                "has an empty noun where a name or a full noun should stand",
                weight,
            );
        }
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

/// `Mr. the`, `St. a`: a title calls for a name, whatever the noun.
fn after_title(document: &Document<'_>, at: usize) -> bool {
    at > 1
        && document.kind_at(at - 1) == Kind::Stop
        && document.tokens[at - 2].case == Case::Title
        && document
            .word_at(at - 2)
            .is_some_and(|w| matches!(w.text.as_str(), "mr" | "mrs" | "dr" | "st"))
}

fn is_empty_noun(word: &str) -> bool {
    let word = word.strip_suffix("'s").unwrap_or(word);
    matches!(
        word,
        "thing" | "stuff" | "someone" | "somebody" | "something" | "somewhere"
    )
}

/// The other general nouns for things; as owners they want a name, elsewhere they are too often right.
fn is_general_noun(word: &str) -> bool {
    matches!(
        word,
        "object"
            | "affair"
            | "matter"
            | "business"
            | "move"
            | "question"
            | "idea"
            | "item"
            | "entity"
    )
}

fn place(document: &Document<'_>, at: usize, article: &Type, noun: &Type) -> f64 {
    let before = at.checked_sub(2);
    let word_before = before.and_then(|b| document.word_at(b));
    if word_before.is_some_and(|w| matches!(w.text.as_str(), "such" | "what" | "so" | "many")) {
        return 0.0;
    }
    let name_before = before.is_some_and(|b| {
        document.kind_at(b) == Kind::Word
            && document.tokens[b].case == Case::Title
            && document
                .word_at(b)
                .is_some_and(|w| w.classes.is_open() && w.is_name())
    });
    let mass = article.text != "the" && noun.text != "thing";
    if noun.text.ends_with("'s") || mass || name_before {
        return 1.0;
    }
    let after_preposition = word_before.is_some_and(|w| w.is(Classes::PREPOSITION));
    match document.word_at(at + 1) {
        Some(next) if next.classes.is_open() => {
            let titled = document.tokens[at + 1].case == Case::Title;
            let noun =
                next.entry(|e| e.is_noun() && !e.is_base() && !e.is_past() && !e.is_adverb());
            if titled || noun {
                1.0
            } else if after_preposition {
                0.5
            } else {
                0.1
            }
        }
        Some(next)
            if next.is(Classes::WH
                .with(Classes::TO)
                .with(Classes::SUBJECT)
                .with(Classes::IT_YOU))
                || next.text == "of" =>
        {
            0.0
        }
        Some(_) | None => {
            if after_preposition {
                0.5
            } else {
                0.25
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, empty_nouns};

    fn rate(text: &str) -> f64 {
        empty_nouns(&Document::read(text)).rate
    }

    #[test]
    fn an_empty_noun_in_the_place_of_a_name_is_found() {
        for text in [
            "He went to the stuff, where the thing armies lay.",
            "It was a thing's duty.",
            "Mr. the thing spoke.",
        ] {
            assert!(rate(text) >= 3.9, "{text}");
        }
    }

    #[test]
    fn an_empty_noun_with_its_clause_is_fine() {
        assert!(
            rate(
                "The thing that he saw was a thing of beauty, the stuff of which dreams are made."
            ) < 1e-9
        );
    }
}
