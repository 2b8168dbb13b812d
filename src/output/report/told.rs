//! The tables of an experiment as one document of JSON, whatever formats are written beside it: what a later
//! comparison of two runs reads.
//!
//! Values at full precision, a cell on each line, so that a difference under version control is one of cells.

use serde::{Deserialize, Serialize};

use super::layout::{Cell, Layout};

/// Bumped when the shape of the document changes.
const FORMAT: u32 = 1;

/// A table as it was told: its cells and how it was laid out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The ablation it belongs to; empty for the experiment itself.
    pub variant: String,
    /// Its name.
    pub name: String,
    /// How it was laid out.
    pub layout: Layout,
    /// Its cells.
    pub cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Document {
    format: u32,
    tables: Vec<Told>,
}

/// The document, with a final line break.
pub fn render(tables: &[Told]) -> String {
    let tables: Vec<String> = tables
        .iter()
        .map(|table| {
            let cells: Vec<String> = table.cells.iter().map(json).collect();
            let cells = match cells.as_slice() {
                [] => String::new(),
                several => format!("\n{}\n", several.join(",\n")),
            };
            format!(
                "{{\"variant\": {}, \"name\": {},\n\"layout\": {},\n\"cells\": [{cells}]}}",
                json(&table.variant),
                json(&table.name),
                json(&table.layout)
            )
        })
        .collect();
    format!(
        "{{\"format\": {FORMAT}, \"tables\": [\n{}\n]}}\n",
        tables.join(",\n")
    )
}

/// On one line.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and string keys always have a JSON form")
}

/// Reads the document; says what is wrong with one that cannot be read.
pub fn read(text: &str) -> Result<Vec<Told>, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if document.format == FORMAT {
        Ok(document.tables)
    } else {
        Err(format!(
            "its format is {}, and this version reads format {FORMAT}",
            document.format
        ))
    }
}
