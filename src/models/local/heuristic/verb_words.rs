//! Which words are which form of a verb, told without context.
//!
//! Irregular forms that the tags of the word list cannot tell apart stand here by hand; everything
//! regular comes from the list. Doubtful words (nouns, adjectives, one form for two) are left out on
//! purpose: a rule that asks here must be able to trust the answer.

use super::classes::Classes;
use super::text::Type;
use crate::language::text::WordList;
use crate::language::text::lexicon::Entry;

/// Past tenses of irregular verbs with another participle.
static PAST: WordList = WordList::new(
    "was were went took gave saw did knew began spoke wrote broke chose drew drove ate fell flew \
     forgot froze grew hid rode rose rang shook sang sank stole swam swore threw wore tore woke \
     forgave forbade mistook undertook overtook withdrew arose awoke blew underwent foresaw shrank \
     sprang stank strode wove",
);

/// Past tenses that are not participles.
pub(super) fn is_past_tense_only(word: &str) -> bool {
    PAST.has(word)
}

/// Participles of irregular verbs with another past tense.
static PARTICIPLES: WordList = WordList::new(
    "been gone taken given seen done known begun spoken written broken chosen drawn driven eaten \
     fallen flown forgotten frozen grown hidden ridden risen rung shaken sung sunk stolen swum sworn \
     thrown worn torn woken forgiven forbidden mistaken undertaken overtaken withdrawn arisen blown \
     undergone foreseen shown woven",
);

/// Participles that are not past tenses.
pub(super) fn is_participle_only(word: &str) -> bool {
    PARTICIPLES.has(word)
}

pub(super) fn is_finite_be(word: &Type) -> bool {
    word.is(Classes::BE)
}

/// Verb bases that the word list also knows as something rare.
static BARE: WordList = WordList::new(
    "am go give take know write speak see begin grow bring think tell seem make get say keep find",
);

/// A verb base that is not also a usual noun, adjective or past form: `qualify`, `occur`, `go`.
pub(super) fn is_bare(word: &Type) -> bool {
    word.entry(Entry::only_base)
        && !is_own_base(&word.text)
        && !matches!(word.text.as_str(), "be" | "have" | "do")
        || BARE.has(&word.text)
}

/// A past form that is nothing else and not also its own base: `told`, `regretted`, `went`.
pub(super) fn is_past(word: &Type) -> bool {
    is_past_tense_only(&word.text) && word.text != "saw" && word.text != "rose"
        || word.entry(Entry::only_past) && !is_own_base(&word.text)
}

/// Verbs whose past is written like a base, and past forms that are everyday nouns or adjectives.
static OWN_BASES: WordList = WordList::new(
    "put let cut set hit read cost shut hurt spread cast beat become come run overcome upset wed \
     found bound lay used saw left felt wound ground miss bore quit rid shed split thrust burst \
     overrun",
);

/// Verbs whose past is written like a base, and past forms that are everyday nouns or adjectives.
pub(super) fn is_own_base(word: &str) -> bool {
    OWN_BASES.has(word)
}

/// Forms in `s` of frequent verbs.
static THIRD_PERSON: WordList = WordList::new(
    "is was has does goes says knows seems becomes takes gives makes tells sees thinks begins comes \
     brings keeps gets wants finds hears understands believes remains appears lies stands",
);

/// Third person singular of a verb: `goes`, `says`; `s` forms that are also plurals do not count.
pub(super) fn is_third_person(word: &str) -> bool {
    THIRD_PERSON.has(word)
}

#[cfg(test)]
mod tests {
    use super::super::text::Document;
    use super::{is_bare, is_past};

    fn all(text: &str, test: impl Fn(&super::Type) -> bool) -> bool {
        Document::read(text).types.iter().all(test)
    }

    #[test]
    fn doubtful_words_are_neither_bare_nor_past() {
        assert!(all("put set house toil left felt saw used", |w| !is_bare(
            w
        )
            && !is_past(w)));
        assert!(all("qualify go give", is_bare) && all("told went regretted", is_past));
    }
}
