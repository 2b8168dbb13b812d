//! Tables: what the header says of the column in which a value stands.
//!
//! Must not read values.

use super::before::Standing;
use super::lead;
use crate::models::parse::metrics::Metrics;

/// The most rows above a value that are looked at.
const ROWS: usize = 64;

/// Whether a value may be the verdict by the header of its column; values that stand in no table may.
pub(in crate::models::parse) fn standing(text: &str, at: usize, metrics: &Metrics) -> Standing {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let row = &text[start..at];
    if !row.contains('|') {
        return Standing::Own;
    }
    let column = row
        .trim_start()
        .trim_start_matches('|')
        .matches('|')
        .count();
    let mut header = None;
    for line in text[..start].lines().rev().take(ROWS) {
        let line = line.trim();
        if !line.contains('|') {
            break;
        }
        if line.contains(char::is_alphanumeric) {
            header = Some(line);
        }
    }
    let cell = |line: &str| {
        let line = line.trim_start_matches('|');
        line.split('|')
            .nth(column)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let Some(title) = header.map(cell) else {
        return Standing::Own;
    };
    // A row like this one, below no header.
    if title.starts_with(|c: char| c.is_ascii_digit() || "*[".contains(c))
        && title
            .trim_start_matches(['*', '['])
            .starts_with(|c: char| c.is_ascii_digit())
    {
        return Standing::Own;
    }
    if lead::ends_with_list(&title) {
        return Standing::Other;
    }
    lead::spoken(&title, metrics)
}
