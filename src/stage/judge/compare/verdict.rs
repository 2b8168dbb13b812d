//! What a reply about a pair says of its contenders.

use std::cmp::Ordering;

use super::{CONTENDER, Compare, OPPONENT, ORDER, Order, SHOWN, TIE};
use crate::frame::{ColumnView, Frame, FrameError};
use crate::models::score::Outcome;
use crate::stage::judge::Verdict;

/// A choice between the two texts of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    /// How much of a win it is for the contender: 1, ½ or 0, or what a label between them is worth.
    pub(crate) score: f64,
    /// The contender that was chosen, or `tie`.
    pub(crate) choice: String,
    /// Where it stood: `first`, `second`, or `tie`.
    pub(crate) position: &'static str,
}

impl Chosen {
    /// A choice whose value is how much of a win it is for the text that was shown first.
    pub(super) fn of(value: f64, order: Order, contender: &str, opponent: &str) -> Self {
        let score = order.turned(value);
        let choice = among(score, [contender, opponent]);
        Self {
            score,
            choice: choice.to_owned(),
            position: among(value, SHOWN),
        }
    }
}

/// The one of two that wins, or neither.
fn among(value: f64, [one, other]: [&str; 2]) -> &str {
    match value.total_cmp(&0.5) {
        Ordering::Greater => one,
        Ordering::Less => other,
        Ordering::Equal => TIE,
    }
}

impl Order {
    /// The score of the contender where this is that of the text that was shown first.
    fn turned(self, value: f64) -> f64 {
        match self {
            Self::Given => value,
            Self::Swapped => 1.0 - value,
        }
    }
}

/// Who stood where in the prompts.
pub(crate) struct Placed<'f> {
    order: ColumnView<'f>,
    sides: [ColumnView<'f>; 2],
}

impl Compare {
    /// The score that is stored where a reply says this one, of texts that were shown in this order: the contender's, if
    /// replies choose one of the two.
    pub(crate) fn stored(&self, said: f64, order: &str) -> f64 {
        if self.chooses {
            Order::of(order).turned(said)
        } else {
            said
        }
    }

    /// Who stood where in the prompts about these rows, if replies choose one of the two.
    ///
    /// # Errors
    /// When the rows are not those of pairs.
    pub(crate) fn placed<'f>(&self, asked: &'f Frame) -> Result<Option<Placed<'f>>, FrameError> {
        if !self.chooses {
            return Ok(None);
        }
        Ok(Some(Placed {
            order: asked.column(ORDER)?,
            sides: [asked.column(CONTENDER)?, asked.column(OPPONENT)?],
        }))
    }
}

impl Placed<'_> {
    /// Makes a verdict about the text that was shown first one about the contender, and says who was chosen.
    pub(crate) fn turn(&self, verdict: &mut Verdict, row: usize) -> Option<Chosen> {
        let order = self.order.text(row).unwrap_or_default();
        verdict.written = verdict.written.map(|mark| Order::of(&order).turned(mark));
        let value = verdict.outcome.score()?;
        let [contender, opponent] = [0, 1].map(|at| self.sides[at].text(row).unwrap_or_default());
        let chosen = Chosen::of(value, Order::of(&order), &contender, &opponent);
        verdict.outcome = Outcome::Scored(chosen.score);
        Some(chosen)
    }
}
