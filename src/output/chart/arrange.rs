//! Rows in their panels and places: which panels, positions and series there are, and in what order.
//!
//! It arranges and labels. It must not know sizes or how anything is drawn.

use std::cmp::Ordering;

use indexmap::IndexSet;

use super::form::Form;
use super::row::{Row, Style};

/// What the totals of a confusion matrix are called.
const ALL: &str = "all";

/// Everything in its place.
#[derive(Debug)]
pub(super) struct Arranged<'r> {
    pub(super) panels: Vec<Panel<'r>>,
    /// Rows and columns of panels, where two fields say so.
    pub(super) grid: Option<(usize, usize)>,
    /// Labels of the series; one without a label, where nothing tells series apart.
    pub(super) series: Vec<String>,
    /// Of stacked shares the class of rows that have none.
    pub(super) absent: Option<usize>,
    /// Whether positions stand one below the other.
    pub(super) lying: bool,
}

/// One panel.
#[derive(Debug, Default)]
pub(super) struct Panel<'r> {
    pub(super) heading: String,
    /// Where the panel stands, if two fields say so.
    pub(super) place: Option<(usize, usize)>,
    /// Labels of the positions along the axis that has no values; of a heatmap along the horizontal one.
    pub(super) positions: Vec<String>,
    /// Labels of a heatmap's rows.
    pub(super) lines: Vec<String>,
    pub(super) items: Vec<Item<'r>>,
    /// Of a confusion matrix the place of rows that have no label, in both directions.
    pub(super) absent: Option<usize>,
}

/// A row in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'r> {
    pub(super) position: usize,
    pub(super) line: usize,
    pub(super) series: usize,
    pub(super) row: &'r Row,
}

impl Item<'_> {
    /// The row's interval, where it has one.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        self.row.low.zip(self.row.high)
    }
}

impl Arranged<'_> {
    pub(super) fn items(&self) -> impl Iterator<Item = &Item<'_>> {
        self.panels.iter().flat_map(|panel| &panel.items)
    }
}

/// Arranges rows as the style asks.
pub(super) fn arrange<'r>(style: &Style, rows: &'r [Row]) -> Arranged<'r> {
    let lying = style.x.is_empty() && !style.y.is_empty();
    let mut series = keys(style, &style.series, rows.iter().map(|row| &row.series));
    if style.form == Form::Stacked {
        series.sort_by(by_number(style, &style.series));
    }
    let panels = keys(style, &style.panels, rows.iter().map(|row| &row.panel));
    let mut downs: IndexSet<&String> = IndexSet::new();
    let mut acrosses: IndexSet<&String> = IndexSet::new();
    let two = style.panels.len() == 2;
    if two {
        let ordered = |field: usize, into: &mut IndexSet<&'r String>| {
            let fields = &style.panels[field..=field];
            let found = keys(
                style,
                fields,
                rows.iter().map(|row| &row.panel[field..=field]),
            );
            into.extend(found.iter().filter_map(|key| key.first()));
        };
        ordered(0, &mut downs);
        ordered(1, &mut acrosses);
    }
    let made = panels.iter().map(|key| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.panel == **key).collect();
        let fields = match (style.goes_by_numbers(), lying) {
            (true, _) => &[],
            (false, true) => &style.y[..],
            (false, false) => &style.x[..],
        };
        let position = |row: &'r Row| match (fields.is_empty(), lying) {
            (true, _) => &[],
            (false, true) => &row.y[..],
            (false, false) => &row.x[..],
        };
        let mut positions = keys(style, fields, own.iter().map(|row| position(row)));
        let mut lines = if matches!(style.form, Form::Heatmap | Form::Confusion) {
            keys(style, &style.y, own.iter().map(|row| &row.y[..]))
        } else {
            IndexSet::new()
        };
        if style.form == Form::Confusion {
            (positions, lines) = alike(style, positions, lines);
        }
        let items = own.iter().map(|row| Item {
            position: positions.get_index_of(position(row)).unwrap_or(0),
            line: lines.get_index_of(&row.y[..]).unwrap_or(0),
            series: series.get_index_of(&row.series[..]).unwrap_or(0),
            row,
        });
        let totals = (style.form == Form::Confusion).then(|| ALL.to_owned());
        let labelled = |fields: &[String], keys: &IndexSet<&[String]>| {
            let mut labels = labels(style, fields, keys);
            labels.extend(totals.clone());
            labels
        };
        Panel {
            absent: lines
                .iter()
                .position(|key| is_absent(key))
                .filter(|_| totals.is_some()),
            heading: style.label(&style.panels, key),
            place: two.then(|| {
                let down = downs.get_index_of(&key[0]).unwrap_or(0);
                (down, acrosses.get_index_of(&key[1]).unwrap_or(0))
            }),
            items: items.collect(),
            positions: labelled(fields, &positions),
            lines: labelled(&style.y, &lines),
        }
    });
    Arranged {
        panels: made.collect(),
        grid: two.then_some((downs.len(), acrosses.len())),
        absent: (style.form == Form::Stacked)
            .then(|| series.iter().position(|key| is_absent(key)))
            .flatten(),
        series: labels(style, &style.series, &series),
        lying,
    }
}

/// Whether a key is that of rows without a label.
fn is_absent(key: &[String]) -> bool {
    !key.is_empty() && key.iter().all(String::is_empty)
}

/// Orders keys for which no order is given: numbers by size, and what has no label last. Others stay as they stand.
fn by_number<'k>(
    style: &Style,
    fields: &[String],
) -> impl Fn(&&'k [String], &&'k [String]) -> Ordering + use<'k> {
    let given = fields.iter().any(|field| style.order.contains_key(field));
    move |left, right| {
        let absent = is_absent(left).cmp(&is_absent(right));
        let number = |key: &[String]| key.first().and_then(|text| text.parse::<f64>().ok());
        let numbers = number(left).zip(number(right)).filter(|_| !given);
        absent.then(numbers.map_or(Ordering::Equal, |(left, right)| left.total_cmp(&right)))
    }
}

/// The labels of both axes of a confusion matrix: those of either, in one order. An order that is given for one of the
/// two columns holds for both.
fn alike<'k>(
    style: &Style,
    positions: IndexSet<&'k [String]>,
    lines: IndexSet<&'k [String]>,
) -> (IndexSet<&'k [String]>, IndexSet<&'k [String]>) {
    let field = [&style.y, &style.x]
        .into_iter()
        .find(|fields| fields.iter().any(|field| style.order.contains_key(field)))
        .unwrap_or(&style.y);
    let found: IndexSet<&[String]> = lines.into_iter().chain(positions).collect();
    let mut all = keys(style, field, found.iter().copied());
    all.sort_by(by_number(style, field));
    (all.clone(), all)
}

fn labels(style: &Style, fields: &[String], keys: &IndexSet<&[String]>) -> Vec<String> {
    let counted = style.form.is_of_labels();
    let called = keys.iter().map(|key| {
        if counted && is_absent(key) {
            "no value".to_owned()
        } else {
            style.label(fields, key)
        }
    });
    called.collect()
}

/// The different keys, ordered field by field: in the given order, then by first appearance.
fn keys<'k, K: AsRef<[String]> + ?Sized + 'k>(
    style: &Style,
    fields: &[String],
    keys: impl Iterator<Item = &'k K>,
) -> IndexSet<&'k [String]> {
    let mut found: IndexSet<&[String]> = keys.map(AsRef::as_ref).collect();
    let mut ranks: Vec<IndexSet<&str>> = fields
        .iter()
        .map(|field| {
            let given = style.order.get(field).into_iter().flatten();
            given.map(String::as_str).collect()
        })
        .collect();
    for key in &found {
        for (rank, value) in ranks.iter_mut().zip(*key) {
            rank.insert(value);
        }
    }
    found.sort_by(|left, right| {
        let places = ranks.iter().zip(left.iter().zip(right.iter()));
        places
            .map(|(rank, (left, right))| {
                rank.get_index_of(left.as_str())
                    .cmp(&rank.get_index_of(right.as_str()))
            })
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    });
    found
}
