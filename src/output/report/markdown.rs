//! A grid as a GitHub pipe table.
//!
//! It must not round or arrange; it escapes and joins.

use std::ops::Range;

use super::grid::{Grid, Shown};
use super::layout::unsafe_letter;
use super::text::put;

/// The table in markdown: headline, pipe table with numbers aligned right, notes as a list, remarks as paragraphs.
///
/// Pipe tables have one header row, so several column fields are joined as `2000 · fluency`.
pub fn render(grid: &Grid) -> String {
    let layout = grid.layout();
    let mut out = String::new();
    if !layout.headline().is_empty() {
        put!(out, "**{}**\n\n", escape(&layout.headline()));
    }
    let headings = layout
        .rows
        .iter()
        .map(|field| escape(&layout.heading(field)));
    line(
        &mut out,
        headings.chain(grid.columns().iter().map(|head| escape(&head.flat()))),
    );
    let rules = layout.rows.iter().map(|_| ":---".to_owned());
    line(
        &mut out,
        rules.chain(grid.columns().iter().map(|_| "---:".to_owned())),
    );
    for (row, head) in grid.rows().iter().enumerate() {
        let labels = head.labels.iter().map(|label| escape(label));
        line(
            &mut out,
            labels.chain((0..grid.columns().len()).map(|column| drawn(&grid.shown(row, column)))),
        );
    }
    for (index, note) in grid.footnotes().iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        put!(
            out,
            "{gap}- {} {}\n",
            escape(&note.mark),
            escape(&note.text)
        );
    }
    for remark in grid.remarks() {
        put!(out, "\n{}\n", escape(&remark));
    }
    out
}

fn drawn(shown: &Shown) -> String {
    escape(&shown.plain())
}

/// A pipe table of any text; the columns in `numbers` end at the right.
pub(crate) fn table(
    out: &mut String,
    head: &[String],
    rows: impl Iterator<Item = Vec<String>>,
    numbers: &Range<usize>,
) {
    line(out, head.iter().map(|field| escape(field)));
    let rule = |at| {
        if numbers.contains(&at) {
            "---:"
        } else {
            ":---"
        }
    };
    line(out, (0..head.len()).map(|at| rule(at).to_owned()));
    for row in rows {
        line(out, row.iter().map(|field| escape(field)));
    }
}

/// One row of a pipe table.
pub(crate) fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push('|');
    for cell in cells {
        put!(out, " {cell} |");
    }
    out.push('\n');
}

/// Text with everything escaped that markdown would read as markup. An underscore inside a word is left alone, as
/// markdown does, so that model names stay readable.
pub(crate) fn escape(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (index, &letter) in letters.iter().enumerate() {
        let inside = |at: Option<usize>| {
            at.and_then(|at| letters.get(at))
                .is_some_and(|next| next.is_alphanumeric())
        };
        let markup = match letter {
            '\\' | '|' | '*' | '`' | '[' | ']' | '~' | '#' => true,
            '_' => !(inside(index.checked_sub(1)) && inside(index.checked_add(1))),
            // An ampersand matters only where it could begin an entity.
            '&' => letters
                .get(index + 1)
                .is_some_and(|next| next.is_ascii_alphanumeric() || *next == '#'),
            // `p < 0.05` is harmless; only a sign that could open a tag is escaped.
            '<' => letters
                .get(index + 1)
                .is_some_and(|next| !next.is_whitespace()),
            _ => false,
        };
        if markup {
            out.push('\\');
        }
        out.push(if unsafe_letter(letter) { ' ' } else { letter });
    }
    out
}
