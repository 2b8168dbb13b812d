//! Many comparisons with published values on one page: a line for each table, then every table with its reasons.

use super::audit;
use super::columns::{Column, Kind, draw};
use super::markdown;
use super::text::put;
use super::verify::{Audit, Status};
use crate::base::wording::{count, count_of, wrap};

/// The columns after the table's name: cells, what became of them, and how many differences are explained.
const COLUMNS: [(&str, Option<Status>); 6] = [
    ("cells", None),
    ("agree", Some(Status::Agrees)),
    ("differ", Some(Status::Differs)),
    ("absent", Some(Status::Absent)),
    ("incomplete", Some(Status::Incomplete)),
    ("drifted", Some(Status::Drifted)),
];

/// Columns that are left out on the terminal where they would hold nothing but 0.
const SELDOM: [&str; 2] = ["incomplete", "drifted"];

/// Whether a column of counts holds one that is not 0.
fn some(column: &Column) -> bool {
    column.fields.iter().any(|count| count != "0")
}

/// A line for each table, and what all come to, for a terminal of a given width.
pub fn terminal(audits: &[Audit], width: usize, color: bool) -> String {
    let rows = rows(audits);
    let columns: Vec<Column> = header()
        .into_iter()
        .enumerate()
        .map(|(at, head)| {
            let kind = if at == 0 { Kind::Words } else { Kind::Number };
            Column::new(head, kind, rows.iter().map(|row| row[at].clone()).collect())
        })
        .filter(|column| !SELDOM.contains(&column.head.as_str()) || some(column))
        .collect();
    let mut out = draw(&columns, width, color);
    for audit in audits.iter().filter(|audit| !audit.reproduced()) {
        out.push('\n');
        let line = format!("{}: {}", audit.title, audit::sentence(audit));
        out.push_str(&wrap("", &line, width));
    }
    out.push('\n');
    out.push_str(&wrap("", &format!("{}.", sentence(audits)), width));
    out
}

/// All tables on one page of markdown: the overview, then each table's cells and reasons.
pub fn markdown(title: &str, audits: &[Audit]) -> String {
    let mut out = format!("# {}\n\n{}.\n\n", markdown::escape(title), sentence(audits));
    let (head, rows) = (header(), rows(audits).into_iter());
    markdown::table(&mut out, &head, rows, &(1..head.len()));
    for audit in audits {
        let title = markdown::escape(&audit.title);
        put!(out, "\n## {title}\n\n{}", audit::markdown_body(audit));
    }
    out
}

/// What all come to, in a sentence without a final period.
pub fn sentence(audits: &[Audit]) -> String {
    let cells: usize = audits.iter().map(|audit| audit.summary.cells).sum();
    let agree: usize = audits.iter().map(agreed).sum();
    let explained: usize = audits.iter().map(explained).sum();
    let tables = count(audits.len(), "table");
    let open = cells - agree - explained;
    let differ = match explained {
        1 => "1 differs".to_owned(),
        n => format!("{n} differ"),
    };
    let rest = match open {
        0 => "every difference is explained".to_owned(),
        _ => {
            let open = count_of(open, "difference is", "differences are");
            format!("{open} not explained")
        }
    };
    format!(
        "{tables} with {}: {agree} as published, {differ} with an explanation; {rest}",
        count(cells, "printed cell")
    )
}

fn header() -> Vec<String> {
    let columns = COLUMNS.iter().map(|(name, _)| *name);
    ["table"]
        .into_iter()
        .chain(columns)
        .chain(["explained"])
        .map(str::to_owned)
        .collect()
}

fn rows(audits: &[Audit]) -> Vec<Vec<String>> {
    audits
        .iter()
        .map(|audit| {
            let of = |status: &Option<Status>| match status {
                None => audit.summary.cells,
                Some(status) => audit.summary.tally(*status).cells,
            };
            let numbers = COLUMNS.iter().map(|(_, status)| of(status));
            [audit.title.clone()]
                .into_iter()
                .chain(numbers.chain([explained(audit)]).map(|n| n.to_string()))
                .collect()
        })
        .collect()
}

fn agreed(audit: &Audit) -> usize {
    audit.summary.tally(Status::Agrees).cells
}

fn explained(audit: &Audit) -> usize {
    let tallies = audit.summary.by_status.values();
    tallies.map(|tally| tally.explained).sum()
}
