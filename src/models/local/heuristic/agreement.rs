//! Agreement of neighbours: subject and verb, article and noun, demonstrative and number.
//!
//! Measure: pronoun subjects with the verb right after them (`she go`, `they was`, `I is`), an article
//! against the first letter of the next word (`a apple`), a plural demonstrative before `is` or a
//! singular one before `are`, a word doubled by accident. Weights 1, doubtful ones 0.3 to 0.5; the rate
//! is the sum per 1,000 words. Weak: noun subjects and verbs at a distance are not seen; dialect in
//! dialogue (`you was`, `I says`) is counted.

use super::classes::Classes as C;
use super::finding::Signal;
use super::text::{Case, Document, Kind, Type};
use super::verb_words::{is_bare, is_own_base, is_third_person};
use crate::language::text::WordList;
use crate::language::text::lexicon::Entry;

/// Scores agreement; the rate is per 1,000 words.
pub(super) fn agreement(document: &Document<'_>) -> Signal {
    let mut signal = Signal::default();
    for at in 0..document.tokens.len().saturating_sub(1) {
        let (Some(first), Some(second)) = (document.word_at(at), document.word_at(at + 1)) else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|b| document.word_at(b));
        let from = at.saturating_sub(1);
        let weight = subject_verb(before, first, second);
        if weight > 0.0 {
            signal.add(
                "AGREEMENT",
                from..at + 2,
                "has a verb that does not agree with its subject",
                weight,
            );
        }
        let weight = noun_subject(document, at, first, second);
        if weight > 0.0 {
            signal.add(
                "AGREEMENT",
                from..at + 2,
                "has a verb that does not agree with its subject",
                weight,
            );
        }
        let weight = article(document, at, first, second);
        if weight > 0.0 {
            signal.add(
                "ARTICLE",
                at..at + 2,
                "has the wrong form of the article",
                weight,
            );
        }
        if doubled(document, at, second) {
            signal.add("DOUBLED_WORD", from..at + 2, "has a word twice", 1.0);
        }
    }
    signal.rate = document.per_thousand(signal.weight());
    signal
}

/// A pronoun after one of these may stand before a bare verb: `let him`, `if he go`, `does she know`.
fn frees_the_verb(before: Option<&Type>) -> bool {
    let free = C::BECAUSE
        .with(C::MODAL)
        .with(C::MODAL_TOO)
        .with(C::DO)
        .with(C::WH)
        .with(C::AND)
        .with(C::PREPOSITION);
    before.is_some_and(|w| {
        w.is(free)
            || w.entry(Entry::is_base)
            || w.entry(Entry::is_past)
            || matches!(
                w.text.as_str(),
                "till" | "ere" | "whether" | "before" | "than" | "as" | "neither" | "nor"
            )
    })
}

fn subject_verb(before: Option<&Type>, subject: &Type, verb: &Type) -> f64 {
    let word = verb.text.as_str();
    match subject.text.as_str() {
        "he" | "she" => {
            let bare = verb.entry(Entry::only_base) && !is_own_base(word) && word != "be"
                || matches!(
                    word,
                    "go" | "say"
                        | "give"
                        | "take"
                        | "know"
                        | "see"
                        | "come"
                        | "have"
                        | "do"
                        | "make"
                        | "tell"
                        | "think"
                );
            match word {
                "am" | "are" => 1.0,
                "were" if !frees_the_verb(before) => 0.4,
                _ if bare && !frees_the_verb(before) => 1.0,
                _ => 0.0,
            }
        }
        "it" if matches!(word, "am" | "are") => {
            if before.is_some_and(|w| w.is(C::PREPOSITION) || w.classes.is_open()) {
                0.0
            } else {
                1.0
            }
        }
        "i" if before.is_some_and(|w| w.is(C::AND) || w.is(C::PREPOSITION)) => 0.0,
        "i" if matches!(word, "is" | "are" | "were") => {
            if word == "were" {
                0.3
            } else {
                1.0
            }
        }
        "i" | "we" | "they" if is_third_person(word) && word != "was" => 1.0,
        "we" | "they" if matches!(word, "was" | "am") => 1.0,
        "you"
            if matches!(word, "was" | "am" | "is" | "has" | "does") && !frees_the_verb(before) =>
        {
            0.6
        }
        "these" | "those" if matches!(word, "is" | "was" | "has") => 0.7,
        "this" if matches!(word, "are" | "were" | "have") => 0.7,
        _ => 0.0,
    }
}

/// `the days was`, `the woman seem`, and `am` without its `I`.
fn noun_subject(document: &Document<'_>, at: usize, noun: &Type, verb: &Type) -> f64 {
    if verb.text == "am" {
        let back = if noun.is(C::AND) { 30 } else { 5 };
        let near = at.saturating_sub(back)..at + 4;
        let first_person = |t: usize| {
            document
                .word_at(t)
                .is_some_and(|w| matches!(w.text.as_str(), "i" | "here"))
        };
        return if near.into_iter().any(first_person) {
            0.0
        } else {
            1.0
        };
    }
    let determiner = C::ARTICLE
        .with(C::POSSESSIVE)
        .with(C::HIS_HER)
        .with(C::DEMONSTRATIVE);
    let opens = |t: usize| document.word_at(t).is_some_and(|w| w.is(determiner));
    let adjective = |t: usize| {
        document
            .word_at(t)
            .is_some_and(|w| w.entry(Entry::is_adjective))
    };
    let start = match at {
        _ if at > 0 && opens(at - 1) => at - 1,
        _ if at > 1 && adjective(at - 1) && opens(at - 2) => at - 2,
        _ => return 0.0,
    };
    if start > 0
        && document.kind_at(start - 1) == Kind::Word
        && !document.word_at(start - 1).is_some_and(|w| w.is(C::AND))
    {
        return 0.0;
    }
    let plural = is_plural(&noun.text);
    if plural && matches!(verb.text.as_str(), "is" | "was" | "has") {
        0.7
    } else if !plural
        && noun.classes.is_open()
        && noun.entry(Entry::only_noun)
        && !is_collective(&noun.text)
        && is_bare(verb)
    {
        0.5
    } else {
        0.0
    }
}

/// Plurals and collectives without an `s`.
static COLLECTIVES: WordList = WordList::new(
    "men women people children police clergy teeth feet cattle folk majority rest lord devil sheep \
     oxen mice geese poor rich gentlemen",
);

/// Plurals and collectives without a plural `s`, and words in `s` that may be either.
fn is_collective(word: &str) -> bool {
    word.ends_with('s') || COLLECTIVES.has(word) || word.ends_with("men")
}

/// A plural in `s` whose singular is a noun.
fn is_plural(word: &str) -> bool {
    let singular = word
        .strip_suffix('s')
        .filter(|s| s.len() > 2 && !s.ends_with(['s', 'u', 'i', 'c']));
    singular.is_some_and(|s| super::words::entry(s).is_some_and(Entry::is_noun))
        && !matches!(
            word,
            "news"
                | "means"
                | "works"
                | "gallows"
                | "headquarters"
                | "barracks"
                | "species"
                | "series"
        )
}

/// `a` before a vowel letter, `an` before a consonant letter; sounds that disagree with their letters
/// (`a university`, `an hour`, `a one-eyed`) and the old `an historical` are left alone.
fn article(document: &Document<'_>, at: usize, first: &Type, second: &Type) -> f64 {
    let next = second.text.as_str();
    let token = document.tokens[at + 1];
    if document.tokens[at].case == Case::Upper || token.case == Case::Upper || next.len() < 2 {
        return 0.0;
    }
    let vowel = next.starts_with(['a', 'e', 'i', 'o', 'u']);
    let sounds_as_consonant = ["u", "eu", "ew", "one", "once", "o'"]
        .iter()
        .any(|p| next.starts_with(p));
    match first.text.as_str() {
        "a" if vowel && !sounds_as_consonant && document.spaced(at + 1) && second.known => 1.0,
        "an" if !vowel && !next.starts_with(['h', 'y']) && second.known && second.named == 0 => 0.8,
        _ => 0.0,
    }
}

fn doubled(document: &Document<'_>, at: usize, second: &Type) -> bool {
    let (a, b) = (document.tokens[at], document.tokens[at + 1]);
    let closed = C::OPENER
        .with(C::PREPOSITION)
        .with(C::AND)
        .with(C::BE)
        .with(C::SUBJECT)
        .with(C::MODAL);
    a.word == b.word && b.case == Case::Lower && second.is(closed) && !second.is(C::LOOSE)
        || a.word == b.word && second.text == "to"
}

#[cfg(test)]
mod tests {
    use super::{Document, agreement};

    fn labels(text: &str) -> Vec<&'static str> {
        agreement(&Document::read(text))
            .findings
            .iter()
            .map(|f| f.label)
            .collect()
    }

    #[test]
    fn subject_and_verb_must_agree() {
        assert_eq!(
            labels("At noon she go home; they was glad; I is too."),
            ["AGREEMENT"; 3]
        );
    }

    #[test]
    fn bare_verbs_after_auxiliaries_and_conditions_agree() {
        assert_eq!(
            labels(
                "Let her go. Did he know? If he go, we stay. I was there, and you and I are here."
            ),
            [] as [&str; 0]
        );
    }

    #[test]
    fn articles_follow_the_sound() {
        assert_eq!(labels("He ate a apple and an pear."), ["ARTICLE"; 2]);
        assert_eq!(
            labels("A useful hour, an hour, an hotel, a European, a one-eyed man."),
            [] as [&str; 0]
        );
    }

    #[test]
    fn a_doubled_word_of_grammar_is_a_slip() {
        assert_eq!(
            labels("He went to the the house that that man had had."),
            ["DOUBLED_WORD"]
        );
    }
}
