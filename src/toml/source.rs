//! The texts a spec was read from, and where each key of a TOML text stands.
//!
//! Holds texts and positions only: it reads no file, merges nothing and judges nothing.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of a text in its [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(usize);

/// A stretch of a text: byte offsets into the text as stored, that is after a byte-order mark was taken off.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The text.
    pub source: SourceId,
    /// Byte offsets in it; an empty range is a position.
    pub span: Range<usize>,
}

impl Place {
    /// A place in a text.
    pub fn new(source: SourceId, span: Range<usize>) -> Self {
        Self { source, span }
    }
}

/// All texts that problems may point into: spec files, environment variables, arguments, templates, csv files.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    texts: Vec<(Arc<str>, Arc<str>)>,
}

impl Sources {
    /// No texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name shown to people; a byte-order mark at its start is taken off.
    pub fn add(&mut self, name: impl Into<String>, text: &str) -> SourceId {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        self.texts.push((Arc::from(name.into()), Arc::from(text)));
        SourceId(self.texts.len() - 1)
    }

    /// The name of a text; empty for an id of other sources.
    pub fn name(&self, id: SourceId) -> &str {
        self.texts.get(id.0).map_or("", |(name, _)| name)
    }

    /// A text; empty for an id of other sources.
    pub fn text(&self, id: SourceId) -> &str {
        self.texts.get(id.0).map_or("", |(_, text)| text)
    }

    /// The first text of that name.
    pub fn find(&self, name: &str) -> Option<SourceId> {
        self.texts
            .iter()
            .position(|(known, _)| &**known == name)
            .map(SourceId)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The span cut to the text and moved outward to character boundaries, so that slicing with it is safe.
    pub fn clamp(&self, place: &Place) -> Range<usize> {
        clamp(self.text(place.source), &place.span)
    }

    /// Line and column of the start of a place, both from 1; columns count characters.
    pub fn line_column(&self, place: &Place) -> (usize, usize) {
        let before = &self.text(place.source)[..self.clamp(place).start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }

    /// `name:line:column`, as terminals and editors understand it.
    pub fn describe(&self, place: &Place) -> String {
        let (line, column) = self.line_column(place);
        format!("{}:{line}:{column}", self.name(place.source))
    }
}

/// The span cut to `text` and moved outward to character boundaries.
pub(super) fn clamp(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let end = text.ceil_char_boundary(span.end.clamp(start, text.len()));
    start..end
}

/// Where one key and its value stand in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spans {
    /// The key; for an array element the element itself, for the root the start of the text.
    pub(crate) key: Range<usize>,
    /// The value; for a table its header, for a table that is only implied its key.
    pub(crate) value: Range<usize>,
}

/// The places of all keys of one TOML text. A path is a list of keys; array elements are numbered from "0".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SpanIndex {
    entries: BTreeMap<Vec<String>, Spans>,
}

impl SpanIndex {
    /// How many paths there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Records a key; the first record of a path stays.
    pub(super) fn insert(&mut self, path: &[String], spans: Spans) {
        self.entries.entry(path.to_vec()).or_insert(spans);
    }

    /// Where exactly this path stands.
    pub(crate) fn get(&self, path: &[String]) -> Option<&Spans> {
        self.entries.get(path)
    }

    /// Where the longest known beginning of the path stands; none only in an empty index.
    pub(crate) fn nearest(&self, path: &[String]) -> Option<&Spans> {
        (0..=path.len())
            .rev()
            .find_map(|len| self.entries.get(&path[..len]))
    }

    /// All paths, sorted, with their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[String], &Spans)> {
        self.entries
            .iter()
            .map(|(path, spans)| (path.as_slice(), spans))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_taken_off() {
        let mut sources = Sources::new();
        let id = sources.add("a.toml", "\u{feff}x = 1");
        assert_eq!(sources.text(id), "x = 1");
        assert_eq!(sources.find("a.toml"), Some(id));
    }

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let mut sources = Sources::new();
        let id = sources.add("a.toml", "a = 1\r\nü = 2");
        assert_eq!(sources.line_column(&Place::new(id, 0..1)), (1, 1));
        assert_eq!(sources.line_column(&Place::new(id, 12..13)), (2, 5));
        assert_eq!(sources.describe(&Place::new(id, 999..1000)), "a.toml:2:6");
    }

    #[test]
    fn a_span_inside_a_character_grows_to_the_whole_character() {
        assert_eq!(clamp("aüb", &(2..2)), 1..3);
        #[expect(clippy::reversed_empty_ranges, reason = "a wrong span must not panic")]
        let reversed = clamp("aüb", &(3..1));
        assert_eq!(reversed, 3..3);
    }
}
