//! \[22\] Exchange entities: mentions get names that occur nowhere in the document (Kleiner 2025,
//! Eq. 3.14).

use std::collections::BTreeSet;

use super::mention::{single_words, there_are};
use super::names::names;
use crate::base::draw::Draw;
use crate::base::wording::count;
use crate::language::manipulate::edit::{Change, NotApplicable};
use crate::language::manipulate::{About, Damaged, Entities, Job, Refusal, Target, Work};
use crate::language::text::{Entity, EntityKind, Want};

/// \[22\] Names are replaced by names that the document does not hold (Eq. 3.14).
#[derive(Clone, Copy, Debug)]
pub struct ExchangeEntities;

impl Work for ExchangeEntities {
    type Settings = Entities;

    const ABOUT: About = About {
        wants: Want::ENTITIES,
        ..About::of("exchange-entities", Some(22), Target::Coherence)
    };

    fn perform(Entities { kinds }: &Entities, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let entities = &job.subject.annotations.entities;
        let candidates = exchangeable(text, entities, kinds);
        // Two at least, as the thesis says of Eq. 3.14.
        job.make_at_least(2, candidates, |operations, draw| {
            exchange_entities(text, entities, kinds, operations, draw)
        })
    }
}

/// How many mentions may be exchanged, one word with a capital each: the pool of \[22\].
pub fn exchangeable(text: &str, entities: &[Entity], kinds: &[EntityKind]) -> usize {
    eligible(text, entities, kinds).len()
}

fn eligible(text: &str, entities: &[Entity], kinds: &[EntityKind]) -> Vec<Entity> {
    single_words(text, entities, kinds)
        .into_iter()
        .filter(|entity| entity.span.of(text).starts_with(char::is_uppercase))
        .collect()
}

/// Draws as many mentions as there are operations and gives each a name of its own, of the same
/// kind, from the built-in lists. No name is given twice, and none that is a word of the document.
/// A name in capitals is replaced by one in capitals. Whether a first name is a woman's is not
/// looked at. The thesis asks for at least two operations; this is left to the caller.
pub fn exchange_entities(
    text: &str,
    entities: &[Entity],
    kinds: &[EntityKind],
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let pool = eligible(text, entities, kinds);
    if pool.len() < operations {
        return Err(NotApplicable(format!(
            "cannot exchange {} of one word: there {}",
            count(operations, "name"),
            there_are(pool.len())
        )));
    }
    let drawn = draw.some(pool.len(), operations);
    let words = words(text);
    let mut changes = Vec::with_capacity(operations);
    for kind in EntityKind::ALL {
        let mentions: Vec<(usize, Entity)> = drawn
            .iter()
            .enumerate()
            .map(|(operation, &mention)| (operation, pool[mention]))
            .filter(|(_, entity)| entity.kind == kind)
            .collect();
        let free: Vec<&str> = names(kind)
            .filter(|name| !words.contains(&name.to_lowercase()))
            .collect();
        if free.len() < mentions.len() {
            return Err(NotApplicable(format!(
                "cannot exchange {} of kind `{}`: {} of that kind known here {} not in the document",
                count(mentions.len(), "name"),
                kind.name(),
                count(free.len(), "name"),
                if free.len() == 1 { "is" } else { "are" }
            )));
        }
        let substitutes = draw.sample(free.len(), mentions.len());
        for ((operation, entity), substitute) in mentions.into_iter().zip(substitutes) {
            let old = entity.span.of(text);
            let capitals = old.chars().nth(1).is_some() && !old.contains(char::is_lowercase);
            let new = free[substitute];
            changes.push(Change::new(
                operation,
                entity.span,
                if capitals {
                    new.to_uppercase()
                } else {
                    new.to_owned()
                },
            ));
        }
    }
    changes.sort_by_key(|change| change.span);
    Ok(changes)
}

/// The words of a text in small letters.
fn words(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
