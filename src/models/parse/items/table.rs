//! Tables with a row for each element.
//!
//! Must not choose among lists (see `reader`).

use std::ops::Range;

use super::entry::{self, is_scored, item, says};
use super::lines::Line;
use super::marker::number_of;
use super::{Item, List};
use crate::models::parse::agree::Asked;
use crate::models::parse::form::Reading;
use crate::models::parse::value::{How, has, read};
use crate::models::score::Reason;

/// Words of the head of a column with verdicts.
const VERDICTS: [&str; 18] = [
    "answer",
    "assessment",
    "bewertung",
    "decision",
    "grade",
    "judgement",
    "judgment",
    "label",
    "mark",
    "points",
    "rating",
    "response",
    "result",
    "score",
    "status",
    "urteil",
    "value",
    "verdict",
];

/// A row of cells.
struct Row {
    line: Range<usize>,
    cells: Vec<Range<usize>>,
}

/// The lists in tables.
pub(super) fn tables(asked: &Asked<'_>, lines: &[Line]) -> Vec<List> {
    let mut lists = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    let mut last = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(cells) = cells(asked.reply, &line.range) {
            if last.is_some_and(|last| last + 1 != at) {
                lists.extend(table(asked, &std::mem::take(&mut rows)));
            }
            rows.push(Row {
                line: line.range.clone(),
                cells,
            });
            last = Some(at);
        }
    }
    lists.extend(table(asked, &rows));
    lists
}

/// The cells of a line between bars.
fn cells(reply: &str, line: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let text = reply[line.clone()].trim_start();
    let inner = text.strip_prefix('|')?.trim_end();
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut start = line.end - text.len() + 1;
    let mut cells = Vec::new();
    for cell in inner.split('|') {
        cells.push(start..start + cell.len());
        start += cell.len() + 1;
    }
    (cells.len() >= 2).then_some(cells)
}

/// The list in a table, if it is one of verdicts.
fn table(asked: &Asked<'_>, rows: &[Row]) -> Option<List> {
    let text = |cell: &Range<usize>| asked.reply[cell.clone()].trim();
    let ruler = |row: &Row| {
        row.cells.iter().all(|cell| {
            let cell = text(cell);
            cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))
        })
    };
    let (head, body) = match rows {
        [head, second, body @ ..] if ruler(second) => (Some(head), body),
        body => (None, body),
    };
    let width = body.first()?.cells.len();
    if body
        .iter()
        .any(|row| row.cells.len() != width || ruler(row))
    {
        return None;
    }
    let numbers = |column: usize| {
        let numbered =
            |row: &Row| number_of(text(&row.cells[column]).trim_matches(['*', '`', '.', ')']));
        body.iter().map(numbered).collect::<Option<Vec<usize>>>()
    };
    // Numbers stand in the first column.
    let numbered = numbers(0);
    let named = |column: usize| head.map_or("", |head| head.cells.get(column).map_or("", text));
    let from = usize::from(numbered.is_some());
    let columns = columns(asked, (from, width), &named, head.is_some(), |column| {
        let scored = |row: &Row| {
            entry::text(asked, row.cells[column].clone(), &[])
                .iter()
                .all(says)
        };
        body.iter().all(scored)
    })?;
    let mut items: Vec<Item> = Vec::new();
    for (index, row) in body.iter().enumerate() {
        let readings = asked.metrics.names().zip(&columns).enumerate();
        let readings = readings.map(|(metric, (name, column))| {
            let none = || Reading::without_score(name, Reason::NoScoreFound);
            let Some(column) = column else { return none() };
            let read = entry::text(asked, row.cells[*column].clone(), &[]);
            // A cell names no metric: what it says of the first it says of its own.
            let read = if read.len() == 1 {
                read.into_iter().next()
            } else {
                bare(asked, &row.cells[*column], metric)
            };
            read.unwrap_or_else(none)
        });
        let readings: Vec<Reading> = readings.collect();
        let name = numbered.as_ref().map(|_| {
            text(&row.cells[0])
                .trim_matches(['*', '`', '.', ')'])
                .to_owned()
        });
        items.push(Item {
            number: numbered.as_ref().map(|numbers| numbers[index]),
            name,
            ..item(readings, row.line.clone())
        });
    }
    let list = List {
        span: rows.first()?.line.start..rows.last()?.line.end,
        items,
    };
    list.items
        .iter()
        .any(|item| is_scored(&item.readings))
        .then_some(list)
}

/// What a cell says of a metric that the head of its column names.
fn bare(asked: &Asked<'_>, cell: &Range<usize>, metric: usize) -> Option<Reading> {
    let text = &asked.reply[..cell.end];
    let at = cell.end - asked.reply[cell.clone()].trim_start().len();
    let found = read(text, at, How::plain(asked.scale))?;
    Some(entry::value(
        asked,
        metric,
        Some(&found),
        found.span.clone(),
    ))
}

/// The column of each metric: by its head, or of a single metric with labels the only one that holds verdicts.
fn columns<'h>(
    asked: &Asked<'_>,
    (from, width): (usize, usize),
    named: &dyn Fn(usize) -> &'h str,
    headed: bool,
    holds: impl Fn(usize) -> bool,
) -> Option<Vec<Option<usize>>> {
    let heads = |column: &usize| {
        let head = named(*column).trim_matches(['*', '`', '?']);
        asked.metrics.position(head)
    };
    let mut columns: Vec<Option<usize>> = vec![None; asked.metrics.len()];
    for column in from..width {
        if let Some(metric) = heads(&column) {
            if columns[metric].is_some() {
                return None;
            }
            columns[metric] = Some(column);
        }
    }
    if columns.iter().any(Option::is_some) {
        return Some(columns);
    }
    let [single] = &mut columns[..] else {
        return None;
    };
    let of_verdicts = |column: &usize| {
        let words: Vec<&str> = named(*column).split(|c: char| !c.is_alphabetic()).collect();
        words.iter().any(|word| has(&VERDICTS, word))
    };
    let mut found: Vec<usize> = (from..width).filter(of_verdicts).collect();
    if found.is_empty() && (!asked.scale.labels.is_empty() || (!headed && width == from + 1)) {
        found = (from..width).filter(|column| holds(*column)).collect();
    }
    let [column] = found[..] else { return None };
    *single = Some(column);
    Some(columns)
}
