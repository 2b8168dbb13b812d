//! Doing to one document what a recipe says.

use super::donor::Donor;
use super::edit::{Change, Edit, NotApplicable, apply};
use super::intensity::Intensity;
use super::needle;
use super::recipe::Recipe;
use crate::base::draw::Draw;
use crate::language::text::Annotations;

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

/// Gives a document's random draws under a name.
type Seeded<'s> = &'s dyn Fn(&[&str]) -> Draw;

/// What a manipulation is handed for one document.
pub struct Job<'j> {
    /// The document.
    pub subject: Subject<'j>,
    /// The random draws of the manipulation for this document.
    pub draw: Draw,
    /// The document's random draws under another name.
    pub seeded: Seeded<'j>,
    intensity: Intensity,
}

impl<'j> Job<'j> {
    /// What other documents give; a document gives nothing to itself.
    pub fn donors(&self) -> Vec<Donor<'j>> {
        match self.subject.others {
            Others::Passages(donors) => donors
                .iter()
                .filter(|donor| donor.id != self.subject.id)
                .copied()
                .collect(),
            Others::Nothing | Others::Hay(_) => Vec::new(),
        }
    }

    /// Makes as many changes as the intensity asks for with so many candidates.
    ///
    /// # Errors
    /// When there cannot be so many.
    pub fn make(
        &mut self,
        candidates: usize,
        changes: impl FnOnce(usize, &mut Draw) -> Result<Vec<Change>, NotApplicable>,
    ) -> Result<Damaged, Refusal> {
        self.make_at_least(0, candidates, changes)
    }

    /// Makes as many changes as the intensity asks for with so many candidates, and `least` at least.
    ///
    /// # Errors
    /// When there cannot be so many.
    pub fn make_at_least(
        &mut self,
        least: usize,
        candidates: usize,
        changes: impl FnOnce(usize, &mut Draw) -> Result<Vec<Change>, NotApplicable>,
    ) -> Result<Damaged, Refusal> {
        let size = match self.intensity {
            Intensity::PerThousand { .. } => self.subject.tokens,
            Intensity::Count(_) | Intensity::Percent { .. } => candidates,
        };
        let operations = self.intensity.operations(size, &mut self.draw).max(least);
        let changes = changes(operations, &mut self.draw)?;
        let (text, edits) = apply(self.subject.text, changes)
            .map_err(|error| Refusal::Broken(error.to_string()))?;
        Ok(Damaged {
            text,
            edits,
            operations,
            candidates,
            unaltered: None,
        })
    }
}

impl Recipe {
    /// Damages a document. `seeded` gives the random draws for it under a name.
    ///
    /// # Errors
    /// When the document has not enough of what the manipulation changes.
    pub fn perform(&self, subject: &Subject<'_>, seeded: Seeded<'_>) -> Result<Damaged, Refusal> {
        self.settings.perform(&mut self.job(subject, seeded))
    }

    /// Damages a document once for each position of its settings, in their order; once, where there are none.
    ///
    /// # Errors
    /// When the document has not enough of what the manipulation changes.
    pub fn perform_each(
        &self,
        subject: &Subject<'_>,
        seeded: Seeded<'_>,
    ) -> Result<Vec<Damaged>, Refusal> {
        self.settings.perform_each(&mut self.job(subject, seeded))
    }

    fn job<'j>(&self, subject: &Subject<'j>, seeded: Seeded<'j>) -> Job<'j> {
        Job {
            subject: *subject,
            draw: seeded(&[self.manipulation().name()]),
            seeded,
            intensity: self.intensity.unwrap_or(Intensity::Count(1)),
        }
    }
}
