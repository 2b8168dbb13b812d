//! The issues that an object lists.
//!
//! Repetitions are kept, as in every form. What is about a metric that is not asked for is dropped. Must not judge whether an issue is right.

use std::ops::Range;

use super::foreign::subject;
use super::key::{Key, is_one_of};
use super::keys::Keys;
use super::text::decode;
use super::tree::{Member, Node, Object};
use super::walk::LEVELS;
use crate::models::parse::Issue;
use crate::models::parse::agree::Asked;
use crate::models::parse::evaluation_form::bullet::{self, Writing};

/// Keys of an issue's label.
const LABELS: [&str; 3] = ["label", "type", "category"];

/// Keys of the texts of an issue.
const TEXTS: [&str; 8] = [
    "text",
    "description",
    "explanation",
    "quote",
    "span",
    "issue",
    "error",
    "problem",
];

/// Appends the issues of an object.
pub(super) fn collect(asked: &Asked<'_>, object: &Object, found: &mut Vec<Issue>) {
    let mut walk = Walk { asked, found };
    walk.object(object, None, 0);
}

/// The walk through one object.
struct Walk<'w> {
    asked: &'w Asked<'w>,
    found: &'w mut Vec<Issue>,
}

impl Walk<'_> {
    /// Goes through an object that is about this metric, if about any.
    fn object(&mut self, object: &Object, about: Option<usize>, level: usize) {
        if self.is_foreign(object) {
            return;
        }
        let (subject, _) = subject(self.asked, object);
        let about = subject.map(|(metric, _)| metric).or(about);
        let beside = self.names_metrics(object);
        for member in &object.members {
            let (about, lists) = match self.key(member) {
                Key::Issues(metric) => (metric.or(about), true),
                Key::Metric(metric) => (Some(metric), false),
                _ => (about, false),
            };
            match &member.value {
                value if lists => self.list(value, about, None),
                // A metric that is not asked for, beside one that is.
                Node::Object(below)
                    if beside && self.key(member).is_unknown() && self.scores(below) => {}
                // A metric's own object is no level of its own.
                Node::Object(below) if level < LEVELS || about.is_some() && level == LEVELS => {
                    self.object(below, about, level + 1);
                }
                Node::Array(entries) if level < LEVELS => {
                    for entry in entries {
                        if let Node::Object(below) = entry {
                            self.object(below, about, level + 1);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn key(&self, member: &Member) -> Key {
        Keys::of(self.asked, member)
    }

    /// Reads a list of issues, or one alone. In an object the keys may be metrics, or labels, each with
    /// its own list.
    fn list(&mut self, value: &Node, about: Option<usize>, label: Option<&str>) {
        match value {
            Node::Array(entries) => {
                for entry in entries {
                    self.entry(entry, about, label);
                }
            }
            Node::Object(object) if self.has_lists(object) => {
                let by_metric = self.names_metrics(object);
                for member in &object.members {
                    match self.key(member) {
                        Key::Metric(metric) | Key::Issues(Some(metric)) => {
                            self.list(&member.value, Some(metric), label);
                        }
                        _ if matches!(member.value, Node::Array(_)) => {
                            let key = decode(&self.asked.reply[member.key.clone()]);
                            // Where keys are metrics, another is a metric that is not asked for.
                            if by_metric && !key.trim_start().starts_with('[') {
                                continue;
                            }
                            let key =
                                key.trim_matches(|c: char| c.is_whitespace() || "[]".contains(c));
                            self.list(&member.value, about, Some(key));
                        }
                        _ => {}
                    }
                }
            }
            value => self.entry(value, about, label),
        }
    }

    /// Whether a key names a metric that is asked for.
    fn names_metrics(&self, object: &Object) -> bool {
        let named = |member| matches!(self.key(member), Key::Metric(_) | Key::Issues(Some(_)));
        object.members.iter().any(named)
    }

    /// Whether an object has a score of its own.
    fn scores(&self, object: &Object) -> bool {
        object
            .members
            .iter()
            .any(|member| self.key(member) == Key::Value)
    }

    /// Whether an object says that it is about a metric that is not asked for.
    fn is_foreign(&self, object: &Object) -> bool {
        let (subject, names) = subject(self.asked, object);
        let keys: &[&str] = if self.scores(object) {
            &["metric", "aspect", "criterion", "dimension", "name"]
        } else {
            // An issue may well have another aspect, or a name of its own.
            &["metric"]
        };
        let asked = |name: &String| self.asked.metrics.mentions(name).next().is_some();
        subject.is_none() && names && self.strings(object, keys).iter().any(|name| !asked(name))
    }

    /// Whether an object holds lists of issues rather than being one.
    fn has_lists(&self, object: &Object) -> bool {
        let arrays = |member: &Member| matches!(member.value, Node::Array(_));
        (self.names_metrics(object) || object.members.iter().any(arrays))
            && self.strings(object, &TEXTS).is_empty()
    }

    /// Reads one issue, labelled by its list unless it has a label of its own.
    fn entry(&mut self, entry: &Node, about: Option<usize>, label: Option<&str>) {
        match entry {
            Node::Text(span) => {
                let text = decode(&self.asked.reply[span.clone()]);
                if text.contains(char::is_alphanumeric) {
                    self.written(label, &text, about, span);
                }
            }
            Node::Object(object) if self.is_foreign(object) => {}
            Node::Object(object) => {
                let (subject, _) = subject(self.asked, object);
                let about = subject.map(|(metric, _)| metric).or(about);
                let own = self.strings(object, &LABELS).into_iter().next();
                let mut texts = self.strings(object, &TEXTS);
                texts.dedup();
                if own.is_some() || !texts.is_empty() {
                    let label = own.as_deref().or(label);
                    self.written(label, &texts.join(": "), about, &object.span);
                }
            }
            Node::Array(_) | Node::Bare(_) => {}
        }
    }

    /// The strings under these keys that are not blank, in the order in which they stand.
    fn strings(&self, object: &Object, keys: &[&str]) -> Vec<String> {
        let string = |member: &Member| match &member.value {
            Node::Text(span) if is_one_of(&self.asked.reply[member.key.clone()], keys) => {
                let text = decode(&self.asked.reply[span.clone()]);
                let text = text.trim();
                (!text.is_empty()).then(|| text.to_owned())
            }
            _ => None,
        };
        object.members.iter().filter_map(string).collect()
    }

    /// Adds what a judge wrote, one issue per label in square brackets where it has no other label.
    fn written(
        &mut self,
        label: Option<&str>,
        text: &str,
        about: Option<usize>,
        span: &Range<usize>,
    ) {
        let entry = bullet::entry(text, Writing::Any);
        let (labels, body): (Vec<&str>, &str) = match label {
            Some(label) => (vec![label], text),
            None => (
                entry.labels.into_iter().map(|label| &text[label]).collect(),
                &text[entry.text],
            ),
        };
        let none = bullet::says_none(body) || labels.iter().any(|label| bullet::says_none(label));
        if none || (labels.is_empty() && !body.contains(char::is_alphanumeric)) {
            return;
        }
        let metric = about.or_else(|| {
            labels
                .iter()
                .find_map(|label| self.asked.metrics.position(label))
        });
        let text = bullet::plain(body);
        let labels = labels.into_iter().map(|label| Some(label.to_owned()));
        let mut labels: Vec<_> = labels.collect();
        if labels.is_empty() {
            labels.push(None);
        }
        self.found.extend(labels.into_iter().map(|label| Issue {
            metric: metric.map(|metric| self.asked.metrics.name(metric).to_owned()),
            label,
            text: text.clone(),
            span: span.clone(),
        }));
    }
}
