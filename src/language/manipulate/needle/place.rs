//! Settings of needles: where the changed sentence stands, and among whose.

use serde::{Serialize, Serializer};

use super::lay::lay_among;
use super::{After, Needle, Position, Room, find, prose};
use crate::language::manipulate::contract::Takes;
use crate::language::manipulate::perform::{Damaged, Job, Others, Refusal};

/// Where the changed sentence of a needle stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NeedlePlace {
    /// Sentences before it; of several numbers each is combined with each of `after`.
    #[serde(serialize_with = "one_or_list")]
    pub before: Vec<usize>,
    /// Sentences after it.
    #[serde(serialize_with = "one_or_list")]
    pub after: Vec<usize>,
    /// Whose sentences those are.
    pub hay: Hay,
    /// The most sentences on either side of a needle in the whole experiment: documents need as many, so
    /// that every position is tried on the same documents.
    pub room: usize,
    /// How many sentences either way are tried when the middle one cannot be changed.
    pub reach: usize,
    /// For a negation: where `not` is put.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_after: Option<After>,
}

/// A single number as itself: it has the key that it had when there were no lists.
fn one_or_list<S: Serializer>(numbers: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    match numbers {
        [one] => one.serialize(serializer),
        several => several.serialize(serializer),
    }
}

/// Whose sentences stand around a needle.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Hay {
    /// The document's own.
    #[default]
    Original,
    /// Those of another document, drawn at random.
    Random,
}

impl Default for NeedlePlace {
    fn default() -> Self {
        Self {
            before: vec![0],
            after: vec![0],
            hay: Hay::default(),
            room: 9,
            reach: 5,
            not_after: None,
        }
    }
}

impl NeedlePlace {
    /// What is taken from another stage.
    pub(super) fn takes(&self) -> Takes {
        match self.hay {
            Hay::Original => Takes::Nothing,
            Hay::Random => Takes::Hay,
        }
    }

    /// The positions, where there are several.
    pub(super) fn positions(&self) -> Vec<Position> {
        let all = self.all().collect::<Vec<_>>();
        if all.len() > 1 { all } else { Vec::new() }
    }

    fn all(&self) -> impl Iterator<Item = Position> {
        let after = |before: usize| {
            let sides = self.after.iter();
            sides.map(move |&after| Position { before, after })
        };
        self.before.iter().flat_map(move |&before| after(before))
    }

    /// Alters a sentence of a document and lays it in its hay, at the first position.
    pub(super) fn lay(&self, needle: Needle, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let first = self.all().take(1).collect::<Vec<_>>();
        let laid = self.lay_at(&first, needle, job)?;
        laid.into_iter()
            .next()
            .ok_or_else(|| Refusal::Broken("a needle has no position".to_owned()))
    }

    /// Alters a sentence of a document and lays it in its hay, at one position after the other.
    pub(super) fn lay_each(
        &self,
        needle: Needle,
        job: &mut Job<'_>,
    ) -> Result<Vec<Damaged>, Refusal> {
        let all = self.all().collect::<Vec<_>>();
        self.lay_at(&all, needle, job)
    }

    fn lay_at(
        &self,
        positions: &[Position],
        needle: Needle,
        job: &mut Job<'_>,
    ) -> Result<Vec<Damaged>, Refusal> {
        let subject = job.subject;
        let (text, sentences) = (subject.text, &subject.annotations.sentences);
        let room = Room {
            widest: Position {
                before: self.room,
                after: self.room,
            },
            scan: self.reach,
        };
        let found = find(text, subject.annotations, needle, room, &mut job.draw)?;
        let donor = match (self.hay, subject.others) {
            (Hay::Random, Others::Hay(donors)) => {
                // Not under the needle's name: all needles of a document lie in the same hay.
                let draw = &mut (job.seeded)(&["hay"]);
                Some(donors.draw(subject.id, sentences.len(), room, draw)?)
            }
            _ => None,
        };
        let own = prose(text, sentences);
        let laid = positions.iter().map(|&position| {
            let stack = lay_among(text, &own, &found, position, donor)?;
            Ok(Damaged {
                text: stack.altered,
                edits: stack.edits,
                operations: 1,
                candidates: sentences.len(),
                unaltered: Some(stack.unaltered),
            })
        });
        laid.collect()
    }
}
