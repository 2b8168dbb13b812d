//! Whether the verdicts agree that a reply gives in several forms: in objects, in marks, behind labels, in prose.
//!
//! Every parser asks here before it gives a number, so that no two of them give different ones: a verdict stands only
//! where every stronger place, in whatever form, says the same; else it is ambiguous. What objects say is stronger than
//! all else. Must not look for places itself.

use std::cell::OnceCell;
use std::ops::Range;

use super::form::{Reading, why_none};
use super::json::{Keys, Objects, Paths};
use super::metrics::Metrics;
use super::offers::Offers;
use super::place::{Place, Strength};
use super::surroundings::{Surroundings, on_another_scale};
use super::value::{Found, Value, states_other};
use super::visible::Visible;
use super::{Finals, Finish};
use crate::models::score::{Outcome, Reason, Scale};

/// What of a reply is read, and for what.
#[derive(Debug)]
pub(super) struct Asked<'r> {
    pub(super) reply: &'r str,
    pub(super) answer: &'r Visible,
    pub(super) finish: Finish,
    pub(super) scale: &'r Scale,
    pub(super) metrics: &'r Metrics,
    pub(super) finals: Finals,
    /// Where verdicts stand, if that is known beforehand.
    pub(super) paths: Option<&'r Paths>,
    objects: OnceCell<Objects>,
    /// The keys of its objects.
    pub(super) keys: Keys,
}

impl<'r> Asked<'r> {
    pub(super) fn new(
        (reply, finish): (&'r str, Finish),
        answer: &'r Visible,
        scale: &'r Scale,
        (metrics, finals): (&'r Metrics, Finals),
    ) -> Self {
        Self {
            reply,
            answer,
            finish,
            scale,
            metrics,
            finals,
            paths: None,
            objects: OnceCell::new(),
            keys: Keys::default(),
        }
    }

    /// The same for a part of the answer.
    pub(super) fn of(&self, answer: &'r Visible) -> Self {
        let what = (self.metrics, self.finals);
        Self::new((self.reply, self.finish), answer, self.scale, what)
    }

    /// The objects in the answer: looked for once, and only where something depends on them.
    pub(super) fn objects(&self) -> &Objects {
        self.objects.get_or_init(|| Objects::of(self))
    }

    /// The object in which a place stands.
    pub(super) fn object_at(&self, place: usize) -> Option<Range<usize>> {
        memchr::memrchr(b'{', &self.reply.as_bytes()[..=place])?;
        self.objects().at(place)
    }
}

/// What a parser takes for the verdict on a metric.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    /// The value; `None` where the reply says that there is none.
    pub(super) found: Option<Found>,
    /// Where label and value stand.
    pub(super) span: Range<usize>,
    pub(super) strength: Strength,
    pub(super) contradicted: bool,
}

impl Verdict {
    /// The same for a place behind it, which may take its number back.
    pub(super) fn hear_later(&mut self, other: &Found, start: usize) {
        if start >= self.span.end && other.value().is_some() {
            self.hear(other, start);
        }
    }

    /// Makes a verdict ambiguous if it is a number and another place says something else.
    pub(super) fn hear(&mut self, other: &Found, start: usize) {
        if let Some(found) = self.found.as_mut().filter(|found| found.value().is_some())
            && found.differs(other)
        {
            let mut offers = Offers::default();
            offers.add(found.clone(), self.span.start);
            offers.add(other.clone(), start);
            self.contradicted = true;
            if let Some((found, span)) = offers.verdict() {
                (self.found, self.span) = (Some(found), span);
            }
        }
    }
}

/// Holds verdicts in prose against what objects say.
pub(super) fn with_objects(asked: &Asked<'_>, verdicts: &mut [Option<Verdict>]) {
    if verdicts.iter().all(Option::is_none) {
        return;
    }
    for (verdict, said) in verdicts.iter_mut().zip(asked.objects().verdicts()) {
        if let (Some(verdict), Some(said)) = (verdict, said)
            && let Some(found) = &said.found
        {
            verdict.hear(found, said.span.start);
        }
    }
}

/// Holds verdicts against the places that are stronger; what is not understood there does not count.
pub(super) fn with_stronger(verdicts: &mut [Option<Verdict>], places: &[Place]) {
    let understood = |place: &&Place| !matches!(place.found.value, Value::Several(_));
    for place in places.iter().filter(understood) {
        if let Some(verdict) = &mut verdicts[place.metric]
            && place.strength < verdict.strength
        {
            verdict.hear(&place.found, place.start);
        }
    }
}

/// Whether nothing but marks and words for a score stands before a label on its line.
fn begins_line(reply: &str, at: usize) -> bool {
    let line = reply[..at].rsplit('\n').next().unwrap_or_default();
    line.len() <= 24 && !line.contains(['(', '.', ','])
}

/// How far behind a verdict the label of a metric alone belongs to it and not to another section, in bytes.
const SAME_FORM: usize = 200;

/// Holds verdicts against the places behind them, of whatever kind.
pub(super) fn with_later(reply: &str, verdicts: &mut [Option<Verdict>], places: &[Place]) {
    for place in places {
        if let Some(verdict) = &mut verdicts[place.metric]
            && place.strength != verdict.strength
            && place.strength != Strength::Bare
            && (place.strength < Strength::Metric || place.start <= verdict.span.end + SAME_FORM)
            && (place.strength < Strength::Label || begins_line(reply, place.start))
        {
            verdict.hear_later(&place.found, place.start);
        }
    }
}

/// The readings that verdicts come to.
pub(super) fn readings(asked: &Asked<'_>, verdicts: Vec<Option<Verdict>>) -> Vec<Reading> {
    let reply = asked.reply;
    let mut parts = asked.answer.parts.iter();
    let other_scale = verdicts.iter().any(Option::is_some)
        && parts.any(|part| states_other(&reply[part.clone()], asked.scale));
    let other_scale = other_scale || on_another_scale(asked, verdicts.iter().flatten());
    let read = |(name, verdict): (&str, Option<Verdict>)| {
        let Some(verdict) = verdict else {
            return Reading::without_score(name, why_none(reply, asked.answer, asked.finish));
        };
        let surroundings = Surroundings::of(asked, &verdict);
        let found = verdict
            .found
            .map(|found| surroundings.judge(found, other_scale));
        let label = found.as_ref().and_then(|found| found.label(asked.scale));
        let none = || Outcome::Unscored(Reason::NoScoreFound);
        Reading {
            metric: name.to_owned(),
            value: found.as_ref().map(|found| found.span.clone()),
            outcome: found.map_or_else(none, |found| found.outcome(reply, asked.scale)),
            label,
            explanation: None,
            span: Some(verdict.span),
            contradicted: verdict.contradicted,
        }
    };
    asked.metrics.names().zip(verdicts).map(read).collect()
}
