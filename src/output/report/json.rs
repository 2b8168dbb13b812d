//! A grid as JSON, for programs that want the layout as well as the numbers.
//!
//! Values at full precision; what does not exist is `null`. It must not round.

use serde::Serialize;

use super::grid::Grid;
use super::layout::{Cell, Layout};

/// Bumped when the shape of the document changes.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    layout: &'a Layout,
    rows: Vec<&'a [String]>,
    columns: Vec<&'a [String]>,
    cells: Vec<&'a Cell>,
    footnotes: Vec<Note<'a>>,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct Note<'a> {
    mark: &'a str,
    text: &'a str,
}

/// The document, indented, with a final line break: layout, keys of rows and columns in drawing order, cells row by
/// row, and the notes under the table.
pub fn render(grid: &Grid) -> String {
    let document = Document {
        format: FORMAT,
        layout: grid.layout(),
        rows: grid.rows().iter().map(|head| head.key.as_slice()).collect(),
        columns: grid
            .columns()
            .iter()
            .map(|head| head.key.as_slice())
            .collect(),
        cells: grid.cells().collect(),
        footnotes: grid
            .footnotes()
            .iter()
            .map(|note| Note {
                mark: &note.mark,
                text: &note.text,
            })
            .collect(),
        remarks: grid.remarks(),
    };
    pretty(&document)
}

/// Indented JSON with a final line break.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(document)
        .expect("strings, numbers and string keys always have a JSON form");
    text.push('\n');
    text
}
