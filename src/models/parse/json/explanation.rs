//! Why verdicts are what they are, as the objects say that hold them.
//!
//! Must not choose among objects (see `objects`).

use super::foreign::subject;
use super::key::Key;
use super::keys::Keys;
use super::text::decode;
use super::tree::{Node, Object};
use super::walk::LEVELS;
use crate::models::parse::agree::Asked;
use crate::models::parse::form::Reading;
use crate::models::parse::reason::reason;

/// What an object says of its verdicts.
struct Said {
    /// Of each metric by its name.
    own: Vec<Option<String>>,
    /// Of all.
    general: Option<String>,
}

/// Gives each reading the reason that stands in its object: the metric's own, or that of all.
pub(super) fn explain(asked: &Asked<'_>, readings: &mut [Reading]) {
    for root in asked.objects().roots() {
        let inside = |reading: &Reading| {
            let start = reading.span.as_ref().map(|span| span.start);
            start.is_some_and(|start| root.span.contains(&start))
        };
        if !readings.iter().any(inside) {
            continue;
        }
        let mut said = Said {
            own: vec![None; readings.len()],
            general: None,
        };
        said.walk(asked, root, None, 0);
        let general = said.general;
        for (reading, own) in readings.iter_mut().zip(said.own) {
            if inside(reading) {
                reading.explanation = own.or_else(|| general.clone());
            }
        }
    }
}

impl Said {
    fn walk(&mut self, asked: &Asked<'_>, object: &Object, about: Option<usize>, level: usize) {
        let (named, names) = subject(asked, object);
        if (names && named.is_none()) || level > LEVELS + 1 {
            return;
        }
        let about = named.map(|(metric, _)| metric).or(about);
        // An object below with no verdict of ours in it speaks of something else.
        let verdict = |member| matches!(Keys::of(asked, member), Key::Metric(_));
        let ours = level == 0 || about.is_some() || object.members.iter().any(verdict);
        for member in &object.members {
            let key = Keys::of(asked, member);
            match (&member.value, key) {
                (_, Key::Issues(_) | Key::Scale | Key::Foreign) => {}
                (Node::Text(text), Key::Other) => {
                    let raw = decode(&asked.reply[member.key.clone()]);
                    if let Some(owner) = reason(&raw, asked)
                        && (ours || owner.metric.is_some())
                    {
                        let text = decode(&asked.reply[text.clone()]);
                        self.put(owner.metric.or(about), &text);
                    }
                }
                (Node::Object(below), Key::Metric(metric)) => {
                    self.walk(asked, below, Some(metric), level + 1);
                }
                (Node::Object(below), _) => self.walk(asked, below, about, level + 1),
                (Node::Array(entries), _) => {
                    for entry in entries {
                        if let Node::Object(below) = entry {
                            self.walk(asked, below, about, level + 1);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Keeps the first reason of each.
    fn put(&mut self, metric: Option<usize>, text: &str) {
        let text = text.trim();
        let says = text.contains(char::is_alphanumeric);
        let place = match metric {
            Some(metric) => &mut self.own[metric],
            None => &mut self.general,
        };
        if place.is_none() && says {
            *place = Some(text.to_owned());
        }
    }
}
