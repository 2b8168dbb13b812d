//! A comparison as people read it: one set of sections, drawn for a terminal, in markdown and in HTML.
//!
//! It words and draws what was compared, and must not compare.

use serde_json::Value;

use super::leaves::Change;
use super::{CellChange, Comparison, Difference, Shown, TableChange};
use crate::base::wording::{count, count_of, excerpts, wrap};
use crate::output::report::columns::{Column, Kind, draw};
use crate::output::report::layout::one_line;
use crate::output::report::text::put;
use crate::output::report::{html, markdown};

/// Values of settings are shown up to this length.
const LONGEST: usize = 60;

/// A part of what is said: a heading, lines, and a table.
#[derive(Default)]
struct Section {
    /// 1 for what stands under the title, 2 for the parts of an experiment among several; 0 without a heading.
    level: usize,
    heading: String,
    lines: Vec<String>,
    table: Option<Table>,
    /// Said after the table.
    after: Option<String>,
}

/// Fields in rows under heads; those in `numbers` end at the right.
struct Table {
    /// What stands on top.
    head: Vec<String>,
    /// The rows.
    rows: Vec<Vec<String>>,
    /// Columns that hold numbers.
    numbers: std::ops::Range<usize>,
}

impl Table {
    fn columns(&self) -> Vec<Column> {
        let column = |(at, head): (usize, &String)| {
            let number = self.numbers.contains(&at);
            let kind = if number { Kind::Number } else { Kind::Words };
            let fields = self.rows.iter().map(|row| row[at].clone());
            Column::new(head, kind, fields.collect())
        };
        self.head.iter().enumerate().map(column).collect()
    }
}

/// What differs, for a terminal of a given width; of each table `most` changed cells, and how many are left out.
pub fn terminal(comparison: &Comparison, width: usize, color: bool, most: usize) -> String {
    let mut out = String::new();
    for (index, section) in sections(comparison, most).iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if !section.heading.is_empty() {
            let text = wrap("", &section.heading, width);
            let text = text.trim_end();
            if color {
                put!(out, "\u{1b}[1m{text}\u{1b}[0m\n");
            } else {
                put!(out, "{text}\n");
            }
        }
        let first = if section.heading.is_empty() { "" } else { "  " };
        for line in &section.lines {
            out.push_str(&wrap(first, line, width));
        }
        if let Some(table) = &section.table {
            out.push_str(&draw(&table.columns(), width, color));
        }
        if let Some(after) = &section.after {
            out.push_str(&wrap("", after, width));
        }
    }
    out
}

/// What differs, in markdown, with every changed cell.
pub fn markdown(comparison: &Comparison) -> String {
    let mut out = String::from("# What differs\n");
    for section in sections(comparison, usize::MAX) {
        out.push('\n');
        if !section.heading.is_empty() {
            let signs = "#".repeat(section.level + 1);
            put!(out, "{signs} {}\n\n", markdown::escape(&section.heading));
        }
        for line in &section.lines {
            put!(out, "- {}\n", markdown::escape(line));
        }
        if let Some(table) = &section.table {
            let rows = table.rows.iter().cloned();
            markdown::table(&mut out, &table.head, rows, &table.numbers);
        }
        if let Some(after) = &section.after {
            put!(out, "\n{}\n", markdown::escape(after));
        }
    }
    out
}

/// What differs, as a fragment of HTML with every changed cell: structure only, and everything from data escaped.
pub fn html(comparison: &Comparison) -> String {
    let mut out = String::from("<h1>What differs</h1>\n");
    for section in sections(comparison, usize::MAX) {
        if !section.heading.is_empty() {
            let level = section.level + 1;
            let heading = html::escape(&section.heading);
            put!(out, "<h{level}>{heading}</h{level}>\n");
        }
        if !section.lines.is_empty() {
            out.push_str("<ul>\n");
            for line in &section.lines {
                put!(out, "<li>{}</li>\n", html::escape(line));
            }
            out.push_str("</ul>\n");
        }
        if let Some(table) = &section.table {
            rows(&mut out, table);
        }
        if let Some(after) = &section.after {
            put!(out, "<p>{}</p>\n", html::escape(after));
        }
    }
    out
}

fn rows(out: &mut String, table: &Table) {
    out.push_str("<div class=\"scroll\">\n<table>\n<thead>\n<tr>");
    let class = |at: usize| {
        if table.numbers.contains(&at) {
            " class=\"number\""
        } else {
            ""
        }
    };
    for (at, head) in table.head.iter().enumerate() {
        put!(
            out,
            "<th scope=\"col\"{}>{}</th>",
            class(at),
            html::escape(head)
        );
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (at, field) in row.iter().enumerate() {
            put!(out, "<td{}>{}</td>", class(at), html::escape(field));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn sections(comparison: &Comparison, most: usize) -> Vec<Section> {
    let mut sections = vec![Section {
        lines: vec![
            format!("A: {}", one_line(&comparison.a)),
            format!("B: {}", one_line(&comparison.b)),
        ],
        ..Section::default()
    }];
    for (side, names) in [("A", &comparison.only_a), ("B", &comparison.only_b)] {
        if !names.is_empty() {
            sections.push(Section {
                level: 1,
                heading: format!("only {side} has {}", count(names.len(), "experiment")),
                lines: names.iter().map(|name| one_line(name)).collect(),
                ..Section::default()
            });
        }
    }
    let several =
        comparison.experiments.len() > 1 || comparison.only_a.len() + comparison.only_b.len() > 0;
    let same: Vec<&Difference> = comparison
        .experiments
        .iter()
        .filter(|one| one.same())
        .collect();
    if !same.is_empty() {
        sections.push(Section {
            lines: vec![all_same(&same, several)],
            ..Section::default()
        });
    }
    for one in comparison.experiments.iter().filter(|one| !one.same()) {
        if several {
            sections.push(Section {
                level: 1,
                heading: format!("experiment {}", one_line(&one.name)),
                ..Section::default()
            });
        }
        let from = sections.len();
        parts(one, most, &mut sections);
        // The parts of a single experiment stand under the title.
        for section in &mut sections[from..] {
            section.level = if several { 2 } else { 1 };
        }
    }
    sections
}

/// One line for all experiments without a difference.
fn all_same(same: &[&Difference], several: bool) -> String {
    let tables = || same.iter().flat_map(|one| &one.tables);
    let cells: usize = tables().map(|table| table.equal).sum();
    let there = format!(
        "{} with {} the same to the last bit",
        count(tables().count(), "table"),
        count(cells, "cell"),
    );
    if several {
        format!(
            "nothing differs in {}: {there}",
            count(same.len(), "experiment")
        )
    } else {
        format!("nothing differs: {there}")
    }
}

/// The parts of one experiment that differ.
fn parts(one: &Difference, most: usize, sections: &mut Vec<Section>) {
    let changes: [(&str, &Vec<Change>); 4] = [
        ("settings", &one.settings),
        ("files that were read", &one.files),
        ("replies by the model that answered", &one.models),
        ("run from", &one.origin),
    ];
    for (heading, changes) in changes {
        section(sections, heading, changes);
    }
    if !one.stages.is_empty() {
        let lines = one.stages.iter().map(|stage| {
            let mut parts = Vec::new();
            if stage.changed > 0 {
                parts.push(format!("{} of {}", stage.changed, stage.nodes));
            }
            for (side, only) in [("A", stage.only_a), ("B", stage.only_b)] {
                if only > 0 {
                    parts.push(format!("{only} only in {side}"));
                }
            }
            format!("{}: {}", one_line(&stage.stage), parts.join(", "))
        });
        sections.push(Section {
            heading: "stages with other results".to_owned(),
            lines: lines.collect(),
            ..Section::default()
        });
    }
    for table in one.tables.iter().filter(|table| !table.same()) {
        sections.push(changed(table, most));
    }
    let same: Vec<&TableChange> = one.tables.iter().filter(|table| table.same()).collect();
    if !same.is_empty() {
        let named: Vec<String> = same
            .iter()
            .map(|table| {
                format!(
                    "{} ({})",
                    one_line(&table.place()),
                    count(table.equal, "cell")
                )
            })
            .collect();
        sections.push(Section {
            heading: "tables that are the same to the last bit".to_owned(),
            lines: vec![named.join(", ")],
            ..Section::default()
        });
    }
    section(sections, "scores and texts", &one.counts);
    section(sections, "calls and time", &one.cost);
}

fn section(sections: &mut Vec<Section>, heading: &str, changes: &[Change]) {
    if !changes.is_empty() {
        sections.push(Section {
            heading: heading.to_owned(),
            lines: changes.iter().map(line).collect(),
            ..Section::default()
        });
    }
}

/// `seed: 7 → 8`, `judge.strict.model: "a", only in B`.
fn line(change: &Change) -> String {
    let path = one_line(&change.path);
    match (&change.a, &change.b) {
        (Some(a), Some(b)) => {
            let (a, b) = excerpts(&value(a), &value(b), LONGEST);
            format!("{path}: {a} → {b}")
        }
        (Some(only), None) => format!(
            "{path}: {}, only in A",
            excerpts(&value(only), "", LONGEST).0
        ),
        (None, Some(only)) => format!(
            "{path}: {}, only in B",
            excerpts(&value(only), "", LONGEST).0
        ),
        (None, None) => path,
    }
}

/// A value as TOML would have it, near enough: JSON on one line.
fn value(value: &Value) -> String {
    match value {
        Value::Object(fields) if !fields.is_empty() => count(fields.len(), "setting"),
        other => one_line(&other.to_string()),
    }
}

fn changed(table: &TableChange, most: usize) -> Section {
    let place = one_line(&table.place());
    if let Some(side) = table.only {
        let cells = table.only_a.len() + table.only_b.len();
        return Section {
            heading: format!("table {place}"),
            lines: vec![format!(
                "only {} has it: {}",
                side.to_uppercase(),
                count(cells, "cell")
            )],
            ..Section::default()
        };
    }
    let mut parts = vec![
        count_of(table.changed.len(), "cell changed", "cells changed"),
        format!("{} equal", table.equal),
    ];
    for (side, only) in [("A", &table.only_a), ("B", &table.only_b)] {
        if !only.is_empty() {
            parts.push(format!("{} only in {side}", only.len()));
        }
    }
    let mut all: Vec<Vec<String>> = table
        .changed
        .iter()
        .map(fields)
        .chain(table.only_a.iter().map(|cell| lone(cell, 2)))
        .chain(table.only_b.iter().map(|cell| lone(cell, 3)))
        .collect();
    let left_out = all.len().saturating_sub(most);
    all.truncate(most);
    let head = [
        table.rows.join(" · "),
        table.columns.join(" · "),
        "A".to_owned(),
        "B".to_owned(),
        "difference".to_owned(),
        "also".to_owned(),
    ]
    .map(|text| one_line(&text));
    Section {
        heading: format!("table {place}: {}", parts.join(", ")),
        level: 1,
        lines: Vec::new(),
        table: Some(without_empty(&head, &all)),
        after: (left_out > 0).then(|| {
            format!(
                "{} not shown: `--all` shows them",
                count_of(left_out, "more is", "more are")
            )
        }),
    }
}

fn fields(cell: &CellChange) -> Vec<String> {
    vec![
        cell.row.clone(),
        cell.column.clone(),
        cell.shown_a.clone(),
        cell.shown_b.clone(),
        cell.shown_difference.clone(),
        one_line(&cell.notes.join("; ")),
    ]
}

/// A cell that one side has, whose value stands in the column `at`.
fn lone(cell: &Shown, at: usize) -> Vec<String> {
    let mut fields = vec![cell.row.clone(), cell.column.clone()];
    fields.resize(6, String::new());
    fields[at].clone_from(&cell.shown);
    let side = if at == 2 { "only in A" } else { "only in B" };
    side.clone_into(&mut fields[5]);
    fields
}

/// The table without columns of names or notes in which nothing stands.
fn without_empty(head: &[String; 6], rows: &[Vec<String>]) -> Table {
    let kept: Vec<usize> = (0..6)
        .filter(|at| matches!(at, 2..=4) || rows.iter().any(|row| !row[*at].is_empty()))
        .collect();
    let first = kept.iter().position(|&at| at == 2).unwrap_or(0);
    let take =
        |fields: &[String]| -> Vec<String> { kept.iter().map(|&at| fields[at].clone()).collect() };
    Table {
        head: take(head),
        rows: rows.iter().map(|row| take(row)).collect(),
        numbers: first..first + 3,
    }
}
