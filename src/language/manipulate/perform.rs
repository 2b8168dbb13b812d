//! Doing to one document what a recipe says.

use std::num::NonZeroU8;

use super::anachronism::anachronism;
use super::donor::Donor;
use super::edit::{Change, Edit, NotApplicable, apply};
use super::entities::{
    Term, Terms, entities_to_pronouns, entities_to_terms, exchange_entities, exchangeable,
    replaceable, swap_entities, swappable,
};
use super::exchange::exchange;
use super::insert::insert;
use super::intensity::Intensity;
use super::needle::{self, Needle, Position, Room, find, lay};
use super::punctuation::{marks, remove_punctuation};
use super::recipe::{NeedlePlace, Recipe, Settings};
use super::remove::{Continuation, fill, remove};
use super::repeat::repeat;
use super::statements;
use super::swap::swap;
use super::typos::typos;
use super::verb_tenses::{pool, verb_tenses};
use super::word_order::word_order;
use super::word_removal::remove_words;
use super::{Hay, Manipulation};
use crate::base::draw::{Draw, Lots};
use crate::language::text::{Annotations, Span, sentences, units};

/// The document that something is done to.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// Its id.
    pub id: &'s str,
    /// Its text.
    pub text: &'s str,
    /// What is known about the text, as far as [`Recipe::wants`] asks for it.
    pub annotations: &'s Annotations,
    /// How many tokens the text has, where [`Recipe::counts_tokens`].
    pub tokens: usize,
    /// The whole document where `text` is its beginning, to fill up from.
    pub whole: Option<&'s str>,
    /// What other documents give.
    pub others: &'s Others<'s>,
}

/// What other documents give.
#[derive(Debug)]
pub enum Others<'o> {
    /// Nothing is needed.
    Nothing,
    /// Passages.
    Passages(Vec<Donor<'o>>),
    /// Sentences to lay a needle in.
    Hay(needle::Donors<'o>),
}

/// A damaged text and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The text.
    pub text: String,
    /// The edits that made it, in the order of the text.
    pub edits: Vec<Edit>,
    /// How many operations were made.
    pub operations: usize,
    /// How many things the intensity was counted on: passages, tokens, verbs, sentences, mentions or marks.
    pub candidates: usize,
    /// For needles: the same excerpt without the change, which the edits are counted in.
    pub unaltered: Option<String>,
}

/// Why a document was not damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has not enough of what the manipulation changes.
    NotApplicable(NotApplicable),
    /// The manipulation itself is at fault.
    Broken(String),
}

impl From<NotApplicable> for Refusal {
    fn from(why: NotApplicable) -> Self {
        Self::NotApplicable(why)
    }
}

/// What is to be changed.
struct Plan {
    changes: Vec<Change>,
    candidates: usize,
    operations: usize,
}

/// Gives a document's random draws under a name.
type Seeded<'s> = &'s dyn Fn(&[&str]) -> Draw;

impl Recipe {
    /// Damages a document. `seeded` gives the random draws for it under a name.
    ///
    /// # Errors
    /// When the document has not enough of what the manipulation changes.
    pub fn perform(&self, subject: &Subject<'_>, seeded: Seeded<'_>) -> Result<Damaged, Refusal> {
        if let Settings::Needle(place) = &self.settings {
            return self.needle(subject, place, seeded);
        }
        let plan = self.plan(subject, seeded)?;
        let (text, edits) = apply(subject.text, plan.changes)
            .map_err(|error| Refusal::Broken(error.to_string()))?;
        Ok(Damaged {
            text,
            edits,
            operations: plan.operations,
            candidates: plan.candidates,
            unaltered: None,
        })
    }

    fn plan(&self, subject: &Subject<'_>, seeded: Seeded<'_>) -> Result<Plan, Refusal> {
        match &self.settings {
            Settings::Passages(_) | Settings::Statements { .. } => self.content(subject, seeded),
            Settings::Swap { .. } | Settings::Entities { .. } | Settings::Terms { .. } => {
                self.entities(subject, seeded)
            }
            _ => self.words(subject, seeded),
        }
    }

    /// How many operations there are for so many candidates.
    fn operations(&self, subject: &Subject<'_>, candidates: usize, draw: &mut Draw) -> usize {
        let intensity = self.intensity.unwrap_or(Intensity::Count(1));
        let size = match intensity {
            Intensity::PerThousand { .. } => subject.tokens,
            _ => candidates,
        };
        intensity.operations(size, draw)
    }

    fn content(&self, subject: &Subject<'_>, seeded: Seeded<'_>) -> Result<Plan, Refusal> {
        let text = subject.text;
        let draw = &mut seeded(&[self.manipulation.name()]);
        if let Settings::Statements {
            min_characters,
            statements,
        } = &self.settings
        {
            let units = units(text, *min_characters);
            let operations = self.operations(subject, units.len(), draw);
            let statements: Vec<&str> = match statements {
                Some(own) => own.iter().map(String::as_str).collect(),
                None => statements::modern(),
            };
            return Ok(Plan {
                changes: anachronism(text, &units, operations, &statements, draw)?,
                candidates: units.len(),
                operations,
            });
        }
        let Settings::Passages(passages) = &self.settings else {
            return Err(unfitting(self));
        };
        let units = passages.of(text)?;
        let operations = self.operations(subject, units.len(), draw);
        let donors: Vec<Donor<'_>> = match subject.others {
            Others::Passages(donors) => donors
                .iter()
                .filter(|donor| donor.id != subject.id)
                .copied()
                .collect(),
            _ => Vec::new(),
        };
        let changes = match self.manipulation {
            Manipulation::SwapContent => swap(text, &units, operations, draw)?,
            Manipulation::RemoveContent => {
                let mut changes = remove(text, &units, operations, draw)?;
                changes.extend(filled(subject, &changes));
                changes
            }
            Manipulation::InsertContent => {
                let donor = giver(&donors, operations, draw.lots())?;
                insert(text, &units, operations, donor, draw)?
            }
            Manipulation::RepeatContent => {
                let times = u8::try_from(passages.times).unwrap_or(u8::MAX);
                let times = NonZeroU8::new(times).unwrap_or(NonZeroU8::MIN);
                repeat(text, &units, operations, times, draw)?
            }
            Manipulation::ExchangeContent => {
                let of_donor = |donor: &str| seeded(&[self.manipulation.name(), donor]);
                exchange(text, &units, operations, &donors, of_donor, draw)?
            }
            _ => return Err(unfitting(self)),
        };
        Ok(Plan {
            changes,
            candidates: units.len(),
            operations,
        })
    }

    fn entities(&self, subject: &Subject<'_>, seeded: Seeded<'_>) -> Result<Plan, Refusal> {
        let Subject {
            text, annotations, ..
        } = *subject;
        let (sentences, entities) = (&annotations.sentences, &annotations.entities);
        let draw = &mut seeded(&[self.manipulation.name()]);
        let (candidates, operations, changes) = match (self.manipulation, &self.settings) {
            (Manipulation::SwapEntities, Settings::Swap { kinds, mentions }) => {
                let candidates = swappable(text, entities, kinds);
                // A cycle has two members at least (Eq. 3.12).
                let operations = self.operations(subject, candidates, draw).max(2);
                let changes = swap_entities(text, entities, kinds, *mentions, operations, draw)?;
                (candidates, operations, changes)
            }
            (Manipulation::ExchangeEntities, Settings::Entities { kinds }) => {
                let candidates = exchangeable(text, entities, kinds);
                // Two at least, as the thesis says of Eq. 3.14.
                let operations = self.operations(subject, candidates, draw).max(2);
                let changes = exchange_entities(text, entities, kinds, operations, draw)?;
                (candidates, operations, changes)
            }
            (Manipulation::EntityToPronoun, Settings::Entities { kinds }) => {
                let candidates = replaceable(entities, kinds);
                let operations = self.operations(subject, candidates, draw);
                let changes =
                    entities_to_pronouns(text, sentences, entities, kinds, operations, draw)?;
                (candidates, operations, changes)
            }
            (
                Manipulation::EntityToTerm,
                Settings::Terms {
                    kinds,
                    terms,
                    article,
                },
            ) => {
                let candidates = replaceable(entities, kinds);
                let operations = self.operations(subject, candidates, draw);
                let terms = Terms {
                    words: terms.iter().map(|term| Term::new(term)).collect(),
                    article: *article,
                };
                let changes =
                    entities_to_terms(text, sentences, entities, kinds, &terms, operations, draw)?;
                (candidates, operations, changes)
            }
            _ => return Err(unfitting(self)),
        };
        Ok(Plan {
            changes,
            candidates,
            operations,
        })
    }

    fn words(&self, subject: &Subject<'_>, seeded: Seeded<'_>) -> Result<Plan, Refusal> {
        let Subject {
            text, annotations, ..
        } = *subject;
        let draw = &mut seeded(&[self.manipulation.name()]);
        let mut operations_of = |candidates: usize| {
            let draw = &mut *draw;
            (self.operations(subject, candidates, draw), candidates)
        };
        let (operations, candidates, changes) = match (self.manipulation, &self.settings) {
            (Manipulation::Typos, Settings::Letters { density }) => {
                let (operations, candidates) = operations_of(subject.tokens);
                let changes = typos(text, operations, *density, draw)?;
                (operations, candidates, changes)
            }
            (Manipulation::WordRemoval, Settings::Letters { density }) => {
                let (operations, candidates) = operations_of(subject.tokens);
                let changes = remove_words(text, operations, *density, draw)?;
                (operations, candidates, changes)
            }
            (Manipulation::VerbTenses, Settings::Letters { density }) => {
                let (operations, candidates) = operations_of(pool(&annotations.words));
                let changes = verb_tenses(text, annotations, operations, *density, draw)?;
                (operations, candidates, changes)
            }
            (Manipulation::WordOrder, Settings::WordOrder { density, shuffle }) => {
                let sentences = &annotations.sentences;
                let (operations, candidates) = operations_of(sentences.len());
                let changes = word_order(text, sentences, operations, *shuffle, *density, draw)?;
                (operations, candidates, changes)
            }
            (
                Manipulation::PunctuationRemoval,
                Settings::Punctuation {
                    density,
                    marks: which,
                },
            ) => {
                let marks = marks(text, *which);
                let (operations, candidates) = operations_of(marks.len());
                let changes = remove_punctuation(text, &marks, operations, *density, draw)?;
                (operations, candidates, changes)
            }
            _ => return Err(unfitting(self)),
        };
        Ok(Plan {
            changes,
            candidates,
            operations,
        })
    }

    fn needle(
        &self,
        subject: &Subject<'_>,
        place: &NeedlePlace,
        seeded: Seeded<'_>,
    ) -> Result<Damaged, Refusal> {
        let Subject {
            text, annotations, ..
        } = *subject;
        let needle = match self.manipulation {
            Manipulation::Negation => Needle::Negation(place.not_after.unwrap_or_default()),
            Manipulation::ConjunctionSwap => Needle::Conjunction,
            Manipulation::EntityReplacement => Needle::Entity,
            _ => return Err(unfitting(self)),
        };
        let draw = &mut seeded(&[self.manipulation.name()]);
        let room = Room {
            widest: Position {
                before: place.room,
                after: place.room,
            },
            scan: place.reach,
        };
        let found = find(text, annotations, needle, room, draw)?;
        let donor = match (place.hay, subject.others) {
            (Hay::Random, Others::Hay(donors)) => {
                let sentences = annotations.sentences.len();
                // Not under the needle's name: all needles of a document lie in the same hay.
                Some(donors.draw(subject.id, sentences, room, &mut seeded(&["hay"]))?)
            }
            _ => None,
        };
        let position = Position {
            before: place.before,
            after: place.after,
        };
        let stack = lay(text, &annotations.sentences, &found, position, donor)?;
        Ok(Damaged {
            text: stack.altered,
            edits: stack.edits,
            operations: 1,
            candidates: annotations.sentences.len(),
            unaltered: Some(stack.unaltered),
        })
    }
}

/// The insertion that makes up for removals, where the whole document goes on after the text.
fn filled(subject: &Subject<'_>, removals: &[Change]) -> Option<Change> {
    let rest = subject.whole?.strip_prefix(subject.text)?;
    let sentences: Vec<Span> = sentences(rest);
    let continuation = Continuation {
        text: rest,
        sentences: &sentences,
    };
    fill(subject.text, removals, Some(continuation)).change
}

/// The document that \[13\] takes from: of those with enough to give, the one that is drawn first.
fn giver<'d>(
    donors: &[Donor<'d>],
    operations: usize,
    lots: Lots,
) -> Result<Donor<'d>, NotApplicable> {
    donors
        .iter()
        .filter(|donor| donor.units.len() >= operations)
        .min_by_key(|donor| (lots.of(donor.id), donor.id))
        .copied()
        .ok_or_else(|| {
            NotApplicable(format!(
                "no other document has {operations} passages to give"
            ))
        })
}

/// A recipe whose settings belong to another manipulation; the spec's check makes none.
fn unfitting(recipe: &Recipe) -> Refusal {
    Refusal::Broken(format!(
        "the settings are not those of `{}`",
        recipe.manipulation
    ))
}
