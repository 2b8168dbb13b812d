//! \[31\] Entity to pronoun: mentions become `it` (Kleiner 2025, Eq. 3.15 and A.3).

use super::mention::{
    article_before, capitalized, drawn, is_free, possessive_after, replaceable, starts_sentence,
};
use crate::base::draw::Draw;
use crate::language::manipulate::edit::{Change, NotApplicable};
use crate::language::manipulate::{About, Damaged, Entities, Job, Refusal, Target, Work};
use crate::language::text::{Annotations, Entity, EntityKind, Span, Want};

/// \[31\] Names of places and organisations become `it` (Eq. A.3).
#[derive(Clone, Copy, Debug)]
pub struct EntityToPronoun;

impl Work for EntityToPronoun {
    type Settings = Entities;

    const ABOUT: About = About {
        wants: Want::ENTITIES,
        ..About::of("entity-to-pronoun", Some(31), Target::Coherence)
    };

    fn usual() -> Entities {
        Entities {
            kinds: EntityKind::NOT_PERSONS.to_vec(),
        }
    }

    fn perform(Entities { kinds }: &Entities, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let Annotations {
            sentences,
            entities,
            ..
        } = job.subject.annotations;
        job.make(replaceable(entities, kinds), |operations, draw| {
            entities_to_pronouns(text, sentences, entities, kinds, operations, draw)
        })
    }
}

/// Draws as many mentions as there are operations and replaces each by `it`, by `its` where it is
/// possessive, with a capital at the start of a sentence. An article directly before goes with it
/// (`the Thames` becomes `it`), and so does the possessive ending (`London’s` becomes `its`);
/// adjectives stay (`old London` becomes `old it`). Names in the plural become `it` too.
pub fn entities_to_pronouns(
    text: &str,
    sentences: &[Span],
    entities: &[Entity],
    kinds: &[EntityKind],
    operations: usize,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let changes = drawn(entities, kinds, operations, draw)?
        .into_iter()
        .enumerate()
        .map(|(operation, name)| {
            let free = |span: &Span| is_free(entities, *span);
            let start = article_before(text, name.start)
                .filter(free)
                .map_or(name.start, |word| word.start);
            let ending = possessive_after(text, name.end).filter(free);
            let pronoun = if ending.is_some() { "its" } else { "it" };
            Change {
                source: None,
                operation,
                span: Span::new(start, ending.map_or(name.end, |ending| ending.end)),
                new: if starts_sentence(text, sentences, start) {
                    capitalized(pronoun)
                } else {
                    pronoun.to_owned()
                },
            }
        })
        .collect();
    Ok(changes)
}
