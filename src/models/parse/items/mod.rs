//! The parser `items`: a verdict for each element of a list.
//!
//! ```text
//! 1. yes
//! 2. No. The name is missing.
//! 3. The date is in the text. Verdict: yes
//! ```
//!
//! The rule:
//!
//! 1. Thoughts are not part of the answer.
//! 2. A list of verdicts is an array of JSON (of values, or of objects with a verdict each), also under a key; an object with
//!    the numbers or ids of elements as keys, or with an array for each metric; objects one behind the other; numbered
//!    lines (`1.`, `2)`, `**3.**`, `Question 4:`, `Q5:`), with more lines below each; rows of a table; bullets; lines that
//!    hold a verdict each; or verdicts with commas between them.
//! 3. What stands for one element is read for itself: an object as `json` reads it, else a label as `choice` and a number
//!    as `likert` reads it; a label may also end its line behind a sign (`The claim: yes`).
//! 4. A reply with several lists has verdicts only if they speak of the same elements; where they differ, the element is
//!    `ambiguous`. Behind a list nothing may revise it, else all of it is `ambiguous`.
//! 5. Nothing is known of the elements here. Which verdict is on which is decided where they are known (see
//!    [`Items::places`]): by the elements' own ids, else by numbers in ascending order, else by the order alone, and then
//!    there must be as many verdicts as elements.
//!
//! What falls short: a list whose numbers are left out is read only if nothing else stands in the answer.

mod align;
mod bullets;
mod entry;
mod lines;
mod marker;
mod plain;
mod reader;
mod rest;
mod table;

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

pub use self::align::Place;
pub(super) use self::entry::{is_scored, object as entry_of_object, value as entry_of_value};
pub(super) use self::marker::{marker, number_of};
pub(super) use self::reader::read;
pub(super) use self::rest::names_places;
use super::Reading;
use super::agree::Asked;
use crate::models::score::{Outcome, Reason};

/// What a reply says of the elements of a list.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Items {
    /// What it says, in the order in which it does.
    pub list: Vec<Item>,
    /// Why none of it counts, where that is so.
    pub doubt: Option<Reason>,
    /// Whether more would have followed.
    pub cut: bool,
}

impl Item {
    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let readings = self.readings.iter().map(Reading::size);
        let fields = self.fields.iter();
        let fields = fields.map(|(name, value)| name.len() + value.to_string().len());
        let name = self.name.as_ref().map_or(0, String::len);
        size_of_val(self) + name + readings.sum::<usize>() + fields.sum::<usize>()
    }
}

/// What a reply says of one element.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// The number that the reply gives the element.
    pub number: Option<usize>,
    /// Number or id as the reply writes it: `Q1`, a key of an object.
    pub name: Option<String>,
    /// Whether the name stands apart from the verdict, in JSON: then the order says nothing.
    pub keyed: bool,
    /// A reading per metric.
    pub readings: Vec<Reading>,
    /// The members of its object, where it has one.
    pub fields: Vec<(String, Value)>,
    /// Where it stands in the reply, in bytes.
    pub span: Range<usize>,
}

/// Verdicts that stand together.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) items: Vec<Item>,
    pub(super) span: Range<usize>,
}

impl List {
    /// Takes all its scores for ambiguous.
    pub(super) fn doubt(&mut self, asked: &Asked<'_>) {
        let readings = self.items.iter_mut().flat_map(|item| &mut item.readings);
        for reading in readings.filter(|reading| reading.outcome.score().is_some()) {
            let text = reading.span.clone().and_then(|span| asked.reply.get(span));
            let text = vec![text.unwrap_or_default().to_owned()];
            reading.outcome = Outcome::Unscored(Reason::Ambiguous(text));
            reading.label = None;
        }
    }

    /// A list with a verdict at all.
    pub(super) fn speaks(&self) -> bool {
        self.items.iter().any(|item| is_scored(&item.readings))
    }
}

#[cfg(test)]
mod tests;
