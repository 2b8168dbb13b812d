//! From an answer to a verdict per metric.

use std::sync::Arc;

use super::expecting::Expects;
use super::{Replies, Verdict};
use crate::models::ask::{CallError, Reply};
use crate::models::parse::Form;
use crate::stage::FAILED;
use crate::stage::asking::why_no_reply;

/// What one reply says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// A verdict per metric, in their order; where lists are judged, that on the row as a whole.
    pub verdicts: Vec<Verdict>,
    /// Where lists are judged, all that the reply says.
    pub form: Option<Arc<Form>>,
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
    replies: &Replies,
    expects: Option<&Expects>,
    reply: &Result<Reply, CallError>,
) -> Reading {
    let judge = replies.judge();
    let reason = match reply {
        Ok(reply) => {
            let form = replies.read(&reply.text, reply.finish);
            let expectations = expects.map(|expects| expects.read(reply, &form.readings));
            let readings = form.readings.iter().cloned();
            let mut verdicts: Vec<Verdict> = readings
                .map(|reading| Verdict::of(reading, (&form.issues, form.spans.as_ref())))
                .collect();
            let expectations = expectations.into_iter().flatten();
            for (verdict, expectation) in verdicts.iter_mut().zip(expectations) {
                verdict.expect(expectation);
            }
            return Reading {
                verdicts,
                form: judge.items.is_some().then_some(form),
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
