//! Finding where a key that is defined twice was defined first.
//!
//! The parser reports the second place only. Looks; reports nothing.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::source::SpanIndex;
use super::syntax::line_of;

/// Where the key at `again` was defined first. The parser knows, but does not say: so find the path of the key from
/// its line and the header above it, and look that up in what stands before.
pub(super) fn first_place(
    text: &str,
    index: &SpanIndex,
    again: &Range<usize>,
) -> Option<Range<usize>> {
    let line_start = line_of(text, again.start).start;
    let (before, _) = DeTable::parse_recoverable(&text[..line_start]);
    let statement = text[line_start..again.end].trim_start();
    let header = statement.starts_with('[');
    let key = dotted_key(statement.trim_start_matches(['[', ' ', '\t']));
    key.and_then(|key| {
        let mut path = if header {
            Vec::new()
        } else {
            last_header(text, before.get_ref()).1
        };
        path.extend(key);
        key_span(before.get_ref(), &path)
    })
    .or_else(|| same_name_before(text, index, again))
}

/// The parts of a dotted key; none if this is not one.
fn dotted_key(written: &str) -> Option<Vec<String>> {
    let statement = format!("{written} = 0");
    let mut table = DeTable::parse(&statement).ok()?.into_inner();
    let mut path = Vec::new();
    loop {
        let (key, value) = table.into_iter().next()?;
        path.push(key.into_inner().into_owned());
        match value.into_inner() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(path),
        }
    }
}

/// Offset and path of the last `[header]` in the text; the root without one.
fn last_header(text: &str, table: &DeTable<'_>) -> (usize, Vec<String>) {
    let mut last = (0, Vec::new());
    for (key, value) in table {
        let elements = match value.get_ref() {
            DeValue::Array(elements) => elements.iter().collect(),
            DeValue::Table(_) => vec![value],
            _ => continue,
        };
        for element in elements {
            let DeValue::Table(inner) = element.get_ref() else {
                continue;
            };
            let start = element.span().start;
            let (deeper, path) = last_header(text, inner);
            let candidate = if path.is_empty() && text[start..].starts_with('[') {
                (start, path)
            } else if path.is_empty() {
                continue;
            } else if text[start..].starts_with('[') && start > deeper {
                (start, Vec::new())
            } else {
                (deeper, path)
            };
            if candidate.0 >= last.0 {
                last = (
                    candidate.0,
                    [vec![key.get_ref().to_string()], candidate.1].concat(),
                );
            }
        }
    }
    last
}

/// Where the key at the path stands; a list of tables is entered at its last one, as a header below it does.
fn key_span(table: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let (name, rest) = path.split_first()?;
    let (key, value) = table
        .iter()
        .find(|(key, _)| key.get_ref() == name.as_str())?;
    if rest.is_empty() {
        return Some(key.span());
    }
    match value.get_ref() {
        DeValue::Table(inner) => key_span(inner, rest),
        DeValue::Array(elements) => key_span(elements.iter().last()?.get_ref().as_table()?, rest),
        _ => None,
    }
}

/// The nearest key of the same name before, as in an inline table.
fn same_name_before(text: &str, index: &SpanIndex, again: &Range<usize>) -> Option<Range<usize>> {
    let name = dotted_key(&text[again.clone()])?.pop()?;
    let before = index
        .iter()
        .filter(|(path, spans)| path.last() == Some(&name) && spans.key.start < again.start);
    before
        .map(|(_, spans)| spans.key.clone())
        .max_by_key(|span| span.start)
}
