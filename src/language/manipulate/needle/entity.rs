//! The entity needle: a name in a sentence becomes another of its kind from elsewhere in the document.
//!
//! Source: Aksoy et al., "Semantic Needles in Document Haystacks" (2026), Appendix A, `ner`.

use std::collections::{BTreeMap, BTreeSet};

use super::place::NeedlePlace;
use super::{Needle, Position};
use crate::base::draw::Draw;
use crate::language::manipulate::edit::Change;
use crate::language::manipulate::{About, Damaged, Job, Refusal, Takes, Target, Work};
use crate::language::text::{Entity, EntityKind, Headings, Span, Want, WordList};

/// Needle `ner`: a name is replaced by another of the document (Semantic Needles, appendix A).
#[derive(Clone, Copy, Debug)]
pub struct EntityReplacement;

impl Work for EntityReplacement {
    type Settings = NeedlePlace;

    const ABOUT: About = About {
        wants: Want::ENTITIES,
        takes: Takes::Hay,
        ..About::of("entity-replacement", None, Target::Meaning)
    };

    fn takes(place: &NeedlePlace) -> Takes {
        place.takes()
    }

    fn perform(place: &NeedlePlace, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        place.lay(Needle::Entity, job)
    }

    fn positions(place: &NeedlePlace) -> Vec<Position> {
        place.positions()
    }

    fn perform_each(place: &NeedlePlace, job: &mut Job<'_>) -> Result<Vec<Damaged>, Refusal> {
        place.lay_each(Needle::Entity, job)
    }
}

/// The kinds that are replaced (the paper's).
const ELIGIBLE: [EntityKind; 5] = [
    EntityKind::Person,
    EntityKind::Gpe,
    EntityKind::Loc,
    EntityKind::Language,
    EntityKind::Date,
];

/// The replacement of one mention in `sentence`; none where no mention there has another name of its kind
/// outside the sentence and the headings.
///
/// Both choices are uniform over mentions: the one that goes among those that can be replaced, the
/// one that comes among all that fit, so a name that is often mentioned comes more often. The span
/// goes as a whole and what comes stands as it is elsewhere, with single blanks where a line ended and
/// with the capital that its new place asks for: `last August` at the start of a sentence gets one, and `Two
/// years later` loses it elsewhere.
///
/// The paper takes any entity of the same label. A name that is the same but for capitals or an article,
/// or a part of the other (`Anthony Croft` and `Croft`), leaves the sentence's meaning as it was, so it does
/// not come here.
pub(super) fn replace(
    text: &str,
    entities: &[Entity],
    sentence: Span,
    draw: &mut Draw,
) -> Option<Vec<Change>> {
    let from = entities.partition_point(|entity| entity.span.start < sentence.start);
    let to = entities.partition_point(|entity| entity.span.start < sentence.end);
    let inside: Vec<&Entity> = entities[from..to]
        .iter()
        .filter(|entity| ELIGIBLE.contains(&entity.kind))
        .filter(|entity| sentence.contains(entity.span) && !entity.span.is_empty())
        .collect();
    if inside.is_empty() {
        return None;
    }
    let headings = Headings::of(text);
    let outside: Vec<&Entity> = entities[..from]
        .iter()
        .chain(&entities[to..])
        .filter(|entity| !headings.hold(entity.span))
        .collect();
    let mut names: BTreeMap<EntityKind, BTreeSet<Vec<String>>> = BTreeMap::new();
    for entity in &outside {
        let known = names.entry(entity.kind).or_default();
        known.insert(words(entity.span.of(text)));
    }
    // Names are compared with each other once, however often they are mentioned.
    let mut has_another: BTreeMap<(EntityKind, Vec<String>), bool> = BTreeMap::new();
    let mut replaceable: Vec<&Entity> = Vec::new();
    for &entity in &inside {
        let name = words(entity.span.of(text));
        let others = names.get(&entity.kind);
        let another = *has_another
            .entry((entity.kind, name))
            .or_insert_with_key(|(_, name)| {
                others.is_some_and(|others| others.iter().any(|other| differ(name, other)))
            });
        if another {
            replaceable.push(entity);
        }
    }
    let goes = *draw.pick(&replaceable)?;
    let name = words(goes.span.of(text));
    let fitting: Vec<&Entity> = outside
        .into_iter()
        .filter(|comes| comes.kind == goes.kind && differ(&name, &words(comes.span.of(text))))
        .collect();
    let comes = draw.pick(&fitting)?;
    let opening = !text[sentence.start..goes.span.start].contains(char::is_alphanumeric);
    let new = placed(&flat(comes.span.of(text)), comes.kind, opening);
    Some(vec![Change::new(0, goes.span, new)])
}

/// The words of a name in small letters, without an article in front.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    if words.len() > 1 && ["the", "a", "an"].contains(&words[0].as_str()) {
        words.remove(0);
    }
    words
}

/// Whether neither of two names is the other or a part of it.
fn differ(one: &[String], other: &[String]) -> bool {
    let (part, whole) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    !whole.windows(part.len().max(1)).any(|words| words == part)
}

/// A name on one line.
fn flat(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a date begins with that has a capital at the start of a sentence only.
static OPENERS: WordList = WordList::new(
    "A About An Early Each Eight Eighteen Eleven Every Few Fifteen Fifty Five Forty Four Half Last \
     Late Many Next Nine One Several Seven Six Some Ten That The These Thirty This Those Three To-day \
     To-morrow To-night Today Tomorrow Tonight Twelve Twenty Two Yesterday All",
);

/// A name with the capital or small letter that its new place asks for.
fn placed(name: &str, kind: EntityKind, opening: bool) -> String {
    let mut letters = name.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let word = name.split(' ').next().unwrap_or(name);
    if opening {
        first.to_uppercase().chain(letters).collect()
    } else if kind == EntityKind::Date && OPENERS.has(word) {
        first.to_lowercase().chain(letters).collect()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ_as_written(one: &str, other: &str) -> bool {
        differ(&words(one), &words(other))
    }

    #[test]
    fn a_name_written_otherwise_or_in_part_is_no_other_name() {
        for (one, other) in [
            ("America", "AMERICA"),
            ("the Thames", "Thames"),
            ("New\nYork", "New  York"),
            ("Anthony Croft", "Croft"),
            ("Herbert", "Herbert Spencer"),
        ] {
            assert!(!differ_as_written(one, other), "{one} {other}");
            assert!(!differ_as_written(other, one), "{one} {other}");
        }
        assert!(differ_as_written("Rome", "Romeo"));
        assert!(differ_as_written("Anthony Croft", "Anthony Bell"));
    }

    #[test]
    fn a_name_has_the_capital_of_its_new_place() {
        for (name, kind, opening, expected) in [
            ("last August", EntityKind::Date, true, "Last August"),
            (
                "Two years later",
                EntityKind::Date,
                false,
                "two years later",
            ),
            ("May 1916", EntityKind::Date, false, "May 1916"),
            ("The Hague", EntityKind::Gpe, false, "The Hague"),
            ("de Witt", EntityKind::Person, true, "De Witt"),
        ] {
            assert_eq!(placed(name, kind, opening), expected);
        }
    }
}
