//! The first line of csv, and what all others have of it.

use std::collections::BTreeSet;

use crate::base::wording::{count, some_of};
use crate::frame::FrameError;

/// The names of the columns.
pub(super) fn read(header: &csv::StringRecord) -> Result<Vec<String>, FrameError> {
    if header.is_empty() {
        return Err(FrameError::Line {
            line: 1,
            message: "the file is empty; a header line with the names of the columns is needed"
                .to_owned(),
        });
    }
    check_names(header)?;
    check_separator(header)?;
    Ok(header.iter().map(str::to_owned).collect())
}

/// Refuses a record that has more cells than there are columns, or fewer.
pub(super) fn check_length(record: &csv::StringRecord, columns: usize) -> Result<(), FrameError> {
    if record.len() == columns {
        return Ok(());
    }
    Err(FrameError::Line {
        line: record.position().map_or(0, csv::Position::line),
        message: format!(
            "{} where the header has {columns}: quote a cell that holds a comma",
            count(record.len(), "cell"),
        ),
    })
}

/// What the reader says, by line.
pub(super) fn wrong(error: &csv::Error) -> FrameError {
    FrameError::Line {
        line: error.position().map_or(0, csv::Position::line),
        message: error.to_string(),
    }
}

fn check_names(header: &csv::StringRecord) -> Result<(), FrameError> {
    let mut seen = BTreeSet::new();
    for (index, name) in header.iter().enumerate() {
        let message = if name.is_empty() {
            format!("column {} has no name", index + 1)
        } else if !seen.insert(name) {
            format!("column `{name}` appears twice")
        } else {
            continue;
        };
        return Err(FrameError::Line { line: 1, message });
    }
    Ok(())
}

/// Refuses what spreadsheets of many countries write as csv, with other marks between the cells.
fn check_separator(header: &csv::StringRecord) -> Result<(), FrameError> {
    let only = if header.len() == 1 { &header[0] } else { "" };
    let Some((separator, name)) = [(';', "semicolons"), ('\t', "tabs")]
        .into_iter()
        .find(|(separator, _)| only.contains(*separator))
    else {
        return Ok(());
    };
    let names: Vec<&str> = only.split(separator).collect();
    Err(FrameError::Line {
        line: 1,
        message: format!(
            "{name} separate the columns ({}), and commas are needed: save it as csv with commas",
            some_of(&names)
        ),
    })
}
