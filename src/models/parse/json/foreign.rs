//! Whom an object is about, and what in it is about no verdict.

use std::ops::Range;

use super::key::{Key, is_one_of};
use super::keys::Keys;
use super::text::decode;
use super::tree::{Node, Object};
use crate::models::parse::agree::Asked;
use crate::models::parse::value::has;

/// The longest key that says whom an object is about, in bytes, with escapes.
const LONGEST_NAME: usize = 12;

/// Keys that, beside a score without a name, say whom it is for.
const ABOUT: [&str; 22] = [
    "about",
    "act",
    "attribute",
    "category",
    "chapter",
    "criteria",
    "for",
    "grade_of",
    "label_of",
    "of",
    "page",
    "paragraph",
    "part",
    "rating_of",
    "scene",
    "score_of",
    "section",
    "sentence",
    "stanza",
    "task",
    "verdict_of",
    "verse",
];

/// What such a key may say of the whole.
const WHOLE: [&str; 7] = [
    "all", "document", "entire", "full", "overall", "text", "whole",
];

/// Appends where in an object something stands that is about no verdict: under the keys of former scores, of scales, of
/// examples, of issues.
pub(super) fn foreign(asked: &Asked<'_>, object: &Object, found: &mut Vec<Range<usize>>) {
    // Another metric's.
    let (subject, names) = subject(asked, object);
    if names && subject.is_none() {
        found.push(object.span.clone());
        return;
    }
    for member in &object.members {
        match Keys::of(asked, member) {
            Key::Foreign | Key::Scale | Key::Issues(_) => {
                // Its key is its label.
                let end = end(&member.value).unwrap_or(member.key.end);
                found.push(member.key.start..end);
            }
            // What stands in an object of its own under another name is that one's.
            Key::Other
                if matches!(member.value, Node::Object(_))
                    && !Key::holds_verdicts(&asked.reply[member.key.clone()], asked.metrics)
                    && !Key::may_change(&asked.reply[member.key.clone()], false) =>
            {
                let end = end(&member.value).unwrap_or(member.key.end);
                found.push(member.key.start..end);
            }
            _ => foreign_below(asked, &member.value, found),
        }
    }
}

fn foreign_below(asked: &Asked<'_>, value: &Node, found: &mut Vec<Range<usize>>) {
    match value {
        Node::Object(object) => foreign(asked, object, found),
        Node::Array(entries) => {
            for entry in entries {
                foreign_below(asked, entry, found);
            }
        }
        Node::Text(_) | Node::Bare(_) => {}
    }
}

/// Where a value ends; that of an array with its last entry.
fn end(value: &Node) -> Option<usize> {
    match value {
        Node::Object(object) => Some(object.span.end),
        Node::Array(entries) => entries.last().and_then(end),
        Node::Text(span) | Node::Bare(span) => Some(span.end),
    }
}

/// The metric that an object names as what it is about, whether it names anything, and where.
pub(super) fn subject(asked: &Asked<'_>, object: &Object) -> (Option<(usize, usize)>, bool) {
    let mut names = false;
    let valued = || {
        object
            .members
            .iter()
            .any(|member| Keys::of(asked, member) == Key::Value)
    };
    let subject = object.members.iter().find_map(|member| {
        let (Node::Text(text) | Node::Bare(text)) = &member.value else {
            return None;
        };
        // `"section": "all"`
        if has(&WHOLE, asked.reply[text.clone()].trim()) {
            return None;
        }
        // The cheap look spares most keys the reading.
        let named = member.key.len() <= LONGEST_NAME
            && (Keys::of(asked, member) == Key::Name
                || (is_one_of(&asked.reply[member.key.clone()], &ABOUT) && valued()));
        names |= named;
        let metric = || {
            let name = decode(&asked.reply[text.clone()]);
            asked.metrics.position(name.trim())
        };
        named
            .then(metric)
            .flatten()
            .map(|metric| (metric, member.key.start))
    });
    (subject, names)
}
