//! From blocks and the verdict beside them to a form.
//!
//! Must not know how blocks or verdicts are written (see `block` and `likert`).

use std::ops::Range;

use super::block::{Block, Blocks};
use crate::models::parse::agree::Asked;
use crate::models::parse::form::why_none;
use crate::models::parse::likert::{self, places};
use crate::models::parse::place::{Place, Strength};
use crate::models::parse::visible::Visible;
use crate::models::parse::{ErrorSpan, Form, Issue, Severity, json};
use crate::models::score::{Outcome, Reason};

/// Reads what of a reply is answer.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    if let Some(spans) = json::spans(asked) {
        let spans = spans.into_iter().map(Block::span).collect();
        return with_spans(json::read(asked), Some(spans));
    }
    let blocks = Blocks::of(asked.reply, &asked.answer.parts, asked.metrics);
    let beside = Visible {
        parts: without(&asked.answer.parts, &blocks.masked),
        unclosed: asked.answer.unclosed,
        ..Visible::default()
    };
    let mut form = likert::read(&asked.of(&beside));
    for reading in &mut form.readings {
        // A reply of blocks alone is not empty.
        if reading.outcome.reason() == Some(&Reason::NoReply) {
            let why = why_none(asked.reply, asked.answer, asked.finish);
            reading.outcome = Outcome::Unscored(why);
        }
    }
    hear(asked, &blocks.masked, &mut form);
    explain(asked, &blocks, &mut form);
    let said = blocks.none || !blocks.spans.is_empty();
    with_spans(form, said.then_some(blocks.spans))
}

/// The form with errors, each of which is an issue.
fn with_spans(form: Form, spans: Option<Vec<ErrorSpan>>) -> Form {
    let issues = spans.iter().flatten().map(ErrorSpan::issue).collect();
    Form {
        issues,
        spans,
        ..form
    }
}

impl ErrorSpan {
    /// The error in words.
    fn issue(&self) -> Issue {
        let location = self
            .location
            .as_ref()
            .map(|text| format!("\u{201c}{text}\u{201d}"));
        let mut text: Vec<String> = location
            .into_iter()
            .chain(self.explanation.clone())
            .collect();
        if text.is_empty() {
            text.extend(self.category.clone());
        }
        let severity = match &self.severity {
            Severity::Number(number) => format!(" (severity {number})"),
            Severity::Word(word) => format!(" ({word})"),
            Severity::None => String::new(),
        };
        Issue {
            metric: None,
            label: self.category.clone(),
            text: format!("{}{severity}", text.join(": ")),
            span: self.span.clone(),
        }
    }
}

/// The parts of an answer without what is about no verdict.
fn without(parts: &[Range<usize>], masked: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::new();
    let mut masked = masked.iter().peekable();
    for part in parts {
        let mut start = part.start;
        while let Some(mask) = masked.next_if(|mask| mask.start < part.end) {
            if start < mask.start {
                left.push(start..mask.start);
            }
            start = mask.end.min(part.end);
        }
        if start < part.end {
            left.push(start..part.end);
        }
    }
    left
}

/// Holds scores against the strongest places in what was left out: an object of JSON, marks, a last score by its name.
fn hear(asked: &Asked<'_>, masked: &[Range<usize>], form: &mut Form) {
    if masked.is_empty()
        || form
            .readings
            .iter()
            .all(|reading| reading.outcome.score().is_none())
    {
        return;
    }
    let within = |place: &Place| {
        let at = masked.partition_point(|mask| mask.end <= place.start);
        masked.get(at).is_some_and(|mask| mask.start <= place.start)
    };
    let strong = places(asked, false);
    let strong = strong
        .iter()
        .filter(|place| place.strength <= Strength::FinalMetric && within(place));
    let mut others: Vec<(usize, Range<usize>, Outcome)> = strong
        .map(|place| {
            let outcome = place.found.outcome(asked.reply, asked.scale);
            (place.metric, place.found.span.clone(), outcome)
        })
        .collect();
    for (metric, said) in asked.objects().verdicts().enumerate() {
        if let Some(found) = said.and_then(|said| said.found.as_ref()) {
            let outcome = found.outcome(asked.reply, asked.scale);
            others.push((metric, found.span.clone(), outcome));
        }
    }
    for (metric, place, other) in others {
        let reading = &mut form.readings[metric];
        let (Some(score), Some(other)) = (reading.outcome.score(), other.score()) else {
            continue;
        };
        if score.total_cmp(&other).is_ne() {
            let own = reading.span.clone().unwrap_or_default();
            let texts = [own, place].map(|span| asked.reply[span].to_owned());
            reading.outcome = Outcome::Unscored(Reason::Ambiguous(texts.to_vec()));
            reading.label = None;
            reading.contradicted = true;
        }
    }
}

/// Hands each reading the reasons that stand behind its verdict; those of a verdict that names no metric belong to the
/// only one.
fn explain(asked: &Asked<'_>, blocks: &Blocks, form: &mut Form) {
    for (verdict, place) in &blocks.reasons {
        let key = verdict
            .as_ref()
            .map_or("", |line| &asked.reply[line.clone()]);
        let named = asked.metrics.mentions(key).next().map(|(metric, _)| metric);
        let alone = (asked.metrics.len() == 1).then_some(0);
        let Some(metric) = named.or(alone) else {
            continue;
        };
        let text = asked.reply[place.clone()]
            .trim()
            .trim_end_matches("```")
            .trim_end();
        if !text.is_empty() {
            // Of a form that is written anew the last counts, as of its errors.
            form.readings[metric].explanation = Some(text.to_owned());
        }
    }
}
