//! The choice among the places of a reply.
//!
//! Must not know how places look (see `label`, `line` and `sentence`).

use std::ops::Range;

use super::label::{self, Reading as Text};
use super::place::{Place, Strength};
use super::quoted::Quoted;
use super::{line, sentence};
use crate::models::parse::form::why_none;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::offers::Offers;
use crate::models::parse::value::{is_whole, states_other};
use crate::models::parse::visible::{Visible, settled};
use crate::models::parse::{Finish, Form, MetricError, Reading, Thoughts};
use crate::models::score::Scale;

/// The highest scale on which number words count.
const TEN: f64 = 10.0;

/// Reads short replies with a fixed list of metrics.
///
/// Make one per list of metrics and use it for every reply, from any number of threads.
#[derive(Debug, Clone)]
pub struct Reader {
    metrics: Metrics,
}

impl Reader {
    /// Prepares to read these metrics. In a reply capitals do not matter, and blanks, `-` and
    /// `_` within a name stand for one another.
    ///
    /// # Errors
    /// [`MetricError`] for names that no reply could hold or that read the same.
    pub fn new(metrics: &[String]) -> Result<Self, MetricError> {
        let metrics = Metrics::new(metrics)?;
        Ok(Self { metrics })
    }

    /// Reads one reply, without its trailer (see [`super::super::trailer`]);
    /// `thoughts` are not part of the answer.
    pub fn read(&self, reply: &str, finish: Finish, scale: &Scale, thoughts: Thoughts<'_>) -> Form {
        settled(reply, finish, thoughts, &self.metrics, |answer| {
            self.answer(reply, answer, finish, scale)
        })
    }

    /// Reads what of a reply is answer.
    fn answer(&self, reply: &str, answer: &Visible, finish: Finish, scale: &Scale) -> Form {
        let mut places = self.places(reply, answer, finish, scale, false);
        if places.is_empty() && scale.max <= TEN {
            places = self.places(reply, answer, finish, scale, true);
        }
        let mut parts = answer.parts.iter();
        if !places.is_empty() && parts.any(|part| states_other(&reply[part.clone()], scale)) {
            for place in &mut places {
                place.found = place.found.clone().on_another_scale();
            }
        }
        let read = |(metric, name): (usize, &str)| {
            let of = || places.iter().filter(|place| place.metric == metric);
            let Some(strongest) = of().map(|place| place.strength).min() else {
                return Reading::without_score(name, why_none(reply, answer, finish));
            };
            let (mut best, mut others) = (Offers::default(), Offers::default());
            for place in of() {
                let offers = if place.strength == strongest {
                    &mut best
                } else {
                    &mut others
                };
                offers.add(place.found.clone(), place.start);
            }
            let Some((found, span)) = best.verdict() else {
                return Reading::without_score(name, why_none(reply, answer, finish));
            };
            Reading {
                metric: name.to_owned(),
                outcome: found.outcome(reply, scale),
                span: Some(span),
                contradicted: others.contradict(&found),
            }
        };
        Form {
            readings: self.metrics.names().enumerate().map(read).collect(),
            issues: Vec::new(),
        }
    }

    /// Every place with a value.
    fn places(
        &self,
        reply: &str,
        answer: &Visible,
        finish: Finish,
        scale: &Scale,
        words: bool,
    ) -> Vec<Place> {
        let alone = self.metrics.len() == 1;
        let mut places = Vec::new();
        let mut worded = false;
        for part in &answer.parts {
            let text = Text {
                text: &reply[..part.end],
                from: part.start,
                words,
                scale,
            };
            worded |= label::of_metrics(text, &self.metrics, &mut places);
            if alone {
                worded |= label::of_nobody(text, &mut places);
                let quoted = Quoted::of(text.part());
                sentence::given(text, &quoted, &mut places);
                if !words {
                    sentence::fractions(text, &quoted, &mut places);
                }
            }
        }
        if alone {
            for (line, beside) in ends(reply, answer) {
                let text = Text {
                    text: reply,
                    from: line.start,
                    words,
                    scale,
                };
                line::values(text, line, beside, &mut places);
            }
        }
        if finish == Finish::Length {
            places.retain(|place| is_whole(&place.found, reply, scale));
        }
        // Where the verdict is a word, a number without a label is something else.
        if worded {
            places.retain(|place| place.strength < Strength::Bare);
        }
        places
    }
}

/// The first and the last line of the answer that have a letter or digit, each with the line beside it
/// that has one too.
fn ends(reply: &str, answer: &Visible) -> Vec<(Range<usize>, Option<Range<usize>>)> {
    let mut first: Vec<Range<usize>> = Vec::with_capacity(2);
    let mut last: Option<(Range<usize>, Option<Range<usize>>)> = None;
    for part in &answer.parts {
        let mut start = part.start;
        for line in reply[part.clone()].split_inclusive('\n') {
            let text = line.trim_end();
            if text.contains(char::is_alphanumeric) {
                let range = start..start + text.len();
                if first.len() < 2 {
                    first.push(range.clone());
                }
                last = Some((range, last.map(|(line, _)| line)));
            }
            start += line.len();
        }
    }
    let mut first = first.into_iter();
    let first = first.next().zip(first.next());
    let first = first.map(|(line, beside)| (line, Some(beside)));
    first.into_iter().chain(last).collect()
}
