//! A grid in long form as RFC 4180 text, for programs.
//!
//! Full precision, ASCII minus, keys as they are: no labels, no rounding, no marks.

use super::footnote::{is_partial, lacking};
use super::grid::Grid;
use super::layout::{Cell, Family};
use super::number::full;
use crate::stats::statistic::{is_corrected, is_p_value};

/// What stands behind the fields.
pub(super) const NAMES: [&str; 20] = [
    "value",
    "n",
    "unscored",
    "dropped",
    "missing",
    "p",
    "why_none",
    "why_no_p",
    "parts",
    "partial",
    "lacks",
    "tests",
    "tests_undefined",
    "n_of",
    "averaged",
    "value_of",
    "p_correction",
    "p_alternative",
    "ddof",
    "ci_level",
];

/// One line per place of the table, row by row: row fields, column fields, then the names of what is known of a value. A value that does not exist is
/// an empty field and `why_none` says why; `why_no_p` says why a test is not defined, `lacks` what a value is made of
/// fewer of than others, `tests` over how many its p-value was corrected, `n_of` what one of the `n` is, `averaged` how many
/// repeats are averaged to one of them at most. `value_of` is the statistic; `p_correction` and `p_alternative` say which
/// p-value it is, `ddof` and `ci_level` how spread and intervals were computed.
pub fn render(grid: &Grid) -> String {
    let mut out = String::new();
    record(
        &mut out,
        grid.layout()
            .fields()
            .map(str::to_owned)
            .chain(NAMES.map(str::to_owned)),
    );
    for (row, row_head) in grid.rows().iter().enumerate() {
        for (column, column_head) in grid.columns().iter().enumerate() {
            let key = row_head.key.iter().chain(&column_head.key).cloned();
            let measures = grid.cell(row, column).map_or_else(no_cell, measures);
            record(&mut out, key.chain(measures));
        }
    }
    out
}

fn record(out: &mut String, fields: impl Iterator<Item = String>) {
    for (index, field) in fields.enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&quote(&field));
    }
    out.push_str("\r\n");
}

/// A field in quotes where the format asks for them, and where bare blanks at its ends could get lost.
pub(super) fn quote(field: &str) -> String {
    let needed = field.contains([',', '"', '\n', '\r']) || field.trim() != field;
    if needed {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn measures(cell: &Cell) -> [String; NAMES.len()] {
    let family = |count: fn(&Family) -> u64| {
        let family = cell.family.as_ref();
        family
            .map(|family| count(family).to_string())
            .unwrap_or_default()
    };
    let how = cell.how.as_ref();
    let why = cell.why_none.as_ref().filter(|_| cell.value.is_none());
    [
        cell.value.map(full).unwrap_or_default(),
        cell.n.map(|n| n.to_string()).unwrap_or_default(),
        cell.unscored.to_string(),
        cell.dropped.to_string(),
        cell.missing.to_string(),
        cell.p.map(full).unwrap_or_default(),
        why.cloned().unwrap_or_default(),
        cell.undefined.clone().unwrap_or_default(),
        cell.parts
            .map(|parts| parts.to_string())
            .unwrap_or_default(),
        cell.partial.to_string(),
        if is_partial(cell) {
            lacking(cell)
        } else {
            String::new()
        },
        family(|family| family.tests),
        family(|family| family.undefined),
        cell.unit.clone().unwrap_or_default(),
        Some(cell.repeats)
            .filter(|&repeats| repeats > 0)
            .map(|repeats| repeats.to_string())
            .unwrap_or_default(),
        cell.statistic.clone().unwrap_or_default(),
        correction(cell),
        how.and_then(|how| how.test.clone()).unwrap_or_default(),
        how.and_then(|how| how.ddof)
            .map(|ddof| ddof.to_string())
            .unwrap_or_default(),
        how.map(|how| full(how.level)).unwrap_or_default(),
    ]
}

/// How the p-value was corrected, if there is one; `none` where it was not.
fn correction(cell: &Cell) -> String {
    let as_computed = |name| is_p_value(name) && !is_corrected(name);
    let p_value = cell.statistic.as_deref().is_some_and(as_computed);
    match &cell.family {
        Some(family) => family.correction.clone(),
        None if cell.p.is_some() || p_value => "none".to_owned(),
        None => String::new(),
    }
}

fn no_cell() -> [String; NAMES.len()] {
    std::array::from_fn(|index| {
        if NAMES[index] == "why_none" {
            "no cell".to_owned()
        } else {
            String::new()
        }
    })
}
