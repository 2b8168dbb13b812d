//! From the lists of a reply to its items.
//!
//! Must not know how lists are written (see `lines`, `table`, `bullets`, `plain` and `json`).

use std::ops::Range;

use super::lines::{lines, numbered};
use super::rest::{is_anothers, revises, revises_below, states_another};
use super::{Item, Items, List, bullets, plain, table};
use crate::models::parse::agree::Asked;
use crate::models::parse::form::Reading;
use crate::models::parse::value::states_other;
use crate::models::parse::{Finish, Form, choice, json, likert};
use crate::models::score::{Outcome, Reason};

/// The most lists that are held against one another.
const MOST: usize = 32;

/// Reads what of a reply is answer: the items, and beside them the verdict that a reply about a single element gives.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    let whole = if asked.scale.labels.is_empty() {
        likert::read(asked)
    } else {
        choice::read(asked)
    };
    Form {
        items: Some(items(asked)),
        issues: Vec::new(),
        ..whole
    }
}

fn items(asked: &Asked<'_>) -> Items {
    let cut = asked.finish == Finish::Length;
    let mut lists: Vec<List> = json::lists(asked);
    let taken: Vec<Range<usize>> = lists.iter().map(|list| list.span.clone()).collect();
    let lines = lines(asked, &taken);
    lists.extend(table::tables(asked, &lines));
    lists.extend(numbered(asked, &lines));
    lists.retain(|list| !is_legend(asked, list) && !is_anothers(asked, list.span.start));
    if !lists.iter().any(List::speaks) {
        let others = bullets::bullets(asked, &lines).or_else(|| plain::plain(asked, &lines));
        let own = |list: &List| taken.is_empty() && !is_anothers(asked, list.span.start);
        lists.extend(others.filter(own));
    }
    if lists.iter().any(List::speaks) {
        lists.retain(List::speaks);
    }
    if lists.len() > MOST {
        let why = format!("{} lists of verdicts", lists.len());
        return Items {
            doubt: Some(Reason::Misaligned(why)),
            ..Items::default()
        };
    }
    let spans: Vec<Range<usize>> = lists.iter().map(|list| list.span.clone()).collect();
    let first = spans.iter().map(|span| span.start).min();
    let revised = first.and_then(|first| revises(asked, first, &spans));
    let revised = revised.or_else(|| lists.iter().find_map(|list| revises_below(asked, list)));
    let turned = !spans.is_empty() && states_another(asked, &spans);
    let mut items = match lists.len() {
        0 => Items::default(),
        1 => Items {
            list: lists.pop().map_or(Vec::new(), |list| list.items),
            ..Items::default()
        },
        _ if lists.iter().any(List::speaks) => agreed(asked, lists),
        // Of lists without verdicts none is that of the elements for certain.
        _ => Items::default(),
    };
    items.cut = cut;
    let mut parts = asked.answer.parts.iter();
    if turned
        || (asked.scale.labels.is_empty()
            && parts.any(|part| states_other(&asked.reply[part.clone()], asked.scale)))
    {
        items.doubt = Some(Reason::Ambiguous(vec!["another scale".to_owned()]));
    }
    if let Some(sentence) = revised.filter(|_| !items.list.is_empty()) {
        items.doubt = Some(Reason::Ambiguous(vec![sentence]));
    }
    items
}

/// Whether a list writes the scale down: `1. Poor`, `2. Fair`, `3. Good`.
fn is_legend(asked: &Asked<'_>, list: &List) -> bool {
    let labels = &asked.scale.labels;
    let own = |item: &Item| {
        let [reading] = &item.readings[..] else {
            return false;
        };
        let number = item.number.map(|number| number as f64);
        reading.outcome.score().is_some() && reading.outcome.score() == number
    };
    labels.len() > 2 && list.items.len() == labels.len() && list.items.iter().all(own)
}

/// A list whose items have numbers: those without names are of elements from the first on.
fn numbered_from_one(mut list: List) -> List {
    let nameless = |item: &Item| item.number.is_none() && item.name.is_none();
    if list.items.iter().all(nameless) {
        for (at, item) in list.items.iter_mut().enumerate() {
            item.number = Some(at + 1);
        }
    }
    list
}

/// What several lists say, if they are of the same elements.
fn agreed(asked: &Asked<'_>, lists: Vec<List>) -> Items {
    let names = |list: &List| -> Vec<(Option<usize>, Option<String>)> {
        let mut names: Vec<_> = list
            .items
            .iter()
            .map(|item| {
                (
                    item.number,
                    item.name.clone().filter(|_| item.number.is_none()),
                )
            })
            .collect();
        names.sort();
        names
    };
    let count = lists.len();
    let mut lists = lists.into_iter().map(numbered_from_one);
    let Some(first) = lists.next() else {
        return Items::default();
    };
    let mut items = Items {
        list: first.items,
        ..Items::default()
    };
    let known = names(&List {
        items: items.list.clone(),
        span: 0..0,
    });
    for list in lists {
        if names(&list) != known {
            items.doubt = Some(Reason::Misaligned(format!(
                "{count} lists of verdicts that are not on the same elements"
            )));
            return items;
        }
        for other in list.items {
            let same = |item: &&mut Item| {
                item.number == other.number && (item.number.is_some() || item.name == other.name)
            };
            let own = items.list.iter_mut().find(same);
            if let Some(own) = own {
                for (reading, other) in own.readings.iter_mut().zip(other.readings) {
                    hear(asked, reading, other);
                }
            }
        }
    }
    items
}

/// Holds a reading against another of the same element.
fn hear(asked: &Asked<'_>, reading: &mut Reading, other: Reading) {
    match (&reading.outcome, &other.outcome) {
        (Outcome::Scored(a), Outcome::Scored(b)) if a.total_cmp(b).is_eq() => {}
        (_, Outcome::Unscored(Reason::NoScoreFound)) => {}
        (Outcome::Unscored(Reason::NoScoreFound), _) => *reading = other,
        _ => {
            let said = [&*reading, &other].map(|one| {
                let text = one.span.clone().and_then(|span| asked.reply.get(span));
                text.unwrap_or_default().to_owned()
            });
            *reading = Reading {
                contradicted: true,
                ..Reading::without_score(&reading.metric, Reason::Ambiguous(said.to_vec()))
            };
        }
    }
}
