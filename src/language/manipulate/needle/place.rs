//! Settings of needles: where the changed sentence stands, and among whose.

use serde::Serialize;

use super::{After, Needle, Position, Room, find, lay};
use crate::language::manipulate::contract::Takes;
use crate::language::manipulate::perform::{Damaged, Job, Others, Refusal};

/// Where the changed sentence of a needle stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NeedlePlace {
    /// Sentences before it.
    pub before: usize,
    /// Sentences after it.
    pub after: usize,
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
            before: 0,
            after: 0,
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

    /// Alters a sentence of a document and lays it in its hay.
    pub(super) fn lay(&self, needle: Needle, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
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
        let position = Position {
            before: self.before,
            after: self.after,
        };
        let stack = lay(text, sentences, &found, position, donor)?;
        Ok(Damaged {
            text: stack.altered,
            edits: stack.edits,
            operations: 1,
            candidates: sentences.len(),
            unaltered: Some(stack.unaltered),
        })
    }
}
