//! A comparison with published values as people and programs read it: terminal text, markdown, JSON.
//!
//! It words and draws what `verify` decided, and must not decide anything itself.

use super::columns::{Column, Kind, draw};
use super::json::pretty;
use super::layout::{one_line, shown};
use super::markdown;
use super::number::{fixed, full, signed, typeset};
use super::text::put;
use super::verify::{Audit, AuditRow, Status};
use crate::base::wording::{count, wrap};

/// What values of ours are called that are compared, but made of fewer parts than others.
const PARTIAL: &str = "of fewer parts than others";

/// Statuses in the order in which the summary names them.
const ORDER: [Status; 5] = [
    Status::Agrees,
    Status::Differs,
    Status::Absent,
    Status::Incomplete,
    Status::Drifted,
];

/// The comparison for a terminal of a given width: cells, what is missing, notes in full, and a sentence.
pub fn terminal(audit: &Audit, width: usize, color: bool) -> String {
    let width = width.max(20);
    let mut out = String::new();
    if !audit.title.is_empty() {
        out.push_str(&wrap("", &one_line(&audit.title), width));
        out.push('\n');
    }
    out.push_str(&draw(&columns(audit), width, color));
    let notes = notes(audit);
    for (mark, text) in &notes {
        out.push('\n');
        out.push_str(&wrap(&format!("{mark} "), text, width));
    }
    for line in losses(audit).iter().chain(&warnings(audit)) {
        out.push('\n');
        out.push_str(&wrap("", line, width));
    }
    out.push('\n');
    out.push_str(&wrap("", &format!("{}.", sentence(audit)), width));
    out
}

/// The comparison in markdown, with the same parts as on the terminal.
pub fn markdown(audit: &Audit) -> String {
    let mut out = String::new();
    if !audit.title.is_empty() {
        put!(out, "**{}**\n\n", markdown::escape(&audit.title));
    }
    out.push_str(&markdown_body(audit));
    out
}

/// The comparison in markdown without its title.
pub(super) fn markdown_body(audit: &Audit) -> String {
    let mut out = String::new();
    let keys = audit.row_fields.len() + audit.column_fields.len();
    // Key fields, then three numbers, then two columns of words.
    let rows = audit.rows.iter().map(fields);
    markdown::table(&mut out, &header(audit), rows, &(keys..keys + 3));
    for (index, (mark, text)) in notes(audit).iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        put!(
            out,
            "{gap}- {} {}\n",
            markdown::escape(mark),
            markdown::escape(text)
        );
    }
    for line in losses(audit).iter().chain(&warnings(audit)) {
        put!(out, "\n{}\n", markdown::escape(line));
    }
    put!(out, "\n{}.\n", markdown::escape(&sentence(audit)));
    out
}

/// The comparison as JSON at full precision, with the verdict and the summary sentence.
pub fn json(audit: &Audit) -> String {
    #[derive(serde::Serialize)]
    struct Document<'a> {
        format: u32,
        reproduced: bool,
        sentence: String,
        audit: &'a Audit,
    }
    pretty(&Document {
        format: 1,
        reproduced: audit.reproduced(),
        sentence: sentence(audit),
        audit,
    })
}

/// The whole comparison in one sentence, without a final period.
pub fn sentence(audit: &Audit) -> String {
    let summary = &audit.summary;
    let mut parts = Vec::new();
    for status in ORDER {
        let tally = summary.tally(status);
        if tally.cells == 0 {
            continue;
        }
        let excusable = matches!(
            status,
            Status::Differs | Status::Absent | Status::Incomplete
        );
        let explained = if excusable {
            format!(" ({} explained)", tally.explained)
        } else {
            String::new()
        };
        parts.push(format!(
            "{} {}{explained}",
            tally.cells,
            verb(status, tally.cells)
        ));
    }
    let cells = count(summary.cells, "cell");
    format!("{cells}: {}: {}", parts.join(", "), verdict(audit))
}

fn verb(status: Status, cells: usize) -> &'static str {
    match (status, cells) {
        (Status::Agrees, 1) => "agrees",
        (Status::Agrees, _) => "agree",
        (Status::Differs, 1) => "differs",
        (Status::Differs, _) => "differ",
        (other, _) => other.word(),
    }
}

fn verdict(audit: &Audit) -> String {
    let summary = &audit.summary;
    let agreed = summary.tally(Status::Agrees).cells;
    if agreed == summary.cells {
        return "the published values are reproduced".to_owned();
    }
    let drifted = summary.tally(Status::Drifted).cells;
    let explained: usize = summary
        .by_status
        .values()
        .map(|tally| tally.explained)
        .sum();
    let open = summary.cells - agreed - drifted - explained;
    let mut reasons = Vec::new();
    if drifted > 0 {
        let verb = if drifted == 1 {
            "has drifted"
        } else {
            "have drifted"
        };
        let cells = count(drifted, "cell");
        reasons.push(format!(
            "{cells} {verb} from the audited value, which no note can explain"
        ));
    }
    if open > 0 {
        let verb = if open == 1 { "is" } else { "are" };
        reasons.push(format!("{} {verb} not explained", count(open, "cell")));
    }
    if !reasons.is_empty() {
        return format!(
            "the published values are not reproduced: {}",
            reasons.join(", ")
        );
    }
    "the published values are not all reproduced; every difference is explained".to_owned()
}

pub(super) fn header(audit: &Audit) -> Vec<String> {
    let keys = audit
        .row_fields
        .iter()
        .chain(&audit.column_fields)
        .map(|field| one_line(field));
    keys.chain(["printed", "ours", "diff", "status", "note"].map(str::to_owned))
        .collect()
}

/// The comparison as columns: what says which cell it is, then three numbers, then two columns of names.
fn columns(audit: &Audit) -> Vec<Column> {
    let keys = audit.row_fields.len() + audit.column_fields.len();
    let rows: Vec<Vec<String>> = audit.rows.iter().map(fields).collect();
    let column = |(at, head): (usize, String)| {
        let kind = match at {
            at if at < keys => Kind::Words,
            at if at < keys + 3 => Kind::Number,
            _ => Kind::Name,
        };
        let of_rows = rows.iter().map(|row| row[at].clone());
        Column::new(head, kind, of_rows.collect())
    };
    header(audit).into_iter().enumerate().map(column).collect()
}

/// One row of the comparison: key, print, ours at the print's decimals, difference, status, mark of the note.
pub(super) fn fields(row: &AuditRow) -> Vec<String> {
    let number = |value: Option<f64>, text: &dyn Fn(f64) -> String| {
        value.map_or("—".to_owned(), |v| typeset(&text(v)))
    };
    let keys = row
        .row
        .iter()
        .chain(&row.column)
        .map(|value| one_line(shown(value)));
    let mark = row
        .note
        .map(|note| format!("[{}]", note + 1))
        .unwrap_or_default();
    keys.chain([
        typeset(&one_line(&row.printed)),
        number(row.ours, &|value| fixed(value, row.decimals)),
        number(row.difference, &|value| {
            signed(value, shown_decimals(value, row.decimals))
        }),
        row.status.word().to_owned(),
        mark,
    ])
    .collect()
}

/// A difference below the print's resolution is shown with one more digit, lest it look like none.
fn shown_decimals(difference: f64, decimals: usize) -> usize {
    let unit = 10f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
    decimals + usize::from(difference.abs() < unit)
}

/// Notes that explain something: mark, and text with the number of cells.
fn notes(audit: &Audit) -> Vec<(String, String)> {
    let used = audit
        .notes
        .iter()
        .enumerate()
        .filter(|(_, note)| note.cells > 0);
    used.map(|(index, note)| {
        let cells = count(note.cells, "cell");
        (
            format!("[{}]", index + 1),
            format!("{} ({cells})", one_line(&note.text)),
        )
    })
    .collect()
}

/// What is missing from our values, each reason once with the number of cells.
pub(super) fn losses(audit: &Audit) -> Vec<String> {
    let mut reasons: indexmap::IndexMap<(&str, String), u64> = indexmap::IndexMap::new();
    let kind = |status: Status| match status {
        Status::Absent | Status::Incomplete => status.word(),
        // Compared as it is, but the reader should know.
        Status::Agrees | Status::Differs | Status::Drifted => PARTIAL,
    };
    for row in &audit.rows {
        // That there is no value is what is printed, where that agrees.
        let expected = row.status == Status::Agrees && row.ours.is_none();
        if let Some(why) = row.why.as_ref().filter(|_| !expected) {
            let of = (kind(row.status), one_line(why));
            *reasons.entry(of).or_default() += 1;
        }
    }
    let line = |kind: &str| {
        let named = reasons.iter().filter(|((of, _), _)| *of == kind);
        let named: Vec<String> = named
            .map(|((_, why), cells)| format!("{why} ({})", count(*cells, "cell")))
            .collect();
        (!named.is_empty()).then(|| format!("{kind}: {}.", named.join("; ")))
    };
    [Status::Absent.word(), Status::Incomplete.word(), PARTIAL]
        .into_iter()
        .filter_map(line)
        .collect()
}

/// What the reader should repair: drifted values, notes that explain nothing; and cells that were not compared.
pub(super) fn warnings(audit: &Audit) -> Vec<String> {
    let mut lines = Vec::new();
    for row in audit
        .rows
        .iter()
        .filter(|row| row.status == Status::Drifted)
    {
        let fields = audit
            .row_fields
            .iter()
            .chain(&audit.column_fields)
            .map(String::as_str);
        let place = super::layout::place(fields, row.row.iter().chain(&row.column));
        let value = |value: Option<f64>| value.map_or("no value".to_owned(), full);
        let (audited, ours) = (value(row.audited), value(row.ours));
        lines.push(format!(
            "drifted: `{place}` should be {audited}, ours is {ours}."
        ));
    }
    for &index in &audit.summary.stale {
        let line = audit.notes.get(index).map_or(0, |note| note.line);
        lines.push(format!(
            "note [{}] (line {line}) explains no cell; remove or correct it.",
            index + 1
        ));
    }
    if audit.summary.not_printed > 0 {
        let cells = count(audit.summary.not_printed, "cell");
        let verb = if audit.summary.not_printed == 1 {
            "is"
        } else {
            "are"
        };
        lines.push(format!(
            "{cells} of ours {verb} not published and not compared."
        ));
    }
    lines
}
