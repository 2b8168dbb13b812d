//! The gold texts and what intensities are counted on, found by definition and not by the manipulations.

use std::collections::BTreeSet;

use rayon::prelude::*;
use tribunal::language::manipulate::{Intensity, Manipulation};
use tribunal::language::text::{
    Annotations, EntityKind, Scope, Span, Tag, Want, annotate, chapters, paragraphs, sections,
};

use crate::thesis::corpus::nearest;
use crate::thesis::data::Data;
use crate::thesis::published::documents;

pub(super) const PLACES: [EntityKind; 4] = [
    EntityKind::Org,
    EntityKind::Gpe,
    EntityKind::Loc,
    EntityKind::Fac,
];

/// Python's `string.punctuation`.
pub(super) const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

pub(super) struct Text {
    pub(super) id: String,
    pub(super) length: String,
    pub(super) written: String,
    pub(super) annotations: Annotations,
}

/// The gold texts at both lengths, as published.
pub(super) fn texts(data: &Data) -> Vec<Text> {
    let mut gold = documents(data);
    gold.retain(|document| document.task == "gold");
    assert_eq!(gold.len(), 130);
    let want = Want {
        sentences: true,
        words: true,
        entities: true,
    };
    gold.into_par_iter()
        .map(|document| Text {
            annotations: annotate(&document.text, want).unwrap(),
            id: document.id,
            length: document.length,
            written: document.text,
        })
        .collect()
}

impl Text {
    pub(super) fn tokens(&self) -> usize {
        self.written.split_whitespace().count()
    }

    /// The passages of a scope, with their length in characters where that is asked for; none where the text has no
    /// reliable chapters.
    pub(super) fn passages(&self, scope: Scope) -> Option<Vec<Span>> {
        Some(match scope {
            Scope::Paragraph => {
                let mut found = paragraphs(&self.written);
                found.retain(|it| !it.heading && it.span.of(&self.written).chars().count() >= 50);
                found.into_iter().map(|it| it.span).collect()
            }
            Scope::Section => sections(&self.written, 3000),
            Scope::Chapter => chapters(&self.written).ok()?,
        })
    }

    pub(super) fn mentions(&self, kinds: &[EntityKind]) -> usize {
        let entities = self.annotations.entities.iter();
        entities
            .filter(|entity| kinds.contains(&entity.kind))
            .count()
    }

    /// Mentions of persons that are one word and no abbreviation, and whether there are any about which one may differ.
    pub(super) fn persons(&self) -> (Vec<&str>, bool) {
        let one_word = |entity: &&tribunal::language::text::Entity| {
            entity.kind == EntityKind::Person
                && !entity.span.of(&self.written).contains(char::is_whitespace)
        };
        let all: Vec<Span> = self
            .annotations
            .entities
            .iter()
            .filter(one_word)
            .map(|entity| entity.span)
            .collect();
        let doubtful = all.iter().any(|span| {
            let name = span.of(&self.written);
            name.contains('.')
                || name.chars().count() < 4
                || self.written[span.end..].starts_with('.')
        });
        (
            all.into_iter().map(|span| span.of(&self.written)).collect(),
            doubtful,
        )
    }

    /// What an intensity is counted on, by definition (Eq. 3.2, 3.12, 3.15, 3.18, 3.20, A.4); none where nobody can say
    /// it but the manipulation, or where there is nothing to count on.
    pub(super) fn pool(&self, manipulation: Manipulation, scope: Scope) -> Option<usize> {
        Some(match manipulation {
            Manipulation::TemporalInconsistencies => self.passages(Scope::Paragraph)?.len(),
            Manipulation::SwapEntities => match self.persons() {
                (_, true) => return None,
                (names, false) => {
                    let cased = names
                        .into_iter()
                        .filter(|name| name.contains(char::is_lowercase));
                    cased.collect::<BTreeSet<_>>().len()
                }
            },
            Manipulation::ExchangeEntities => match self.persons() {
                (_, true) => return None,
                (names, false) => names
                    .into_iter()
                    .filter(|name| name.starts_with(char::is_uppercase))
                    .count(),
            },
            Manipulation::EntityToPronoun | Manipulation::EntityToTerm => self.mentions(&PLACES),
            Manipulation::Typos | Manipulation::WordRemoval => self.tokens(),
            Manipulation::VerbTenses => {
                let is_verb = |tag| {
                    matches!(
                        tag,
                        Tag::Vb | Tag::Vbd | Tag::Vbg | Tag::Vbn | Tag::Vbp | Tag::Vbz | Tag::Md
                    )
                };
                self.annotations
                    .words
                    .iter()
                    .filter(|word| is_verb(word.tag))
                    .count()
            }
            Manipulation::WordOrder => self.annotations.sentences.len(),
            Manipulation::PunctuationRemoval => self
                .written
                .chars()
                .filter(|letter| PUNCTUATION.contains(*letter))
                .count(),
            _ => self.passages(scope)?.len(),
        })
    }

    /// All that the equation allows: of a range of percentages, every one gives a number.
    pub(super) fn asked_for(&self, intensity: Intensity, pool: usize) -> BTreeSet<usize> {
        match intensity {
            Intensity::Count(count) => [count].into(),
            Intensity::Percent { start, end } => (start..=end)
                .map(|percent| nearest(percent as usize * pool, 100))
                .collect(),
            // The one above: 1.5 per thousand and 2.
            Intensity::PerThousand { .. } => [nearest(3 * self.tokens() + 4000, 2000)].into(),
        }
    }
}
