//! What stands for one element, read for itself.
//!
//! Must not know which element it is of.

use std::ops::Range;

use super::Item;
use crate::models::parse::agree::Asked;
use crate::models::parse::beside;
use crate::models::parse::form::Reading;
use crate::models::parse::value::{DOUBTS, Found, Value, has};
use crate::models::parse::visible::Visible;
use crate::models::parse::{Finish, Form, choice, json, likert};
use crate::models::score::{Outcome, Reason};

/// The longest label that ends a line, with marks around it, in bytes.
const LONGEST: usize = 80;

/// Whether a reading has a score.
pub(in crate::models::parse) fn is_scored(readings: &[Reading]) -> bool {
    readings
        .iter()
        .any(|reading| reading.outcome.score().is_some())
}

/// An item of these readings, without a name.
pub(super) fn item(readings: Vec<Reading>, span: Range<usize>) -> Item {
    Item {
        number: None,
        name: None,
        keyed: false,
        readings,
        fields: Vec::new(),
        span,
    }
}

/// Reads lines of the reply, but for the `masked` ones among them.
pub(super) fn text(
    asked: &Asked<'_>,
    place: Range<usize>,
    masked: &[Range<usize>],
) -> Vec<Reading> {
    let text = &asked.reply[place.clone()];
    let mut parts = Vec::new();
    let mut from = 0;
    for mask in masked {
        let start = mask.start.saturating_sub(place.start).min(text.len());
        if from < start {
            parts.push(from..start);
        }
        from = mask.end.saturating_sub(place.start).min(text.len());
    }
    if from < text.len() {
        parts.push(from..text.len());
    }
    let labels = !asked.scale.labels.is_empty();
    let answer = Visible {
        parts,
        ..Visible::default()
    };
    let mut readings = alone(asked, text, place.start, &answer, |asked| {
        let mut form = if labels {
            choice::read(asked)
        } else {
            likert::read(asked)
        };
        beside::explain(asked, &mut form);
        form
    });
    if let [reading] = &mut readings[..]
        && labels
        && reading.outcome.reason() == Some(&Reason::NoScoreFound)
        && let Some(part) = answer.parts.first()
        && let Some(found) = last_label(asked, &text[..part.end])
    {
        let found = found.shifted(place.start);
        reading.label = found.label(asked.scale);
        reading.outcome = found.outcome(asked.reply, asked.scale);
        reading.value = Some(found.span.clone());
        reading.span = Some(found.span);
    }
    readings
}

/// Reads an object of JSON, without the members that stand at `masked`: they name the element.
pub(in crate::models::parse) fn object(
    asked: &Asked<'_>,
    place: Range<usize>,
    masked: &[Range<usize>],
) -> Vec<Reading> {
    let mut bytes = asked.reply[place.clone()].to_owned();
    for mask in masked {
        let mask = mask.start - place.start..mask.end - place.start;
        bytes.replace_range(mask.clone(), &" ".repeat(mask.len()));
    }
    let answer = Visible {
        parts: std::iter::once(0..bytes.len()).collect(),
        ..Visible::default()
    };
    alone(asked, &bytes, place.start, &answer, json::read)
}

/// The reading of a single value of JSON on a metric.
pub(in crate::models::parse) fn value(
    asked: &Asked<'_>,
    metric: usize,
    found: Option<&Found>,
    span: Range<usize>,
) -> Reading {
    let none = Reading::without_score(asked.metrics.name(metric), Reason::NoScoreFound);
    match found {
        None => none,
        Some(found) => Reading {
            label: found.label(asked.scale),
            outcome: found.outcome(asked.reply, asked.scale),
            value: Some(found.span.clone()),
            span: Some(span),
            ..none
        },
    }
}

/// What a parser reads of a text that stands at `start` of the reply, as if it were all of it.
fn alone(
    asked: &Asked<'_>,
    text: &str,
    start: usize,
    answer: &Visible,
    read: impl Fn(&Asked<'_>) -> Form,
) -> Vec<Reading> {
    let last = asked.reply[(start + text.len()).min(asked.reply.len())..]
        .trim()
        .is_empty();
    let finish = if last { asked.finish } else { Finish::Stop };
    let what = (asked.metrics, asked.finals);
    let own = Asked::new((text, finish), answer, asked.scale, what);
    let shift = |span: Range<usize>| span.start + start..span.end + start;
    let readings = read(&own).readings.into_iter().map(|reading| Reading {
        span: reading.span.map(shift),
        value: reading.value.map(shift),
        ..reading
    });
    readings.collect()
}

/// The label that ends the first line behind a colon, a dash, an arrow or a question: `The date is given: yes`.
fn last_label(asked: &Asked<'_>, text: &str) -> Option<Found> {
    let line = text.split('\n').next()?.trim_end();
    let ends = |c: char| {
        matches!(
            c,
            ':' | '?' | '\u{2192}' | '\u{2014}' | '\u{2013}' | '\u{ff1a}' | '\u{ff1f}'
        )
    };
    let sign = line
        .rfind(ends)
        .map(|at| at + line[at..].chars().next().map_or(0, char::len_utf8));
    let two = |sign: &str| line.rfind(sign).map(|at| at + sign.len());
    let from = [sign, two("->"), two("=>"), two(" - ")]
        .into_iter()
        .flatten()
        .max()?;
    let said = &line[from..];
    if said.len() > LONGEST || !said.starts_with([' ', '*', '_', '`']) {
        return None;
    }
    let before = &line[..from];
    let mut words = before.split(|c: char| !c.is_alphabetic());
    if words.any(|word| has(&DOUBTS, word)) {
        return None;
    }
    let label = asked.scale.label(said)?;
    let at = asked
        .scale
        .labels
        .iter()
        .position(|one| one.name == label.name)?;
    let is_mark = |c: char| !c.is_alphanumeric();
    let start = from + said.len() - said.trim_start_matches(is_mark).len();
    let end = from + said.trim_end_matches(is_mark).len();
    Some(Found {
        value: Value::Label {
            label: at,
            value: label.value,
        },
        span: start..end,
    })
}

/// Whether a reading gives something in the place of a verdict: a score, a word that is none of the labels, several.
pub(super) fn says(reading: &Reading) -> bool {
    matches!(
        reading.outcome,
        Outcome::Scored(_) | Outcome::Unscored(Reason::OffScale(_) | Reason::Ambiguous(_))
    )
}
