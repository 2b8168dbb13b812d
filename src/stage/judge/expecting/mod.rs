//! `score = "expected"`: a score that is the mean over the marks of the scale, weighted by the probabilities of their
//! tokens at the place of the verdict.

mod check;

use serde::Serialize;

pub(super) use self::check::{check, retry_cut};
use crate::base::failure::Failure;
use crate::models::ask::Reply;
use crate::models::logprobs::{Expectation, Marks, expected, placed, sole};
use crate::models::parse;
use crate::models::score::{Outcome, Reason, Scale};

/// How expectations are taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Expecting {
    /// The least probability that has to lie on the scale.
    pub min_mass: f64,
}

/// Takes the expectations of replies.
pub(super) struct Expects {
    how: Expecting,
    marks: Marks,
}

impl Expects {
    pub(super) fn new(how: Expecting, scale: &Scale) -> Result<Self, Failure> {
        let marks = Marks::of(scale).map_err(|why| Failure::new(why.to_string()))?;
        Ok(Self { how, marks })
    }

    /// The scores of a reply whose verdicts a parser found, in their order. Where it found no place of a verdict, its
    /// reason stands, unless the reply is one token: then that is the place.
    pub(super) fn read(&self, reply: &Reply, readings: &[parse::Reading]) -> Vec<Expectation> {
        let more = reply.thoughts.is_some();
        let read = placed(reply.logprobs.as_ref(), &reply.text, more);
        let of = |reading: &parse::Reading| {
            let place = match &reading.outcome {
                Outcome::Scored(_) | Outcome::Unscored(Reason::OffScale(_)) => {
                    reading.value.clone()
                }
                Outcome::Unscored(Reason::NoScoreFound | Reason::CutByLength) => {
                    let alone = read.as_ref().ok().filter(|_| readings.len() == 1);
                    alone.and_then(|(_, spans)| sole(spans, &reply.text))
                }
                Outcome::Unscored(_) => None,
            };
            let Some(place) = place else {
                return Expectation {
                    outcome: reading.outcome.clone(),
                    mass: None,
                };
            };
            match &read {
                Ok((tokens, spans)) => {
                    let least = self.how.min_mass;
                    expected((tokens, spans), &reply.text, &place, &self.marks, least)
                }
                Err(why) => Expectation::none(Reason::NoLogprobs(why.0.clone())),
            }
        };
        readings.iter().map(of).collect()
    }
}
