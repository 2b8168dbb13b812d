//! A grid as text for a terminal of a given width.
//!
//! It returns text and never looks at the real terminal; whether there is one, how wide it is and whether it shows
//! bold type is the caller's knowledge. Nothing is said by bold type alone.

use std::ops::Range;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Cell as Field, CellAlignment, ContentArrangement, Table};
use unicode_width::UnicodeWidthStr;

use super::grid::Grid;
use super::text::{put, wrap};

/// Blanks that comfy-table puts around a field, one on either side, and one between it and the next field.
const PADDING: usize = 3;

/// The table in at most `width` columns; `color` allows bold type for the header.
///
/// A table that is too wide is cut into blocks of columns, each with the row labels repeated. Only where the row
/// labels and a single column do not fit are fields broken into lines.
pub fn render(grid: &Grid, width: usize, color: bool) -> String {
    let width = width.max(20);
    let mut out = String::new();
    if !grid.layout().headline().is_empty() {
        out.push_str(&wrap("", &grid.layout().headline(), width));
        out.push('\n');
    }
    let heads: Vec<String> = grid.columns().iter().map(stacked).collect();
    let shown: Vec<Vec<String>> = (0..grid.rows().len())
        .map(|row| {
            (0..heads.len())
                .map(|column| grid.shown(row, column).plain())
                .collect()
        })
        .collect();
    let blocks = blocks(grid, &heads, &shown, width);
    for (index, columns) in blocks.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let left = grid
            .layout()
            .rows
            .iter()
            .map(|field| grid.layout().heading(field));
        let header: Vec<String> = left.chain(heads[columns.clone()].iter().cloned()).collect();
        let body = grid.rows().iter().zip(&shown).map(|(head, fields)| {
            head.labels
                .iter()
                .chain(&fields[columns.clone()])
                .cloned()
                .collect()
        });
        out.push_str(&draw(
            &header,
            body,
            &(grid.layout().rows.len()..header.len()),
            width,
            color,
        ));
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

/// A plain table; the columns in `numbers` end at the right, the others start at the left.
pub(crate) fn draw(
    header: &[String],
    body: impl Iterator<Item = Vec<String>>,
    numbers: &Range<usize>,
    width: usize,
    color: bool,
) -> String {
    let mut table = Table::new();
    table
        .load_preset(UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    let aligned = |fields: &[String]| -> Vec<Field> {
        let side = |index| {
            if numbers.contains(&index) {
                CellAlignment::Right
            } else {
                CellAlignment::Left
            }
        };
        fields
            .iter()
            .enumerate()
            .map(|(index, text)| Field::new(text).set_alignment(side(index)))
            .collect()
    };
    table.set_header(aligned(header));
    for fields in body {
        table.add_row(aligned(&fields));
    }
    // Rules between all rows would double the length of every table.
    table.remove_style(comfy_table::TableComponent::HorizontalLines);
    table.remove_style(comfy_table::TableComponent::MiddleIntersections);
    let mut out = String::new();
    let mut above = true;
    for line in table.lines() {
        let line = line.trim_end();
        above &= !line.starts_with('═');
        let bold = color && above && !line.starts_with('─');
        let (on, off) = if bold {
            ("\u{1b}[1m", "\u{1b}[0m")
        } else {
            ("", "")
        };
        put!(out, "{on}{line}{off}\n");
    }
    out
}

/// Labels of several column fields one below the other.
fn stacked(head: &super::grid::Head) -> String {
    if head.labels.is_empty() {
        head.flat()
    } else {
        head.labels.join("\n")
    }
}

/// Cuts the columns into runs that fit beside the row labels, each with at least one column.
fn blocks(grid: &Grid, heads: &[String], shown: &[Vec<String>], width: usize) -> Vec<Range<usize>> {
    let widest = |texts: &mut dyn Iterator<Item = &str>| -> usize {
        texts
            .flat_map(str::lines)
            .map(UnicodeWidthStr::width)
            .max()
            .unwrap_or(0)
            + PADDING
    };
    let labels: usize = (0..grid.layout().rows.len())
        .map(|field| {
            let heading = grid.layout().heading(&grid.layout().rows[field]);
            let labels = grid
                .rows()
                .iter()
                .filter_map(|head| head.labels.get(field))
                .map(String::as_str);
            widest(&mut labels.chain([heading.as_str()]))
        })
        .sum();
    let mut blocks = Vec::new();
    let (mut start, mut used) = (0, labels);
    for (column, head) in heads.iter().enumerate() {
        let fields = shown.iter().map(|row| row[column].as_str());
        let needed = widest(&mut fields.chain([head.as_str()]));
        // Nothing follows the last field, so one blank less is needed.
        if column > start && used + needed > width + 1 {
            blocks.push(start..column);
            (start, used) = (column, labels);
        }
        used += needed;
    }
    if start < heads.len() || heads.is_empty() {
        blocks.push(start..heads.len());
    }
    blocks
}
