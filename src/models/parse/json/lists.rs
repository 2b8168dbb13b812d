//! Arrays and objects that hold a verdict for each element of a list.
//!
//! Must not know which element a verdict is on.

use std::ops::Range;

use serde_json::Value as Json;

use super::key::{Key, is_one_of};
use super::keys::Keys;
use super::scan::Scanner;
use super::text::decode;
use super::tree::{Member, Node, Object};
use super::value::{Said, said};
use super::walk::is_another_scale;
use super::words::{CHOICES, VERDICTS};
use crate::models::parse::Finish;
use crate::models::parse::agree::Asked;
use crate::models::parse::form::Reading;
use crate::models::parse::items::{
    Item, List, entry_of_object, entry_of_value, is_scored, marker, names_places, number_of,
};
use crate::models::parse::value::Found;
use crate::models::score::Reason;

/// How deep lists are looked for.
const DEEPEST: usize = 4;

/// Keys of what names an element, in the order in which they are looked for.
const NAMES: [&str; 26] = [
    "id",
    "index",
    "idx",
    "number",
    "no",
    "nr",
    "num",
    "n",
    "#",
    "item",
    "item_id",
    "item_number",
    "question",
    "question_id",
    "question_number",
    "claim",
    "claim_id",
    "claim_number",
    "fact",
    "fact_id",
    "statement",
    "statement_id",
    "element",
    "criterion",
    "position",
    "q",
];

/// So many of them hold nothing but names.
const IDS: usize = 9;

/// The longest text that is the number of an element, as `Q12` is, and not an element that ends with a number; in bytes.
const LONGEST_COUNT: usize = 4;

/// Keys under which an element is repeated.
const ECHOES: [&str; 6] = ["aspect", "dimension", "metric", "name", "sentence", "text"];

/// The lists in the answer.
pub(in crate::models::parse) fn lists(asked: &Asked<'_>) -> Vec<List> {
    let mut found = Vec::new();
    for part in &asked.answer.parts {
        let text = &asked.reply[..part.end];
        let cut = asked.finish == Finish::Length && part.end == asked.reply.len();
        let mut scanner = Scanner::new(text, part.start, cut);
        let mut single: Vec<Item> = Vec::new();
        let stands = |at: usize| stands(text, part.start, at);
        while let Some((node, span)) = scanner.next_value(&stands) {
            let before = found.len();
            if matches!(node, Node::Array(_)) && !ends(text, span.end) {
                continue;
            }
            walk(asked, &node, &span, 0, &mut found);
            if found.len() == before
                && let Node::Object(object) = &node
            {
                // Objects one behind the other.
                single.push(of_object(asked, object));
            }
        }
        single.retain(|item| is_scored(&item.readings) || !item.fields.is_empty());
        if follow(text, part.start, &single)
            && single.iter().any(|item| is_scored(&item.readings))
            && let (Some(first), Some(last)) = (single.first(), single.last())
        {
            let span = first.span.start..last.span.end;
            found.push(List {
                items: single,
                span,
            });
        }
    }
    found
}

/// Whether an array at this place stands for itself: on a line of its own, or behind words that lead up to it.
fn stands(text: &str, from: usize, at: usize) -> bool {
    let line = text[from..at]
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .trim_end();
    let begins = text[at + 1..].trim_start();
    let opens = begins.starts_with(['"', '\'', '{', '['])
        || begins.starts_with(|c: char| c.is_alphanumeric() || c == '-');
    opens && (line.is_empty() || line.ends_with([':', '=', '`', '\u{ff1a}']))
}

/// Whether nothing follows an array on its line.
fn ends(text: &str, at: usize) -> bool {
    let line = text[at..].split('\n').next().unwrap_or_default();
    !line.contains(char::is_alphanumeric) && !line.contains(['[', '{'])
}

/// Whether nothing but blanks, commas and fences stands between objects one behind the other, and before the first.
fn follow(text: &str, from: usize, items: &[Item]) -> bool {
    let first = items.first().map_or(from, |item| item.span.start);
    let line = text[from..first].rsplit('\n').next().unwrap_or_default();
    let gaps = items
        .windows(2)
        .map(|pair| &text[pair[0].span.end..pair[1].span.start]);
    gaps.chain([line]).all(|gap| {
        let gap = gap.replace("json", "");
        !gap.contains(char::is_alphanumeric)
    })
}

/// Appends the lists in a value; none within a list.
fn walk(asked: &Asked<'_>, node: &Node, span: &Range<usize>, level: usize, found: &mut Vec<List>) {
    if level > DEEPEST {
        return;
    }
    match node {
        Node::Array(entries) => {
            let items: Vec<Item> = entries
                .iter()
                .map(|entry| of_entry(asked, entry, span))
                .collect();
            let plain = entries.iter().all(|entry| !matches!(entry, Node::Array(_)));
            if plain && items.iter().any(|item| is_scored(&item.readings)) {
                found.push(List {
                    items,
                    span: span.clone(),
                });
                return;
            }
            for entry in entries {
                walk(asked, entry, span, level + 1, found);
            }
        }
        Node::Object(object) => {
            if let Some(items) = by_metric(asked, object).or_else(|| by_name(asked, object)) {
                found.push(List {
                    items,
                    span: object.span.clone(),
                });
                return;
            }
            let before = found.len();
            for member in &object.members {
                if !matches!(
                    Keys::of(asked, member),
                    Key::Foreign | Key::Scale | Key::Issues(_)
                ) && !matches!(member.value, Node::Text(_) | Node::Bare(_))
                    && !is_of_places(asked, member)
                {
                    walk(asked, &member.value, &object.span, level + 1, found);
                }
            }
            let another = |member: &Member| {
                Keys::of(asked, member) == Key::Scale && is_another_scale(asked, &member.value)
            };
            if object.members.iter().any(another) {
                for list in &mut found[before..] {
                    list.doubt(asked);
                }
            }
        }
        Node::Text(_) | Node::Bare(_) => {}
    }
}

/// Whether a member holds numbers that are places in a text: `"lines": [1, 2, 3]`.
fn is_of_places(asked: &Asked<'_>, member: &Member) -> bool {
    let plain = |entries: &[Node]| {
        let mut entries = entries.iter();
        entries.all(|entry| matches!(entry, Node::Text(_) | Node::Bare(_)))
    };
    matches!(&member.value, Node::Array(entries) if plain(entries))
        && !matches!(Keys::of(asked, member), Key::Metric(_))
        && names_places(asked, &asked.reply[member.key.clone()])
}

/// The items of an object with an array of values for each metric.
fn by_metric(asked: &Asked<'_>, object: &Object) -> Option<Vec<Item>> {
    let mut items: Vec<Item> = Vec::new();
    for member in &object.members {
        let (Key::Metric(metric), Node::Array(entries)) = (Keys::of(asked, member), &member.value)
        else {
            continue;
        };
        if items.is_empty() {
            items = vec![blank(asked, object.span.clone()); entries.len()];
        }
        if items.len() != entries.len() {
            return None;
        }
        for (item, entry) in items.iter_mut().zip(entries) {
            let (Node::Text(place) | Node::Bare(place)) = entry else {
                return None;
            };
            let found = found(asked, entry);
            item.readings[metric] = entry_of_value(asked, metric, found.as_ref(), place.clone());
        }
    }
    items
        .iter()
        .any(|item| is_scored(&item.readings))
        .then_some(items)
}

/// The items of an object whose keys are numbers or names of elements.
fn by_name(asked: &Asked<'_>, object: &Object) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    for member in &object.members {
        let raw = &asked.reply[member.key.clone()];
        match Keys::of(asked, member) {
            Key::Metric(_) | Key::Value | Key::Final | Key::Name => return None,
            Key::Foreign | Key::Scale | Key::Issues(_) => continue,
            Key::Other => {}
        }
        let name = decode(raw).trim().to_owned();
        let item = Item {
            number: number_of(&name),
            name: Some(name),
            keyed: true,
            ..of_entry(asked, &member.value, &object.span)
        };
        if item.number.is_some() || is_scored(&item.readings) {
            items.push(item);
        }
    }
    items
        .iter()
        .any(|item| is_scored(&item.readings))
        .then_some(items)
}

/// The item of an entry of an array.
fn of_entry(asked: &Asked<'_>, entry: &Node, around: &Range<usize>) -> Item {
    match entry {
        Node::Object(object) => of_object(asked, object),
        Node::Array(_) => blank(asked, around.clone()),
        Node::Text(place) | Node::Bare(place) => {
            let text = &asked.reply[place.clone()];
            let numbered = marker(text).filter(|marker| marker.content < text.len());
            let start = numbered.as_ref().map_or(0, |marker| marker.content);
            let inner = place.start + start..place.end;
            let mut item = blank(asked, inner.clone());
            item.number = numbered.as_ref().map(|marker| marker.number);
            item.name = numbered.map(|marker| marker.name);
            // A value without a name is on the only metric.
            if let [reading] = &mut item.readings[..] {
                let node = match entry {
                    Node::Text(_) => Node::Text(inner.clone()),
                    _ => Node::Bare(inner.clone()),
                };
                *reading = entry_of_value(asked, 0, found(asked, &node).as_ref(), inner);
            }
            item
        }
    }
}

/// The item of an object, with what names its element left out of what is read.
fn of_object(asked: &Asked<'_>, object: &Object) -> Item {
    let text = |member: &Member| match &member.value {
        Node::Text(place) | Node::Bare(place) => {
            Some(decode(&asked.reply[place.clone()]).trim().to_owned())
        }
        Node::Object(_) | Node::Array(_) => None,
    };
    let key = |member: &Member| {
        decode(&asked.reply[member.key.clone()])
            .trim()
            .to_lowercase()
    };
    let names = NAMES.iter().enumerate().find_map(|(at, name)| {
        let member = object.members.iter().find(|member| key(member) == *name)?;
        let name = text(member)?;
        let counts = |number| name.len() <= LONGEST_COUNT && number_of(number).is_some();
        (at < IDS || counts(&name)).then_some(name)
    });
    let about = |member: &&Member| {
        let key = key(member);
        (is_one_of(&key, &NAMES) || is_one_of(&key, &ECHOES))
            && text(member).is_some_and(|text| asked.metrics.position(&text).is_none())
    };
    let masked: Vec<Range<usize>> = object
        .members
        .iter()
        .filter(about)
        .flat_map(|member| {
            let value = match &member.value {
                Node::Text(place) | Node::Bare(place) => place.clone(),
                Node::Object(_) | Node::Array(_) => member.key.end..member.key.end,
            };
            [member.key.clone(), value]
        })
        .collect();
    let mut readings = entry_of_object(asked, object.span.clone(), &masked);
    if let [reading] = &mut readings[..]
        && reading.outcome.reason() == Some(&Reason::NoScoreFound)
        && let Some((found, place)) = verdict(asked, object)
    {
        let explanation = reading.explanation.take();
        *reading = Reading {
            explanation,
            ..entry_of_value(asked, 0, Some(&found), place)
        };
    }
    let number = names.as_deref().and_then(number_of);
    Item {
        number,
        keyed: number.is_some(),
        name: names,
        readings,
        fields: object
            .members
            .iter()
            .map(|member| {
                let key = decode(&asked.reply[member.key.clone()]).into_owned();
                (key, json(asked, &member.value))
            })
            .collect(),
        span: object.span.clone(),
    }
}

/// The value under the only key of an object that speaks of a verdict.
fn verdict(asked: &Asked<'_>, object: &Object) -> Option<(Found, Range<usize>)> {
    let mut verdicts = object.members.iter().filter(|member| {
        let raw = &asked.reply[member.key.clone()];
        is_one_of(raw, &CHOICES) || is_one_of(raw, &VERDICTS)
    });
    let only = verdicts.next()?;
    if verdicts.next().is_some() {
        return None;
    }
    let (Node::Text(place) | Node::Bare(place)) = &only.value else {
        return None;
    };
    Some((found(asked, &only.value)?, place.clone()))
}

/// What a value says.
fn found(asked: &Asked<'_>, node: &Node) -> Option<Found> {
    match said(asked.reply, node, asked.scale)? {
        Said::Score(found) => Some(found),
        Said::None => None,
    }
}

/// An item of which nothing is known.
fn blank(asked: &Asked<'_>, span: Range<usize>) -> Item {
    let metrics = 0..asked.metrics.len();
    Item {
        number: None,
        name: None,
        keyed: false,
        readings: metrics
            .map(|metric| entry_of_value(asked, metric, None, span.clone()))
            .collect(),
        fields: Vec::new(),
        span,
    }
}

/// A value as JSON.
fn json(asked: &Asked<'_>, node: &Node) -> Json {
    match node {
        Node::Text(place) => Json::String(decode(&asked.reply[place.clone()]).into_owned()),
        Node::Bare(place) => {
            let text = asked.reply[place.clone()].trim();
            match text {
                "None" | "NaN" => Json::Null,
                "True" => Json::Bool(true),
                "False" => Json::Bool(false),
                text => {
                    serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()))
                }
            }
        }
        Node::Array(entries) => entries.iter().map(|entry| json(asked, entry)).collect(),
        Node::Object(object) => {
            let members = object.members.iter().map(|member| {
                let key = decode(&asked.reply[member.key.clone()]).into_owned();
                (key, json(asked, &member.value))
            });
            Json::Object(members.collect())
        }
    }
}
