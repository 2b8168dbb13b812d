//! How likely replies were, as columns of the stages that ask for them: `logprob` and `perplexity`.

use super::asking::{Answer, why_no_reply};
use super::{Columns, Holds, Reasons, reason_column};
use crate::base::failure::Failure;
use crate::base::wording::count;
use crate::frame::{ColumnData, Frame};
use crate::models::logprobs::{self, Likelihood};
use crate::models::parse::visible;
use crate::models::score::Reason;
use crate::models::spec::ModelSpec;

/// The columns.
pub(super) const LIKELIHOOD: [&str; 2] = ["logprob", "perplexity"];

/// How many reasons a warning gives.
const SHOWN: usize = 3;

/// How likely an answer was to its model, without thoughts; or why that is not known.
pub(crate) fn likelihood(answer: &Answer, model: &ModelSpec) -> Result<Likelihood, Reason> {
    let reply = answer.reply.as_ref().map_err(why_no_reply)?;
    if reply.text.trim().is_empty() {
        return Err(Reason::NoReply);
    }
    let visible = visible::visible(&reply.text, reply.finish, model.thoughts());
    if visible.unclosed {
        return Err(Reason::ThinkNotClosed);
    }
    let more = reply.thoughts.is_some();
    let placed = logprobs::placed(reply.logprobs.as_ref(), &reply.text, more);
    let read = placed.and_then(|(tokens, spans)| {
        logprobs::likelihood((&tokens, &spans), &reply.text, &visible.parts)
    });
    read.map_err(|why| Reason::NoLogprobs(why.0))
}

/// The names of the columns: as they are, or of the column that texts go into.
pub(super) fn names(into: Option<&str>) -> [String; 2] {
    LIKELIHOOD.map(|name| match into {
        Some(into) => format!("{into}_{name}"),
        None => name.to_owned(),
    })
}

/// Notes the columns.
pub(super) fn note(into: Option<&str>, columns: &mut Columns) {
    for name in names(into) {
        columns.set(&name, Holds::Numbers);
        columns.may_have(&reason_column(&name), Holds::Text);
    }
}

/// The cells of the columns, row by row.
#[derive(Default)]
pub(super) struct Likelihoods {
    cells: [Vec<Option<f64>>; 2],
    why: [Reasons; 2],
    /// How many replies there are, and why some have no log-probabilities to use.
    replies: usize,
    unusable: Vec<String>,
}

impl Likelihoods {
    /// The next answer, which so many rows are of; in words why nothing is known of it.
    pub(super) fn push(&mut self, found: &Result<Likelihood, String>, rows: usize) {
        let found = found.as_ref();
        let numbers = found.map(|found| [found.logprob, found.perplexity()]);
        for (at, (cells, why)) in self.cells.iter_mut().zip(&mut self.why).enumerate() {
            let cell = numbers.ok().map(|numbers| numbers[at]);
            for _ in 0..rows {
                cells.push(cell);
                why.push(found.err().cloned());
            }
        }
    }

    /// The likelihood of an answer for [`push`](Self::push); replies without log-probabilities are counted.
    pub(super) fn of(&mut self, answer: &Answer, model: &ModelSpec) -> Result<Likelihood, String> {
        let found = likelihood(answer, model);
        self.replies += usize::from(answer.reply.is_ok());
        if let Err(Reason::NoLogprobs(why)) = &found {
            self.unusable.push(why.clone());
        }
        found.map_err(|reason| reason.to_string())
    }

    /// What to warn of.
    pub(super) fn warning(&self) -> Option<String> {
        let without = self.unusable.len();
        let mut why = self.unusable.clone();
        why.sort_unstable();
        why.dedup();
        (without > 0).then(|| {
            let of = count(self.replies, "reply");
            let more = if why.len() > SHOWN { "; …" } else { "" };
            let why = &why[..why.len().min(SHOWN)];
            let why = why.join("; ");
            format!("no log-probabilities to use in {without} of {of}: {why}{more}")
        })
    }

    /// Adds the columns to a table.
    pub(super) fn add(self, mut frame: Frame, into: Option<&str>) -> Result<Frame, Failure> {
        for ((name, cells), why) in names(into).iter().zip(self.cells).zip(self.why) {
            frame = frame.with_column(name, ColumnData::Float(cells))?;
            frame = why.add(frame, name)?;
        }
        Ok(frame)
    }
}
