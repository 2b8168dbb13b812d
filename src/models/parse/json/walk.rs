//! What one object says about each metric.
//!
//! Must not compare objects with one another.

use std::sync::LazyLock;

use regex::Regex;

use super::foreign::subject;
use super::key::{Key, has_other_scale, is_one_of};
use super::keys::Keys;
use super::tally::{self, Naming, Saying};
use super::tree::{Member, Node, Object};
use super::value::{Said, said};
use crate::models::parse::agree::{Asked, Verdict};
use crate::models::parse::value::{Found, has, is_given_anew, is_other_scale, takes_back};
use crate::models::score::Scale;

/// How many objects deep below the top a metric may stand.
pub(super) const LEVELS: usize = 2;

/// Keys of which `true` says that a score beside them is none.
const DISOWNING: [&str; 5] = ["dummy", "invalid", "placeholder", "refused", "withdrawn"];

/// Keys of remarks on what stands beside them.
const REMARKS: [&str; 8] = [
    "comment",
    "comments",
    "disclaimer",
    "info",
    "note",
    "notes",
    "remark",
    "warning",
];

/// A remark that says of the scores beside it that they are no verdict: `sample output only`.
static SAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\W*(?:(?:this|these|it|they|the|scores?|values?|is|are|only|just|merely|an?)\s+)*(?:dummy|examples?|fake|illustrative|made[\s-]up|samples?)(?:\s+(?:answers?|json|numbers?|only|output|ratings?|response|scores?|values?|verdicts?)\b|\W*$)",
    )
    .expect("the pattern is a constant")
});

/// Words of an error that say that there is no verdict.
const FAILING: [&str; 10] = [
    "cannot",
    "empty",
    "failed",
    "invalid",
    "missing",
    "no",
    "not",
    "true",
    "unable",
    "unavailable",
];

/// Kinds of objects that hold no verdict.
const VOID: [&str; 9] = [
    "draft",
    "dummy",
    "error",
    "example",
    "failed",
    "placeholder",
    "sample",
    "template",
    "test",
];

/// Words of keys under which the verdict stands, whatever it is on.
const OWN: [&str; 15] = [
    "adjusted",
    "answer",
    "choice",
    "corrected",
    "correction",
    "final",
    "grade",
    "label",
    "preference",
    "rating",
    "revised",
    "score",
    "updated",
    "verdict",
    "winner",
];

/// The longest remark that is read whatever it says, in bytes; longer ones tell what the text is about.
const REMARK: usize = 120;

/// The walk through one object.
struct Walk<'w> {
    asked: &'w Asked<'w>,
    sayings: Vec<Saying>,
}

/// What the object says about each metric, in their order.
pub(super) fn verdicts(asked: &Asked<'_>, object: &Object) -> Vec<Option<(Verdict, Naming)>> {
    let mut walk = Walk {
        asked,
        sayings: Vec::new(),
    };
    walk.object(object, 0);
    tally::verdicts(walk.sayings, asked.metrics.len())
}

impl Walk<'_> {
    fn object(&mut self, object: &Object, level: usize) {
        let (subject, names) = subject(self.asked, object);
        let alone = level == 0 && self.asked.metrics.len() == 1 && !names;
        let from = self.sayings.len();
        for member in &object.members {
            let key = Keys::of(self.asked, member);
            let start = member.key.start;
            match (key, &member.value) {
                (Key::Metric(metric), Node::Object(own)) => {
                    if !self.own(metric, own, start, level) {
                        self.below(&member.value, level);
                    }
                }
                (Key::Metric(metric), Node::Array(entries))
                    if matches!(entries[..], [Node::Object(_)]) =>
                {
                    if let [Node::Object(own)] = &entries[..] {
                        self.own(metric, own, start, level);
                    }
                }
                (Key::Metric(metric), value) => {
                    self.add(metric, value, start, (Naming::Named, level));
                }
                // The final verdict of an object that names one metric or none is that on the metric.
                (Key::Final, value) if alone && !matches!(value, Node::Object(_)) => {
                    self.add(0, value, start, (Naming::Named, level));
                }
                (Key::Value, Node::Object(_)) | (Key::Other | Key::Name | Key::Final, _) => {
                    let below = self.sayings.len();
                    self.below(&member.value, level);
                    let raw = &self.asked.reply[member.key.clone()];
                    if key == Key::Other
                        && self.sayings.len() > below
                        && !Key::holds_verdicts(raw, self.asked.metrics)
                    {
                        // What is corrected below does not stand above either.
                        let changed = Key::may_change(raw, false);
                        self.unclear(if changed { from } else { below });
                    }
                }
                (Key::Value, value) => match subject {
                    Some((metric, named)) => {
                        self.add(metric, value, start.min(named), (Naming::Named, level));
                    }
                    None if alone => {
                        self.add(0, value, start, (Naming::Unnamed, level));
                    }
                    None => {}
                },
                (Key::Issues(_) | Key::Foreign | Key::Scale, _) => {}
            }
        }
        self.doubt(object, from);
    }

    /// Makes the numbers from the one at `from` on unclear if the object states another scale than the one that is
    /// asked for.
    fn doubt(&mut self, object: &Object, from: usize) {
        if self.sayings.len() == from {
            return;
        }
        let changed = |member: &Member| {
            let key = Keys::of(self.asked, member);
            (key == Key::Scale && is_another_scale(self.asked, &member.value))
                || self.changes(key, member)
        };
        if object.members.iter().any(changed)
            || self.is_contradicted(object, from)
            || self.is_taken_back(object, from)
        {
            self.unclear(from);
        }
    }

    /// Whether another member gives another number as the verdict: `{"overall": 4, "score": 2}`.
    fn is_contradicted(&self, object: &Object, from: usize) -> bool {
        let Asked { reply, scale, .. } = *self.asked;
        // A metric called `overall` and a bare `score` are both of the whole: then the one with the name is held against
        // the other, whichever stands first.
        let mut scores = self.sayings[from..]
            .iter()
            .filter_map(|saying| match &saying.said {
                Said::Score(found) => Some((saying.naming, saying.level, found.value()?)),
                Said::None => None,
            });
        let name = self.asked.metrics.names().next().unwrap_or_default();
        let own = if name.to_ascii_lowercase().contains("overall") {
            scores.min_by_key(|(naming, level, _)| (*naming, *level))
        } else {
            scores.next()
        };
        let own = own.map(|(.., value)| value);
        let (Some(own), 1, true) = (own, self.asked.metrics.len(), scale.labels.is_empty()) else {
            return false;
        };
        object.members.iter().any(|member| {
            let (Node::Text(span) | Node::Bare(span)) = &member.value else {
                return false;
            };
            let other = number(reply[span.clone()].trim());
            other.is_some_and(|other| scale.contains(other) && other.total_cmp(&own).is_ne())
                && !matches!(Keys::of(self.asked, member), Key::Metric(_))
                && Key::is_made_of(&reply[member.key.clone()], &OWN)
        })
    }

    /// Whether a remark behind a score takes it back: `"note": "should be 3 on reflection"`.
    fn is_taken_back(&self, object: &Object, from: usize) -> bool {
        let Asked { reply, scale, .. } = *self.asked;
        let score = self.sayings[from..]
            .iter()
            .find_map(|saying| match &saying.said {
                Said::Score(found) => Some((found.value()?, saying.span.end)),
                Said::None => None,
            });
        let Some((value, end)) = score else {
            return false;
        };
        object.members.iter().any(|member| {
            let Node::Text(span) = &member.value else {
                return false;
            };
            let text = &reply[span.clone()];
            span.start > end
                && is_said(text)
                && (text.len() <= REMARK || text.contains(|c: char| c.is_ascii_digit()))
                && Keys::of(self.asked, member) == Key::Other
                && (takes_back(text, value, scale)
                    || is_given_anew(text, value, scale, self.asked.metrics.len() == 1))
        })
    }

    /// Makes the numbers from the one at `from` on unclear.
    fn unclear(&mut self, from: usize) {
        for saying in &mut self.sayings[from..] {
            if let Said::Score(found) = &mut saying.said
                && found.value().is_some()
            {
                *found = Found::unclear(found.span.clone());
            }
        }
    }

    /// Whether a member beside a score says that this is changed, counted in something else, or none.
    fn changes(&self, key: Key, member: &Member) -> bool {
        let raw = &self.asked.reply[member.key.clone()];
        let (Node::Text(span) | Node::Bare(span)) = &member.value else {
            return false;
        };
        let text = self.asked.reply[span.clone()].trim();
        match key {
            Key::Other => match number(text) {
                // Beside a label no number changes it.
                Some(_) if !self.asked.scale.labels.is_empty() => false,
                Some(number) => Key::may_change(raw, may_shift(number, self.asked.scale)),
                None if text.contains("placeholder") => true,
                None if is_one_of(raw, &REMARKS) && SAMPLE.is_match(text) => true,
                None if is_one_of(raw, &DISOWNING) => is_one_of(text, &["true", "yes"]),
                None if is_one_of(raw, &["kind", "status", "type"]) => has(&VOID, text),
                None if is_one_of(raw, &["valid", "final", "is_final"]) => {
                    is_one_of(text, &["false", "no"])
                }
                None => {
                    let unit = is_one_of(raw, &["unit", "units"])
                        && !is_one_of(text, &["point", "points"]);
                    unit || is_one_of(
                        text,
                        &[
                            "declined",
                            "invalid",
                            "pending",
                            "refused",
                            "refusal",
                            "withdrawn",
                        ],
                    )
                }
            },
            Key::Final if is_one_of(raw, &["final"]) => is_one_of(text, &["false", "no"]),
            Key::Foreign if is_one_of(raw, &["error"]) => {
                let mut words = text.split(|c: char| !c.is_alphabetic());
                words.any(|word| has(&FAILING, word))
            }
            Key::Foreign => matches!(&member.value, Node::Bare(_)) && is_one_of(text, &["true"]),
            _ => false,
        }
    }

    /// Goes on in the objects of a value.
    fn below(&mut self, value: &Node, level: usize) {
        if level == LEVELS {
            return;
        }
        match value {
            Node::Object(object) => self.object(object, level + 1),
            Node::Array(entries) => {
                let from = self.sayings.len();
                let mut ends = Vec::with_capacity(entries.len());
                for entry in entries {
                    if let Node::Object(object) = entry {
                        self.object(object, level + 1);
                        ends.push(self.sayings.len());
                    }
                }
                self.lower(from, &ends);
            }
            Node::Text(_) | Node::Bare(_) => {}
        }
    }

    /// Puts the metrics of which several entries of an array speak one level lower: such entries are
    /// sections, and the whole may stand beside their array. Those of each entry end at one of `ends`.
    fn lower(&mut self, from: usize, ends: &[usize]) {
        if ends.len() < 2 || self.sayings.len() - from < 2 {
            return;
        }
        // Per metric the entry that spoke of it first, and whether another one did.
        let mut speakers: Vec<Option<(usize, bool)>> = vec![None; self.asked.metrics.len()];
        let mut start = from;
        for (entry, &end) in ends.iter().enumerate() {
            for saying in &self.sayings[start..end] {
                let (first, several) = speakers[saying.metric].get_or_insert((entry, false));
                *several |= *first != entry;
            }
            start = end;
        }
        for saying in &mut self.sayings[from..] {
            if speakers[saying.metric].is_some_and(|(_, several)| several) {
                saying.level += 1;
            }
        }
    }

    /// Takes the score out of a metric's own object; says whether there was one.
    fn own(&mut self, metric: usize, own: &Object, start: usize, level: usize) -> bool {
        let mut any = false;
        let from = self.sayings.len();
        for member in &own.members {
            let raw = &self.asked.reply[member.key.clone()];
            let is_own = Keys::of(self.asked, member).is_own_score(raw, metric);
            any |= is_own && self.add(metric, &member.value, start, (Naming::Named, level));
        }
        // Beside its score a metric has no other number, unless it is known what for.
        let other = |member: &Member| {
            let raw = &self.asked.reply[member.key.clone()];
            let (Node::Text(span) | Node::Bare(span)) = &member.value else {
                return false;
            };
            let number: Option<f64> = self.asked.reply[span.clone()].trim().parse().ok();
            Keys::of(self.asked, member) == Key::Other
                && self.asked.scale.labels.is_empty()
                && number.is_some_and(|number| number.total_cmp(&self.asked.scale.max).is_ne())
                && Key::may_change(raw, true)
        };
        // `"score": "n/a", "value": 4`
        let none = self.sayings[from..]
            .iter()
            .any(|saying| saying.said == Said::None);
        if any && (none || own.members.iter().any(other)) {
            self.unclear(from);
        }
        self.doubt(own, from);
        any
    }

    /// Notes what a value says; says whether that is anything.
    fn add(
        &mut self,
        metric: usize,
        value: &Node,
        start: usize,
        (naming, level): (Naming, usize),
    ) -> bool {
        let (Node::Text(span) | Node::Bare(span)) = value else {
            return false;
        };
        let Some(mut said) = said(self.asked.reply, value, self.asked.scale) else {
            return false;
        };
        // The key is the first string behind `start`.
        let key = self.asked.reply[start..span.start].split(':').next();
        if key.is_some_and(|key| has_other_scale(key, self.asked.scale))
            && let Said::Score(found) = said
        {
            said = Said::Score(found.on_another_scale());
        }
        self.sayings.push(Saying {
            metric,
            said,
            naming,
            level,
            span: start..span.end,
        });
        true
    }
}

/// Whether a value is another scale, or its top.
pub(super) fn is_another_scale(asked: &Asked<'_>, value: &Node) -> bool {
    match value {
        Node::Text(span) | Node::Bare(span) => {
            is_other_scale(&asked.reply[span.clone()], asked.scale)
        }
        Node::Object(object) => is_other_scale(&asked.reply[object.span.clone()], asked.scale),
        Node::Array(entries) => {
            let last = entries.last();
            last.is_some_and(|last| is_another_scale(asked, last))
        }
    }
}

/// Whether a number off a scale could be the top of another one, or what is taken off a score.
fn may_shift(number: f64, scale: &Scale) -> bool {
    const HALF: f64 = 0.5;
    const SHORT: f64 = 12.0;
    const STEP: f64 = 5.0;
    const LONGEST: f64 = 1000.0;
    let multiple = |of: f64| (number / of).fract() == 0.0;
    let top = number > scale.max && (number <= SHORT && multiple(1.0) || multiple(STEP));
    let less = number < 0.0 && number >= -scale.max && multiple(HALF);
    (top && number <= LONGEST) || less
}

/// The number that a text is.
fn number(text: &str) -> Option<f64> {
    let begins = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    begins.then(|| text.parse().ok()).flatten()
}

/// Whether a text has a word: a number alone is the value of another property.
fn is_said(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.chars().nth(1).is_some())
}
