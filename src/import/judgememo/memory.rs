//! Memory files: which sections they tell of, and the summaries in them.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::base::json;

/// What a memory file says of one section; everything else in it stays in the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Remembered {
    /// From 1.
    pub(super) section: i16,
    /// Absent where the run made no summaries.
    pub(super) summary: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    section_summary: Option<String>,
}

/// The sections of a memory file, in its order.
///
/// # Errors
/// What is wrong with the JSON, with line and column, or with a section's name.
pub(super) fn sections(text: &str) -> Result<Vec<Remembered>, String> {
    let entries: IndexMap<String, Entry> =
        json::read_as(text).map_err(|error| error.to_string())?;
    entries
        .into_iter()
        .map(|(name, entry)| {
            let number = name.strip_prefix("section_").and_then(|n| n.parse().ok());
            Ok(Remembered {
                section: number.ok_or_else(|| format!("`{name}` is no section's name"))?,
                summary: entry.section_summary.filter(|text| !text.is_empty()),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_lifted_out_where_there_are_some() {
        let text = r#"{"section_01": {"section_summary": "One."}, "section_12": {"section_summary": null},
                       "section_13": {"scores": {}}, "section_14": {"section_summary": ""}}"#;
        let found: Vec<(i16, Option<String>)> = sections(text)
            .unwrap()
            .into_iter()
            .map(|section| (section.section, section.summary))
            .collect();
        assert_eq!(
            found,
            [
                (1, Some("One.".to_owned())),
                (12, None),
                (13, None),
                (14, None)
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        assert_eq!(
            sections("{\n  \"section_01\": nothing\n}").unwrap_err(),
            "expected ident at line 2 column 18"
        );
        assert_eq!(
            sections(r#"{"part_1": {}}"#).unwrap_err(),
            "`part_1` is no section's name"
        );
    }
}
