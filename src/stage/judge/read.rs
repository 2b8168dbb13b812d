//! From an answer to a verdict per metric.

use super::expecting::Expects;
use super::{Judge, Verdict};
use crate::models::ask::{CallError, Reply};
use crate::models::parse::{Form, Reader};
use crate::stage::FAILED;
use crate::stage::asking::why_no_reply;

/// What one reply says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// A verdict per metric, in their order; where lists are judged, that on the row as a whole.
    pub verdicts: Vec<Verdict>,
    /// Where lists are judged, all that the reply says.
    pub form: Option<Form>,
    /// Of the verdicts, how many are on one element of a list, once they were put in its order.
    pub(super) each: Option<usize>,
}

impl Reading {
    /// The place of the element, from 1, that the verdict of this number is on.
    pub fn element(&self, verdict: usize) -> Option<usize> {
        let element = verdict.checked_div(self.each?)?;
        Some(element + 1)
    }

    /// Whether there is no reply since the call failed.
    pub(super) fn has_failed(&self) -> bool {
        let mut reasons = self.verdicts.iter().map(|verdict| verdict.outcome.reason());
        reasons.any(|reason| reason.is_some_and(|reason| reason.code() == FAILED))
    }
}

/// Reads one answer into scores.
pub(super) fn read_reply(
    reader: &Reader,
    expects: Option<&Expects>,
    judge: &Judge,
    reply: &Result<Reply, CallError>,
) -> Reading {
    let reason = match reply {
        Ok(reply) => {
            let thoughts = judge.model.thoughts();
            let form = reader.read(&reply.text, reply.finish, &judge.scale, thoughts);
            let list = judge.items.is_some().then(|| form.clone());
            let expectations = expects.map(|expects| expects.read(reply, &form.readings));
            let readings = form.readings.into_iter();
            let mut verdicts: Vec<Verdict> = readings
                .map(|reading| Verdict::of(reading, (&form.issues, form.spans.as_ref())))
                .collect();
            let expectations = expectations.into_iter().flatten();
            for (verdict, expectation) in verdicts.iter_mut().zip(expectations) {
                verdict.expect(expectation);
            }
            return Reading {
                verdicts,
                form: list,
                each: None,
            };
        }
        Err(error) => why_no_reply(error),
    };
    Reading {
        verdicts: vec![Verdict::without_score(reason); judge.metrics.len()],
        form: None,
        each: None,
    }
}
