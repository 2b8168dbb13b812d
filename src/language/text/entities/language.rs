//! Languages: names such as `French`, where the words around say that the language is meant and not
//! the people.

use super::census::Census;
use super::cue::Cue;
use super::list::LISTS;
use super::reading::Reading;
use super::token::Gap;
use crate::language::text::{Entity, EntityKind};

/// The languages named in a text, in order.
pub(super) fn languages(reading: Reading<'_>, census: &Census) -> Vec<Entity> {
    reading
        .tokens
        .iter()
        .enumerate()
        .filter(|&(at, _)| {
            census.entry(at).is_some_and(|entry| {
                LISTS.languages.has(&entry.name) && is_language(reading, at, entry.people)
            })
        })
        .map(|(_, token)| Entity {
            span: token.span,
            kind: EntityKind::Language,
        })
        .collect()
}

/// Whether the name of a language means one here.
fn is_language(reading: Reading<'_>, at: usize, people: bool) -> bool {
    let next = reading.joined(at + 1);
    if Cue::LanguageNoun.is(next) {
        return true;
    }
    // `French wine` is no language, `French and` may be one.
    let alone = next.is_empty() || Cue::NoNoun.is(next);
    if !alone || reading.tokens[at].possessive {
        return false;
    }
    if !people || matches!(reading.word(at), "Latin" | "Yiddish") {
        return true;
    }
    let ends = reading
        .tokens
        .get(at + 1)
        .is_none_or(|next| next.gap != Gap::Joined);
    let before = reading.before(at, 1);
    let further = reading.before(at, 2);
    match before {
        "in" | "into" | "In" => !next.is_empty() || ends,
        "from" => is_rendering(further),
        "the" => further == "from" && is_rendering(reading.before(at, 3)),
        "of" => Cue::BeforeOfLanguage.is(further),
        _ if Cue::LanguageQuality.is(before) => Cue::LanguageUse.is(further),
        _ => Cue::LanguageUse.is(before),
    }
}

/// What is made from one language into another.
fn is_rendering(word: &str) -> bool {
    matches!(
        word,
        "translated" | "translation" | "version" | "rendered" | "words"
    )
}
