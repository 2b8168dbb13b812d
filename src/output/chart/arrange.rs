//! Rows in their panels and places: which panels, positions and series there are, and in what order.
//!
//! It arranges and labels. It must not know sizes or how anything is drawn.

use std::cmp::Ordering;

use indexmap::IndexSet;

use super::row::{Form, Row, Style};

/// Everything in its place.
#[derive(Debug)]
pub(super) struct Arranged<'r> {
    pub(super) panels: Vec<Panel<'r>>,
    /// Rows and columns of panels, where two fields say so.
    pub(super) grid: Option<(usize, usize)>,
    /// Labels of the series; one without a label, where nothing tells series apart.
    pub(super) series: Vec<String>,
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
    let series = keys(style, &style.series, rows.iter().map(|row| &row.series));
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
        let fields = if lying { &style.y } else { &style.x };
        let position = |row: &'r Row| if lying { &row.y[..] } else { &row.x[..] };
        let positions = keys(style, fields, own.iter().map(|row| position(row)));
        let lines = if style.form == Form::Heatmap {
            keys(style, &style.y, own.iter().map(|row| &row.y[..]))
        } else {
            IndexSet::new()
        };
        let items = own.iter().map(|row| Item {
            position: positions.get_index_of(position(row)).unwrap_or(0),
            line: lines.get_index_of(&row.y[..]).unwrap_or(0),
            series: series.get_index_of(&row.series[..]).unwrap_or(0),
            row,
        });
        Panel {
            heading: style.label(&style.panels, key),
            place: two.then(|| {
                let down = downs.get_index_of(&key[0]).unwrap_or(0);
                (down, acrosses.get_index_of(&key[1]).unwrap_or(0))
            }),
            positions: labels(style, fields, &positions),
            lines: labels(style, &style.y, &lines),
            items: items.collect(),
        }
    });
    Arranged {
        panels: made.collect(),
        grid: two.then_some((downs.len(), acrosses.len())),
        series: labels(style, &style.series, &series),
        lying,
    }
}

fn labels(style: &Style, fields: &[String], keys: &IndexSet<&[String]>) -> Vec<String> {
    keys.iter().map(|key| style.label(fields, key)).collect()
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
