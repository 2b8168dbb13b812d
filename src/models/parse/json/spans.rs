//! Errors that an object lists, with their location, explanation and severity.
//!
//! Must not judge whether an error is right.

use super::key::{Key, is_one_of};
use super::keys::Keys;
use super::text::decode;
use super::tree::{Node, Object};
use crate::models::parse::agree::Asked;
use crate::models::parse::error_spans::Block;

/// Keys of lists of errors, beside those of issues.
const LISTS: [&str; 6] = [
    "annotations",
    "error spans",
    "error_spans",
    "findings",
    "spans",
    "marks",
];

const LOCATIONS: [&str; 10] = [
    "location",
    "span",
    "quote",
    "text",
    "excerpt",
    "passage",
    "error_span",
    "quotation",
    "where",
    "segment",
];

const EXPLANATIONS: [&str; 8] = [
    "explanation",
    "description",
    "reason",
    "reasoning",
    "rationale",
    "comment",
    "why",
    "justification",
];

const SEVERITIES: [&str; 3] = ["severity", "severity_level", "severity level"];

const CATEGORIES: [&str; 6] = [
    "category",
    "type",
    "label",
    "error_type",
    "error type",
    "kind",
];

/// The errors of the last object that lists any, as blocks; nothing where no object has such a list.
pub(in crate::models::parse) fn spans(asked: &Asked<'_>) -> Option<Vec<Block>> {
    let roots: Vec<&Object> = asked.objects().roots().collect();
    roots
        .into_iter()
        .rev()
        .find_map(|root| list(asked, root, 0))
}

/// The errors in the first list of an object, or of one below it.
fn list(asked: &Asked<'_>, object: &Object, level: usize) -> Option<Vec<Block>> {
    let lists = object.members.iter().find_map(|member| {
        let named = matches!(Keys::of(asked, member), Key::Issues(_))
            || is_one_of(&asked.reply[member.key.clone()], &LISTS);
        match &member.value {
            Node::Array(entries) if named => Some(entries),
            _ => None,
        }
    });
    if let Some(entries) = lists {
        return Some(
            entries
                .iter()
                .filter_map(|entry| block(asked, entry))
                .collect(),
        );
    }
    let below = object
        .members
        .iter()
        .filter_map(|member| match &member.value {
            Node::Object(below) if level < super::walk::LEVELS => Some(below),
            _ => None,
        });
    below
        .into_iter()
        .find_map(|below| list(asked, below, level + 1))
}

/// The error in an entry of a list, if it names one.
fn block(asked: &Asked<'_>, entry: &Node) -> Option<Block> {
    let Node::Object(object) = entry else {
        return None;
    };
    let under = |keys: &[&str]| {
        object
            .members
            .iter()
            .find_map(|member| match &member.value {
                Node::Text(place) | Node::Bare(place)
                    if is_one_of(&asked.reply[member.key.clone()], keys) =>
                {
                    let text = decode(&asked.reply[place.clone()]);
                    let text = text.trim();
                    let none = text.is_empty() || text == "null" || text == "None";
                    (!none).then(|| text.to_owned())
                }
                _ => None,
            })
    };
    let block = Block {
        place: object.span.clone(),
        location: under(&LOCATIONS),
        explanation: under(&EXPLANATIONS).unwrap_or_default(),
        severity: under(&SEVERITIES),
        category: under(&CATEGORIES),
    };
    let names =
        block.location.is_some() || !block.explanation.is_empty() || block.severity.is_some();
    names.then_some(block)
}
