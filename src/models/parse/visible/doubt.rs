//! Verdicts between tags of which nothing is known: a draft, a quotation, or the answer itself.
//!
//! Such a verdict is not taken for the reply's, and not passed over where it says something else. Must not know how
//! verdicts are written.

use std::collections::BTreeMap;
use std::ops::Range;

use super::names::{is_answer_word, words};
use super::scan::{Syntax, Token, Turn};
use super::{Doubtful, Thoughts, Visible, visible};
use crate::models::parse::form::Reading;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::{Finish, Form, Item};
use crate::models::score::{Outcome, Reason};

/// Adds what stands between tags of one name in a region of a reply. What is only closed is taken for opened before the
/// region where an answer could follow; what is only opened is no more than a word in angle brackets.
pub(super) fn pairs<'t>(
    reply: &str,
    region: &Range<usize>,
    tokens: impl Iterator<Item = &'t Token<'t>>,
    found: &mut Vec<Doubtful>,
) {
    let mut open: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let tagged = [
        Syntax::Angle,
        Syntax::Bracket,
        Syntax::Triangle,
        Syntax::Bar,
        Syntax::Details,
    ];
    for token in tokens.filter(|token| !token.thought && tagged.contains(&token.syntax)) {
        let starts = open.entry(token.name.to_lowercase()).or_default();
        if token.turn == Turn::Open {
            starts.push(token.range.end);
            continue;
        }
        let answered = || !reply[token.range.end..region.end].trim().is_empty();
        let start = starts.pop().or_else(|| {
            let alone =
                matches!(token.syntax, Syntax::Angle | Syntax::Details) && token.name != "s";
            (alone && answered()).then_some(region.start)
        });
        let Some(start) = start else { continue };
        let range = start..token.range.start;
        // A model's tokens for the begin and the end of a text, left in the reply.
        let whole = |range: &Range<usize>| {
            let before = &reply[region.start..range.start];
            before.trim().eq_ignore_ascii_case("<s>") && !answered()
        };
        if !(token.name.eq_ignore_ascii_case("s") && whole(&range)) {
            let name = reply[token.range.clone()].find(token.name).unwrap_or(0) + token.range.start;
            found.push(Doubtful {
                name: name..name + token.name.len(),
                range,
            });
        }
    }
}

/// Reads the answer in a reply by `read`, and takes no verdict that depends on what an unknown tag means.
///
/// A verdict within such a tag has to be that of the rest of the answer, or the metric is ambiguous.
pub(in crate::models::parse) fn settled(
    reply: &str,
    finish: Finish,
    thoughts: Thoughts<'_>,
    metrics: &Metrics,
    read: impl Fn(&Visible) -> Form,
) -> Form {
    let answer = visible(reply, finish, thoughts);
    let mut form = read(&answer);
    let names_a_metric = |doubt: &Doubtful| {
        let mut name = words(&reply[doubt.name.clone()]);
        name.retain(|word| !is_answer_word(word));
        name.is_empty() || metrics.position(&name.join("_")).is_some()
    };
    let doubtful = answer
        .doubtful
        .iter()
        .filter(|doubt| !names_a_metric(doubt));
    let doubtful = outermost(doubtful.cloned().collect());
    if doubtful.is_empty() {
        return form;
    }
    if let Some(items) = &mut form.items
        && let Some(doubt) = doubtful.iter().find(|doubt| {
            let inside = |item: &Item| doubt.range.contains(&item.span.start);
            items.list.iter().any(inside)
        })
    {
        let name = format!("<{}>", &reply[doubt.name.clone()]);
        items.doubt = Some(Reason::Ambiguous(vec![name]));
    }
    let part = |range: &Range<usize>| Visible {
        parts: within(&answer.parts, range),
        ..Visible::default()
    };
    let inside: Vec<_> = doubtful
        .iter()
        .map(|doubt| read(&part(&doubt.range)))
        .collect();
    let mut outside = None;
    for (at, reading) in form.readings.iter_mut().enumerate() {
        let said = doubtful.iter().zip(&inside);
        let said: Vec<_> = said
            .map(|(doubt, form)| (doubt, &form.readings[at]))
            .filter(|(_, said)| is_verdict(said))
            .collect();
        let held = |place: &Range<usize>| {
            doubtful
                .iter()
                .find(|doubt| doubt.range.start < place.end && place.end <= doubt.range.end)
        };
        let holds = reading.span.as_ref().and_then(held);
        let rest = if holds.is_some() || !said.is_empty() {
            let outside = outside.get_or_insert_with(|| read(&without(&answer, &doubtful)));
            outside.readings[at].clone()
        } else {
            reading.clone()
        };
        let agrees =
            |(_, said): &(&Doubtful, &Reading)| said.outcome == rest.outcome && !said.contradicted;
        if is_verdict(&rest) && said.iter().all(agrees) {
            *reading = rest;
        } else if !said.is_empty() || (holds.is_some() && is_verdict(reading)) {
            let name = |doubt: &Doubtful| &reply[doubt.name.clone()];
            let mut offers: Vec<String> = said
                .iter()
                .map(|(doubt, said)| format!("<{}> {}", name(doubt), value(said)))
                .collect();
            if said.is_empty() {
                let name = holds.map(name).unwrap_or_default();
                offers.push(format!("<{name}> {}", value(reading)));
            }
            if is_verdict(&rest) {
                offers.push(value(&rest));
            }
            reading.outcome = Outcome::Unscored(Reason::Ambiguous(offers));
        }
    }
    form
}

/// Whether a reading is of something that could be the reply's verdict, on the scale or not.
fn is_verdict(reading: &Reading) -> bool {
    matches!(
        reading.outcome,
        Outcome::Scored(_) | Outcome::Unscored(Reason::OffScale(_) | Reason::Ambiguous(_))
    )
}

/// What a reading says, in few words.
fn value(reading: &Reading) -> String {
    match &reading.outcome {
        Outcome::Scored(score) => score.to_string(),
        Outcome::Unscored(reason) => reason.detail().unwrap_or_default(),
    }
}

/// Of parts that lie in one another the outer ones, in ascending order.
fn outermost(mut list: Vec<Doubtful>) -> Vec<Doubtful> {
    list.sort_by_key(|doubt| (doubt.range.start, std::cmp::Reverse(doubt.range.end)));
    let mut outer: Vec<Doubtful> = Vec::with_capacity(list.len());
    for doubt in list {
        match outer.last_mut() {
            Some(last) if doubt.range.start < last.range.end => {
                last.range.end = last.range.end.max(doubt.range.end);
            }
            _ => outer.push(doubt),
        }
    }
    outer
}

/// What of some parts lies in a range.
fn within(parts: &[Range<usize>], range: &Range<usize>) -> Vec<Range<usize>> {
    // Parts are in order: those before and behind are passed over without a look at each.
    let from = parts.partition_point(|part| part.end <= range.start);
    let touching = parts[from..]
        .iter()
        .take_while(|part| part.start < range.end);
    touching
        .map(|part| part.start.max(range.start)..part.end.min(range.end))
        .collect()
}

/// The answer without its doubtful parts.
fn without(answer: &Visible, doubtful: &[Doubtful]) -> Visible {
    let mut parts = Vec::new();
    let mut at = 0;
    let end = answer.parts.last().map_or(0, |part| part.end);
    for doubt in doubtful {
        parts.extend(within(&answer.parts, &(at..doubt.range.start)));
        at = doubt.range.end;
    }
    parts.extend(within(&answer.parts, &(at..end.max(at))));
    Visible {
        parts,
        ..Visible::default()
    }
}
