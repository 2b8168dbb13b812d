//! A grid as an HTML fragment that a screen reader can follow.
//!
//! Structure only: no styles, no scripts, no ids that could collide on a page with several tables. Everything that
//! comes from data is escaped.

use super::account;
use super::grid::{Grid, Shown};
use super::layout::unsafe_letter;
use super::number::typeset;
use super::text::put;

/// A `div` with the table (caption, column groups, scoped headers), its notes and the accounting.
pub fn render(grid: &Grid) -> String {
    let layout = grid.layout();
    let mut out = String::from("<div class=\"report-table\">\n<table>\n");
    if !layout.headline().is_empty() {
        put!(out, "<caption>{}</caption>\n", escape(&layout.headline()));
    }
    head(&mut out, grid);
    out.push_str("<tbody>\n");
    for (row, head) in grid.rows().iter().enumerate() {
        out.push_str("<tr>");
        for label in &head.labels {
            put!(out, "<th scope=\"row\">{}</th>", escape(label));
        }
        for column in 0..grid.columns().len() {
            out.push_str(&cell(&grid.shown(row, column)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    if !grid.footnotes().is_empty() {
        out.push_str("<ul class=\"table-notes\">\n");
        for note in grid.footnotes() {
            put!(
                out,
                "<li><sup>{}</sup> {}</li>\n",
                escape(&note.mark),
                escape(&note.text)
            );
        }
        out.push_str("</ul>\n");
    }
    for remark in grid.explained() {
        put!(out, "<p class=\"table-remark\">{}</p>\n", escape(&remark));
    }
    put!(
        out,
        "<details class=\"table-account\"><summary>{}</summary>\n",
        escape(&account::brief(grid))
    );
    for remark in account::lines(grid) {
        put!(out, "<p class=\"table-remark\">{}</p>\n", escape(&remark));
    }
    out.push_str("</details>\n");
    out.push_str("</div>\n");
    out
}

/// Column groups and header rows: one row per column field, labels of row fields spanning all of them.
fn head(out: &mut String, grid: &Grid) {
    let layout = grid.layout();
    let levels = layout.columns.len().max(1);
    if levels > 1 {
        if !layout.rows.is_empty() {
            put!(out, "<colgroup span=\"{}\"></colgroup>", layout.rows.len());
        }
        for (_, width) in grid.spans(0) {
            put!(out, "<colgroup span=\"{width}\"></colgroup>");
        }
        out.push('\n');
    }
    out.push_str("<thead>\n");
    for level in 0..levels {
        out.push_str("<tr>");
        if level == 0 {
            for field in &layout.rows {
                let rows = if levels > 1 {
                    format!(" rowspan=\"{levels}\"")
                } else {
                    String::new()
                };
                put!(
                    out,
                    "<th scope=\"col\"{rows}>{}</th>",
                    escape(&layout.heading(field))
                );
            }
        }
        if level + 1 == levels {
            for head in grid.columns() {
                let label = head.labels.last().cloned().unwrap_or_else(|| head.flat());
                put!(out, "<th scope=\"col\">{}</th>", escape(&label));
            }
        } else {
            for (label, width) in grid.spans(level) {
                put!(
                    out,
                    "<th scope=\"colgroup\" colspan=\"{width}\">{}</th>",
                    escape(&label)
                );
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</thead>\n");
}

fn cell(shown: &Shown) -> String {
    let mark = shown
        .mark
        .as_ref()
        .map(|mark| format!("<sup>{}</sup>", escape(mark)))
        .unwrap_or_default();
    let stars = if shown.stars.is_empty() {
        String::new()
    } else {
        format!("<sup>{}</sup>", escape(&shown.stars))
    };
    let Some(number) = &shown.number else {
        return format!("<td class=\"none\"><abbr title=\"no value\">—</abbr>{stars}{mark}</td>");
    };
    let n = shown
        .n
        .map(|n| format!(" <span class=\"n\">({n})</span>"))
        .unwrap_or_default();
    format!("<td>{}{stars}{n}{mark}</td>", escape(&typeset(number)))
}

/// Text with the five signs escaped that mean something in HTML and SVG, good for content and quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match entity(letter) {
            Some(entity) => out.push_str(entity),
            None => out.push(if unsafe_letter(letter) { ' ' } else { letter }),
        }
    }
    out
}

/// How a sign is written that means something in HTML.
pub(crate) fn entity(letter: char) -> Option<&'static str> {
    Some(match letter {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        _ => return None,
    })
}
