//! \[21\] Swap entities: names change places with each other (Kleiner 2025, Eq. 3.12 and 3.13).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use indexmap::IndexMap;

use super::mention::{single_words, there_are};
use crate::base::draw::Draw;
use crate::base::wording::count;
use crate::language::manipulate::edit::{Change, NotApplicable};
use crate::language::manipulate::{About, Damaged, Job, Refusal, Target, Work};
use crate::language::text::{Entity, EntityKind, Want};

/// \[21\] Names change places in a circle (Eq. 3.12, 3.13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SwapEntities {
    /// The kinds of entities that take part.
    pub kinds: Vec<EntityKind>,
    /// Which mentions of a name are replaced.
    pub mentions: Mentions,
}

impl Default for SwapEntities {
    fn default() -> Self {
        Self {
            kinds: vec![EntityKind::Person],
            mentions: Mentions::default(),
        }
    }
}

impl Work for SwapEntities {
    type Settings = Self;

    const ABOUT: About = About {
        wants: Want::ENTITIES,
        ..About::of("swap-entities", Some(21), Target::Coherence)
    };

    fn perform(settings: &Self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let entities = &job.subject.annotations.entities;
        let Self { kinds, mentions } = settings;
        let candidates = swappable(text, entities, kinds);
        // A cycle has two members at least (Eq. 3.12).
        job.make_at_least(2, candidates, |operations, draw| {
            swap_entities(text, entities, kinds, *mentions, operations, draw)
        })
    }
}

/// Which mentions of a name that was drawn are replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mentions {
    /// All mentions of one word, as in the equation: the story stays consistent with the roles exchanged, except for
    /// other references to them (`Alice … he`, `Alice Brown`).
    #[default]
    All,
    /// One of them, drawn at random: the inconsistency is at one place.
    One,
}

/// How many different names of one word there are, by their letters: \|U\|, the pool of \[21\]. Names
/// in capitals, as headings have them, are left out: swapped into prose they would give themselves
/// away.
pub fn swappable(text: &str, entities: &[Entity], kinds: &[EntityKind]) -> usize {
    names(text, entities, kinds).len()
}

/// The names of one word with their mentions, in order of their first ones.
fn names<'t>(
    text: &'t str,
    entities: &[Entity],
    kinds: &[EntityKind],
) -> IndexMap<&'t str, Vec<Entity>> {
    let mut names: IndexMap<&str, Vec<Entity>> = IndexMap::new();
    for entity in single_words(text, entities, kinds) {
        let name = entity.span.of(text);
        let shouted = name.chars().nth(1).is_some() && name.contains(char::is_uppercase);
        if !shouted || name.contains(char::is_lowercase) {
            names.entry(name).or_default().push(entity);
        }
    }
    names
}

/// Draws as many names as there are operations and replaces the mentions of each by the next one's
/// name, those of the last by the first one's: a cycle, so no name keeps its place. Each name is one
/// operation. The thesis swaps persons only; with more kinds, names of all of them change places.
pub fn swap_entities(
    text: &str,
    entities: &[Entity],
    kinds: &[EntityKind],
    mentions: Mentions,
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let names = names(text, entities, kinds);
    if operations < 2 {
        return Err(NotApplicable(format!(
            "a swap needs at least 2 names, not {operations}"
        )));
    }
    if names.len() < operations {
        return Err(NotApplicable(format!(
            "cannot swap {} of one word: there {}",
            count(operations, "different name"),
            there_are(names.len())
        )));
    }
    let drawn: Vec<(&str, &[Entity])> = draw
        .sample(names.len(), operations)
        .into_iter()
        .filter_map(|name| names.get_index(name))
        .map(|(name, mentions)| (*name, mentions.as_slice()))
        .collect();
    let mut changes = Vec::new();
    for (operation, (_, all)) in drawn.iter().enumerate() {
        let (new, _) = drawn[(operation + 1) % drawn.len()];
        let one = draw.below(all.len());
        let replaced = match mentions {
            Mentions::All => *all,
            Mentions::One => all.get(one..=one).unwrap_or_default(),
        };
        changes.extend(
            replaced
                .iter()
                .map(|entity| Change::new(operation, entity.span, new.to_owned())),
        );
    }
    changes.sort_by_key(|change| change.span);
    Ok(changes)
}
