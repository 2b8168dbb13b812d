//! A comparison with published values as an HTML fragment: every cell once, what is open first, what agrees folded
//! away.
//!
//! Cells stand under what became of them: open differences, then each note with the cells it explains, then those that
//! agree. So a table of three hundred cells shows on one screen what there is to know of it. Structure only, as in `html`;
//! a status is a word, never a colour alone. It must not decide anything: `verify` did.

use super::audit::{fields, header, losses, warnings};
use super::html::escape;
use super::layout::one_line;
use super::text::put;
use super::verify::{Audit, AuditRow, Status};
use crate::base::wording::count;

/// A `div` with the cells by what became of them, and what is missing or to be repaired.
pub fn render(audit: &Audit) -> String {
    let mut out = String::from("<div class=\"audit\">\n");
    for group in groups(audit) {
        let open = if group.open { " open" } else { "" };
        let cells = count(group.rows.len(), "cell");
        put!(
            out,
            "<details class=\"audit-group\"{open}>\n<summary>{}: {cells}</summary>\n",
            escape(&group.title)
        );
        table(&mut out, audit, &group);
        out.push_str("</details>\n");
    }
    for line in losses(audit).iter().chain(&warnings(audit)) {
        put!(out, "<p class=\"table-remark\">{}</p>\n", escape(line));
    }
    out.push_str("</div>\n");
    out
}

/// How many cells differ, or have no value, without a reason that is given.
pub fn open(audit: &Audit) -> usize {
    audit.rows.iter().filter(|row| is_open(row)).count()
}

fn is_open(row: &AuditRow) -> bool {
    row.status != Status::Agrees && row.note.is_none()
}

/// Cells with the same fate.
struct Group<'a> {
    title: String,
    /// Whether it is shown unfolded.
    open: bool,
    rows: Vec<&'a AuditRow>,
}

/// The groups that have cells.
fn groups(audit: &Audit) -> Vec<Group<'_>> {
    let rows = |fits: &dyn Fn(&AuditRow) -> bool| -> Vec<&AuditRow> {
        audit.rows.iter().filter(|row| fits(row)).collect()
    };
    let mut groups = vec![Group {
        title: "not explained".to_owned(),
        open: true,
        rows: rows(&is_open),
    }];
    for (index, note) in audit.notes.iter().enumerate() {
        groups.push(Group {
            title: format!("[{}] {}", index + 1, one_line(&note.text)),
            open: false,
            rows: rows(&|row| row.note == Some(index)),
        });
    }
    groups.push(Group {
        title: "as printed".to_owned(),
        open: false,
        rows: rows(&|row| row.status == Status::Agrees),
    });
    groups.retain(|group| !group.rows.is_empty());
    groups
}

fn table(out: &mut String, audit: &Audit, group: &Group<'_>) {
    let keys = audit.row_fields.len() + audit.column_fields.len();
    put!(
        out,
        "<div class=\"report-table\">\n<table>\n<caption class=\"visually-hidden\">{}</caption>\n<thead>\n<tr>",
        escape(&group.title)
    );
    for name in header(audit) {
        put!(out, "<th scope=\"col\">{}</th>", escape(&name));
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &group.rows {
        let word = row.status.word();
        put!(out, "<tr class=\"audit-{word}\">");
        for (index, field) in fields(row).iter().enumerate() {
            let field = escape(field);
            match index {
                at if at < keys => put!(out, "<th scope=\"row\">{field}</th>"),
                at if at < keys + 3 => put!(out, "<td>{field}</td>"),
                _ => put!(out, "<td class=\"word\">{field}</td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}
