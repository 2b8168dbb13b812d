//! What differs between two sets of tables, cell by cell.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::Side;
use crate::output::report::footnote::{is_partial, lacking};
use crate::output::report::layout::{Cell, Layout, one_line};
use crate::output::report::number::{fixed, full, signed, typeset};
use crate::output::report::told::Told;

/// What differs in one table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TableChange {
    /// The ablation it belongs to; empty for the experiment itself.
    pub variant: String,
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The fields of its rows.
    pub rows: Vec<String>,
    /// The fields of its columns.
    pub columns: Vec<String>,
    /// `a` or `b` where only this side has the table; its cells are then counted alone.
    pub only: Option<&'static str>,
    /// Cells that are the same to the last bit.
    pub equal: usize,
    /// Cells on both sides that differ.
    pub changed: Vec<CellChange>,
    /// Cells that only the first side has.
    pub only_a: Vec<Shown>,
    /// Cells that only the second side has.
    pub only_b: Vec<Shown>,
}

impl TableChange {
    /// Whether all its cells are there on both sides and equal.
    pub fn same(&self) -> bool {
        self.only.is_none()
            && self.changed.is_empty()
            && self.only_a.is_empty()
            && self.only_b.is_empty()
    }

    /// What it is called: `effect`, or `warm/effect` for an ablation's.
    pub fn place(&self) -> String {
        match self.variant.as_str() {
            "" => self.name.clone(),
            variant => format!("{variant}/{}", self.name),
        }
    }
}

/// A cell of one side.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Shown {
    /// Labels of the row.
    pub row: String,
    /// Labels of the column.
    pub column: String,
    /// The value as the table shows it.
    pub shown: String,
    /// All of it.
    pub cell: Cell,
}

/// A cell that both sides have, differently.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CellChange {
    /// Labels of the row.
    pub row: String,
    /// Labels of the column.
    pub column: String,
    /// The value of the first side as its table shows it.
    pub shown_a: String,
    /// The value of the second side as its table shows it.
    pub shown_b: String,
    /// The second value less the first, where both exist.
    pub difference: Option<f64>,
    /// The same at the digits of the table, or in powers of ten where these would not show it.
    pub shown_difference: String,
    /// What else changed: scores, unscored outputs, significance.
    pub notes: Vec<String>,
    /// All of the first cell.
    pub a: Cell,
    /// All of the second cell.
    pub b: Cell,
}

/// Tables by variant and name.
type Tables<'t> = IndexMap<(&'t str, &'t str), &'t Told>;

/// Compares tables by variant and name, in the order of the second side; where both sides are one variant alone, by
/// name.
pub(super) fn tables(a: Side<'_>, b: Side<'_>) -> Vec<TableChange> {
    let alone = a.variant.is_some() && b.variant.is_some();
    let (a, b) = (by_name(a, alone), by_name(b, alone));
    let keys: IndexSet<_> = b.keys().chain(a.keys()).copied().collect();
    keys.iter()
        .filter_map(|key| match (a.get(key), b.get(key)) {
            (Some(a), Some(b)) => Some(table(a, b, key.0)),
            (Some(only), None) => Some(only_there(only, "a")),
            (None, Some(only)) => Some(only_there(only, "b")),
            (None, None) => None,
        })
        .collect()
}

fn by_name(side: Side<'_>, alone: bool) -> Tables<'_> {
    let wanted = |table: &&Told| side.variant.is_none_or(|variant| variant == table.variant);
    let tables = side.tables.iter().filter(wanted);
    tables
        .map(|table| {
            let variant = if alone { "" } else { &table.variant };
            ((variant, table.name.as_str()), table)
        })
        .collect()
}

fn only_there(table: &Told, side: &'static str) -> TableChange {
    let cells: Vec<Shown> = table
        .cells
        .iter()
        .map(|cell| shown(cell, &table.layout, &table.layout))
        .collect();
    let mut change = TableChange {
        only: Some(side),
        ..headed(table, &table.variant)
    };
    match side {
        "a" => change.only_a = cells,
        _ => change.only_b = cells,
    }
    change
}

fn headed(table: &Told, variant: &str) -> TableChange {
    TableChange {
        variant: variant.to_owned(),
        name: table.name.clone(),
        title: one_line(&table.layout.title),
        rows: table.layout.rows.clone(),
        columns: table.layout.columns.clone(),
        ..TableChange::default()
    }
}

/// Where a cell stands, whatever stands in rows and what in columns.
type Place<'t> = BTreeMap<&'t str, &'t str>;

fn placed(table: &Told) -> IndexMap<Place<'_>, &Cell> {
    let cells = table.cells.iter().map(|cell| {
        let values = cell.row.iter().chain(&cell.column).map(String::as_str);
        (table.layout.fields().zip(values).collect(), cell)
    });
    cells.collect()
}

fn table(a: &Told, b: &Told, variant: &str) -> TableChange {
    let (before, now) = (placed(a), placed(b));
    let mut change = headed(b, variant);
    for (place, new) in &now {
        match before.get(place) {
            None => change.only_b.push(shown(new, &b.layout, &b.layout)),
            Some(old) if equal(old, new) => change.equal += 1,
            Some(old) => change.changed.push(cell(old, new, &a.layout, &b.layout)),
        }
    }
    for (place, old) in &before {
        if !now.contains_key(place) {
            change.only_a.push(shown(old, &a.layout, &b.layout));
        }
    }
    change
}

/// Whether two cells say the same; values to the last bit, but zero has no sign.
fn equal(a: &Cell, b: &Cell) -> bool {
    let bits = |cell: &Cell| (cell.value.map(full), cell.p.map(full));
    let rest = |cell: &Cell| {
        (
            cell.n,
            cell.unscored,
            cell.reasons.clone(),
            cell.dropped,
            cell.missing,
            cell.parts,
            cell.why_none.clone(),
            (cell.partial, cell.lacks.clone()),
            (cell.undefined.clone(), cell.family.clone()),
        )
    };
    bits(a) == bits(b) && rest(a) == rest(b)
}

/// A cell with labels: those of `labels`, and the digits and marks of its own layout.
fn shown(cell: &Cell, own: &Layout, labels: &Layout) -> Shown {
    let label = |fields: &[String], values: &[String]| -> String {
        let all: Vec<String> = fields
            .iter()
            .zip(values)
            .map(|(field, value)| labels.label(field, value))
            .collect();
        all.join(" · ")
    };
    Shown {
        row: label(&own.rows, &cell.row),
        column: label(&own.columns, &cell.column),
        shown: drawn(cell, own),
        cell: cell.clone(),
    }
}

fn drawn(cell: &Cell, layout: &Layout) -> String {
    match cell.value {
        Some(value) => format!(
            "{}{}",
            typeset(&fixed(value, layout.decimals)),
            layout.significance(cell)
        ),
        None => format!("—{}", layout.significance(cell)),
    }
}

fn cell(a: &Cell, b: &Cell, before: &Layout, now: &Layout) -> CellChange {
    let place = shown(b, now, now);
    let difference = a.value.zip(b.value).map(|(a, b)| b - a);
    let decimals = before.decimals.max(now.decimals);
    let unseen = match (a.value, b.value) {
        (Some(a), Some(b)) => full(a) != full(b) && fixed(a, decimals) == fixed(b, decimals),
        _ => false,
    };
    let shown_difference = match difference {
        None => String::new(),
        Some(0.0) => "0".to_owned(),
        Some(difference) if unseen => format!(
            "{}{}",
            plus(difference),
            typeset(&format!("{difference:.0e}"))
        ),
        Some(difference) => typeset(&signed(difference, decimals)),
    };
    let mut notes = notes(a, b, before, now);
    if unseen {
        notes.insert(0, "differs below the digits shown".to_owned());
    }
    CellChange {
        row: place.row,
        column: place.column,
        shown_a: drawn(a, before),
        shown_b: place.shown,
        difference,
        shown_difference,
        notes,
        a: a.clone(),
        b: b.clone(),
    }
}

fn plus(value: f64) -> &'static str {
    if value > 0.0 { "+" } else { "" }
}

/// What changed about a cell beside its value.
fn notes(a: &Cell, b: &Cell, before: &Layout, now: &Layout) -> Vec<String> {
    let mut notes = Vec::new();
    let count = |n: Option<u64>| n.map_or_else(|| "—".to_owned(), |n| n.to_string());
    let (old, new) = (before.significance(a), now.significance(b));
    match (old, new) {
        (old, new) if old == new => {}
        ("", new) => notes.push(format!("gains {new}")),
        (old, "") => notes.push(format!("loses {old}")),
        (old, new) => notes.push(format!("{old} → {new}")),
    }
    let p = |cell: &Cell| cell.p.map(full);
    let moved = full_of(a.value) != full_of(b.value);
    if p(a) != p(b) && (old != new || !moved) {
        let shown = |p: Option<f64>| p.map_or_else(|| "—".to_owned(), brief);
        notes.push(format!("p {} → {}", shown(a.p), shown(b.p)));
    }
    if a.n != b.n {
        notes.push(format!("n {} → {}", count(a.n), count(b.n)));
    }
    if (a.unscored, &a.reasons) != (b.unscored, &b.reasons) {
        let mut reasons: Vec<String> = Vec::new();
        let codes: IndexSet<&String> = a.reasons.keys().chain(b.reasons.keys()).collect();
        for code in codes {
            let of = |cell: &Cell| cell.reasons.get(code).copied().unwrap_or(0);
            if of(a) != of(b) {
                reasons.push(format!("{} {} → {}", now.reason(code), of(a), of(b)));
            }
        }
        let why = match reasons.as_slice() {
            [] => String::new(),
            several => format!(" ({})", several.join(", ")),
        };
        notes.push(format!("unscored {} → {}{why}", a.unscored, b.unscored));
    }
    if a.dropped != b.dropped {
        notes.push(format!("dropped pairs {} → {}", a.dropped, b.dropped));
    }
    if (a.missing, a.parts) != (b.missing, b.parts) {
        notes.push(format!(
            "parts without a value {} → {}",
            a.missing, b.missing
        ));
    }
    if a.family != b.family {
        let tests = |cell: &Cell| count(cell.family.as_ref().map(|family| family.tests));
        notes.push(format!("tests corrected over {} → {}", tests(a), tests(b)));
    }
    let why = |cell: &Cell| {
        let none = cell.why_none.clone().filter(|_| cell.value.is_none());
        let undefined = cell.undefined.as_ref();
        let lacks = is_partial(cell).then(|| lacking(cell));
        none.or_else(|| undefined.map(|why| format!("not defined: {why}")))
            .or(lacks)
    };
    for (side, cell, other) in [("A", a, b), ("B", b, a)] {
        if let Some(reason) = why(cell).filter(|_| why(cell) != why(other)) {
            notes.push(format!("{side}: {}", one_line(&reason)));
        }
    }
    notes
}

fn full_of(value: Option<f64>) -> Option<String> {
    value.map(full)
}

/// A p-value at two significant digits.
fn brief(p: f64) -> String {
    match p {
        p if p >= 0.1 => format!("{p:.2}"),
        p if p >= 0.01 => format!("{p:.3}"),
        p if p >= 0.001 => format!("{p:.4}"),
        p => format!("{p:.1e}"),
    }
}
