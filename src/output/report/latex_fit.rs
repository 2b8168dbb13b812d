//! How a table fits on pages that LaTeX sets: which columns and rows stand together, and where the notes go.
//!
//! Widths are estimates in digits of the text font, since only LaTeX knows them; it scales what is off by some. It must
//! not write LaTeX beyond the formats of label columns and the notes.

use std::ops::Range;

use super::grid::Grid;
use super::latex::sides;
use super::latex_text::{escape, width};

/// Digits in a line of an article at ten points, 345 points wide, of which a digit takes five.
const LINE: usize = 69;
/// A table may be this much wider than the line, in hundredths: scaled down to it, it is still read with ease.
const SQUEEZE: usize = 140;
/// Lines that fit on a page with a caption.
const PAGE: usize = 42;
/// Letters of a note in one line.
const NOTE: usize = 95;
/// The gap between columns, in digits.
const GAP: usize = 2;
/// A head is broken into lines where it is longer than this and has blanks.
const HEAD: usize = 14;
/// A label is broken into lines where it is longer than this.
const LABEL: usize = 36;
/// Letters in a line of a label that is broken, with some to spare for words that do not fit behind each other.
const BROKEN: usize = 26;

/// Columns and rows that are one `tabular`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) columns: Range<usize>,
    pub(super) rows: Range<usize>,
}

/// What one `table` environment holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Float {
    pub(super) blocks: Vec<Block>,
    /// Notes, escaped.
    pub(super) notes: Vec<String>,
}

/// How a grid is cut up.
#[derive(Debug)]
pub(super) struct Plan {
    /// The formats of the label columns.
    pub(super) labels: Vec<String>,
    /// At least one.
    pub(super) floats: Vec<Float>,
}

/// Cuts columns where a block would be far too wide, rows where it would be too long, and puts as many blocks into a
/// float as fit on a page, the notes behind the last.
pub(super) fn plan(grid: &Grid) -> Plan {
    let labels = label_columns(grid);
    let heads = grid.layout().columns.len().max(1) + 2;
    let beside = labels
        .iter()
        .map(|column| column.width.min(LABEL) + GAP)
        .sum();
    let wide = column_ranges(grid, beside);
    let rows = grid.rows().len();
    let room = PAGE.saturating_sub(heads).max(1);
    let mut floats = vec![Float::default()];
    let mut used = 0;
    for columns in wide {
        let mut from = 0;
        loop {
            let mut to = from;
            let mut lines = heads;
            while to < rows && (to == from || lines + row_lines(grid, &labels, to) <= room + heads)
            {
                lines += row_lines(grid, &labels, to);
                to += 1;
            }
            if used > 0 && used + lines > PAGE {
                floats.push(Float::default());
                used = 0;
            }
            used += lines;
            let block = Block {
                columns: columns.clone(),
                rows: from..to,
            };
            if let Some(float) = floats.last_mut() {
                float.blocks.push(block);
            }
            from = to;
            if from >= rows {
                break;
            }
        }
    }
    for (note, lines) in notes(grid) {
        if used + lines > PAGE && used > 0 {
            floats.push(Float::default());
            used = 0;
        }
        used += lines;
        if let Some(float) = floats.last_mut() {
            float.notes.push(note);
        }
    }
    let labels = labels.into_iter().map(|column| {
        if column.broken {
            ">{\\raggedright\\arraybackslash}p{.4\\linewidth}".to_owned()
        } else {
            "l".to_owned()
        }
    });
    Plan {
        labels: labels.collect(),
        floats,
    }
}

/// The lines of a head: broken at blanks where it is longer than a column usually is, or than `room`.
pub(super) fn column_lines(label: &str, room: usize) -> Vec<String> {
    let room = room.max(HEAD);
    let mut lines: Vec<String> = Vec::new();
    for word in label.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// A column of labels.
struct Labels {
    /// The width of its longest one.
    width: usize,
    /// Whether long ones are broken into lines, which needs words that are shorter than the column.
    broken: bool,
}

fn label_columns(grid: &Grid) -> Vec<Labels> {
    let layout = grid.layout();
    let fields = layout.rows.iter().enumerate();
    fields
        .map(|(at, field)| {
            let heading = layout.heading(field);
            let labels = grid.rows().iter().filter_map(|head| head.labels.get(at));
            let all: Vec<&str> = labels.chain([&heading]).map(String::as_str).collect();
            let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
            let longest = widest(&mut all.iter().map(|label| width(label)));
            let words = all.iter().flat_map(|label| label.split_whitespace());
            Labels {
                width: longest,
                broken: longest > LABEL && widest(&mut words.map(width)) <= BROKEN,
            }
        })
        .collect()
}

/// How many lines a row takes.
fn row_lines(grid: &Grid, columns: &[Labels], row: usize) -> usize {
    let labels = grid.rows()[row].labels.iter().zip(columns);
    labels
        .filter(|(_, column)| column.broken)
        .map(|(label, _)| width(label).div_ceil(BROKEN))
        .max()
        .unwrap_or(1)
        .max(1)
}

/// Runs of columns that fit beside the labels, each with at least one column; of like length, if that fits as well.
fn column_ranges(grid: &Grid, labels: usize) -> Vec<Range<usize>> {
    let most = LINE * SQUEEZE / 100;
    let widths: Vec<usize> = (0..grid.columns().len())
        .map(|column| column_width(grid, column))
        .collect();
    let mut ranges = Vec::new();
    let (mut start, mut used) = (0, labels);
    for (column, width) in widths.iter().enumerate() {
        if column > start && used + width > most {
            ranges.push(start..column);
            (start, used) = (column, labels);
        }
        used += width;
    }
    ranges.push(start..widths.len());
    let each = widths.len().div_ceil(ranges.len()).max(1);
    let starts = (0..widths.len()).step_by(each);
    let even: Vec<Range<usize>> = starts
        .map(|start| start..(start + each).min(widths.len()))
        .collect();
    let fits = |range: &Range<usize>| labels + widths[range.clone()].iter().sum::<usize>() <= most;
    if even.len() == ranges.len() && even.iter().all(fits) {
        even
    } else {
        ranges
    }
}

/// How wide a column of numbers is with its head and the gap behind it, in digits.
fn column_width(grid: &Grid, column: usize) -> usize {
    let lines = column_lines(&grid.columns()[column].leaf(), 0);
    let title = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    let (left, right) = (0..grid.rows().len())
        .map(|row| sides(&grid.shown(row, column)))
        .fold((0, 0), |(left, right), (l, r)| (left.max(l), right.max(r)));
    title.max(left + right + 1) + GAP
}

/// The notes under a table and how many lines each takes.
fn notes(grid: &Grid) -> Vec<(String, usize)> {
    let lines = |text: &str| width(text).div_ceil(NOTE).max(1);
    let marked = grid.footnotes().iter().map(|note| {
        let text = format!(
            "\\textsuperscript{{{}}}~{}",
            escape(&note.mark),
            escape(&note.text)
        );
        (text, lines(&note.text))
    });
    let remarks = grid.remarks().into_iter();
    marked
        .chain(remarks.map(|remark| (escape(&remark), lines(&remark))))
        .collect()
}
