//! A grid as text for a terminal of a given width.
//!
//! It returns text and never looks at the real terminal; whether there is one, how wide it is and whether it shows
//! bold type is the caller's knowledge. Nothing is said by bold type alone.

use super::columns::{Column, Kind, blocks, draw};
use super::grid::Grid;
use crate::base::wording::wrap;

/// The table in at most `width` columns; `color` allows bold type for the header.
///
/// A table that is too wide is set more tightly, then its heads are broken into lines, then its row labels; what is still
/// too wide is cut into blocks of columns, each with the row labels repeated.
pub fn render(grid: &Grid, width: usize, color: bool) -> String {
    let width = width.max(20);
    let mut out = String::new();
    if !grid.layout().headline().is_empty() {
        out.push_str(&wrap("", &grid.layout().headline(), width));
        out.push('\n');
    }
    let labels = labels(grid);
    let numbers = numbers(grid);
    for (index, block) in blocks(&labels, &numbers, width).into_iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let beside: Vec<Column> = labels.iter().chain(&numbers[block]).cloned().collect();
        out.push_str(&draw(&beside, width, color));
    }
    out.push('\n');
    for note in grid.footnotes() {
        out.push_str(&wrap(&format!("{} ", note.mark), &note.text, width));
    }
    for remark in grid.remarks() {
        out.push_str(&wrap("", &remark, width));
    }
    out
}

/// The columns that say what a row is.
fn labels(grid: &Grid) -> Vec<Column> {
    let fields = grid.layout().rows.iter().enumerate();
    let column = |(at, field): (usize, &String)| {
        let labels = grid.rows().iter();
        let labels = labels.map(|head| head.labels.get(at).cloned().unwrap_or_default());
        Column::new(grid.layout().heading(field), Kind::Words, labels.collect())
    };
    fields.map(column).collect()
}

/// The columns of numbers.
fn numbers(grid: &Grid) -> Vec<Column> {
    let heads = grid.columns().iter().enumerate();
    let column = |(at, head)| {
        let shown = (0..grid.rows().len()).map(|row| grid.shown(row, at).plain());
        Column::new(stacked(head), Kind::Number, shown.collect())
    };
    heads.map(column).collect()
}

/// Labels of several column fields one below the other.
fn stacked(head: &super::grid::Head) -> String {
    if head.labels.is_empty() {
        head.flat()
    } else {
        head.labels.join("\n")
    }
}
