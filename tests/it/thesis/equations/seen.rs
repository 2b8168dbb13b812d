//! What was done, as the two texts show it.

use std::collections::{BTreeMap, BTreeSet};

use tribunal::language::manipulate::{Damaged, Manipulation};
use tribunal::language::text::paragraphs;

use super::texts::Text;

/// How many operations can be seen by comparing the two texts, or in what was replaced where that tells more.
pub(super) fn seen(manipulation: Manipulation, text: &Text, damaged: &Damaged) -> usize {
    let (before, after, edits) = (&text.written, &damaged.text, &damaged.edits);
    let lost = |count: fn(&str) -> usize| count(before) - count(after);
    let all = |holds: bool| {
        assert!(holds, "{} {}: {edits:?}", text.id, text.length);
        edits.len()
    };
    match manipulation {
        // Every passage that left a place stands in another.
        Manipulation::SwapContent => {
            let gone: BTreeSet<&str> = edits
                .iter()
                .map(|edit| edit.original.trim_start())
                .collect();
            let come: BTreeSet<&str> = edits.iter().map(|edit| edit.new.trim_start()).collect();
            all(gone == come) / 2
        }
        Manipulation::RemoveContent => all(edits.iter().all(|edit| edit.new.is_empty())),
        Manipulation::InsertContent => {
            let sources: BTreeSet<_> = edits.iter().map(|edit| &edit.source).collect();
            let inserted = edits.iter().all(|edit| edit.original.is_empty());
            all(inserted
                && sources.len() == edits.len().min(1)
                && !sources.contains(&Some(text.id.clone())))
        }
        Manipulation::RepeatContent => all(edits.iter().all(|edit| {
            edit.original.is_empty() && before[..edit.before.end].ends_with(edit.new.trim_start())
        })),
        Manipulation::ExchangeContent => {
            let sources: BTreeSet<_> = edits.iter().map(|edit| &edit.source).collect();
            all(sources.len() == edits.len() && !sources.contains(&Some(text.id.clone())))
        }
        Manipulation::SwapEntities => {
            let map: BTreeMap<&str, &str> = edits
                .iter()
                .map(|edit| (edit.original.as_str(), edit.new.as_str()))
                .collect();
            // One circle: whoever follows the names comes round after all of them.
            let first = *map.keys().next().unwrap();
            let (mut name, mut steps) = (map[first], 1);
            while name != first {
                (name, steps) = (map[name], steps + 1);
            }
            assert_eq!(steps, map.len(), "{map:?}");
            steps
        }
        Manipulation::ExchangeEntities => {
            let new: BTreeSet<_> = edits.iter().map(|edit| edit.new.as_str()).collect();
            let known: BTreeSet<&str> = before
                .split(|letter: char| !letter.is_alphabetic())
                .collect();
            all(new.len() == edits.len() && new.is_disjoint(&known))
        }
        Manipulation::TemporalInconsistencies => {
            let pairs = paragraphs(before).into_iter().zip(paragraphs(after));
            pairs
                .filter(|(one, other)| one.span.of(before) != other.span.of(after))
                .count()
        }
        Manipulation::EntityToPronoun => all(edits
            .iter()
            .all(|edit| matches!(edit.new.as_str(), "it" | "It" | "its" | "Its"))),
        Manipulation::EntityToTerm => all(edits.iter().all(|edit| {
            ["thing", "things", "stuff"]
                .iter()
                .any(|term| edit.new.to_lowercase().ends_with(term))
        })),
        Manipulation::Typos => {
            let pairs = before
                .chars()
                .zip(after.chars())
                .filter(|(one, other)| one != other);
            let letters = |letter: char| letter.is_ascii_alphabetic();
            pairs
                .inspect(|(one, other)| {
                    assert!(letters(*one) && letters(*other));
                    assert_eq!(one.is_uppercase(), other.is_uppercase());
                })
                .count()
        }
        Manipulation::VerbTenses => all(edits.iter().all(|edit| edit.original != edit.new)),
        Manipulation::WordOrder => {
            assert_eq!(before.len(), after.len());
            let sentences = &text.annotations.sentences;
            sentences
                .iter()
                .filter(|sentence| sentence.of(before) != sentence.of(after))
                .count()
        }
        Manipulation::PunctuationRemoval => lost(|text| text.chars().count()),
        _ => lost(|text| text.split_whitespace().count()),
    }
}
