//! The lines of source a problem is drawn with.
//!
//! An excerpt is a display copy: only the lines near a label are in it, control and direction-changing characters are
//! replaced (a spec must not be able to steer the terminal), secrets are starred out, and very long lines are cut around the labels. Line
//! numbers stay true, and line and column in the header are computed from the source itself. It draws nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::problem::Label;
use super::render::{clean, safe};
use super::source::{SourceId, Sources, clamp};
use super::veil::hidden;

/// Lines up to this many characters are shown whole.
const WHOLE_LINE: usize = 200;
/// Characters shown on either side of the labels of a longer line.
const AROUND: usize = 60;
/// Labels with at most this many lines between their surroundings are drawn in one piece.
const JOINED: usize = 4;
/// Lines on either side of a label that may be drawn.
const NEAR: usize = JOINED + 3;

/// The lines near some labels, of one or more texts one after the other.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    regions: Vec<Region>,
    len: usize,
}

/// The excerpt of one text.
#[derive(Debug)]
struct Region {
    /// Offset of the region in the excerpt.
    start: usize,
    shown: String,
    /// For each offset in `shown` at which a label begins, the place in the source, as `name:line:column`.
    places: BTreeMap<usize, String>,
}

impl Excerpt {
    /// Adds the lines near the labels, which are all of one text; says where the labels are in the excerpt.
    pub(super) fn add(
        &mut self,
        sources: &Sources,
        id: SourceId,
        labels: &[&Label],
        unicode: bool,
    ) -> Vec<SourceSpan> {
        let text = sources.text(id);
        let lines = lines_of(text);
        let spans: Vec<Range<usize>> = labels
            .iter()
            .map(|label| first_line(text, &label.place.span))
            .collect();
        let wanted: BTreeSet<usize> = spans
            .iter()
            .flat_map(|span| [span.start, span.end])
            .collect();
        let (shown, moved) = display_copy(text, &lines, &wanted, unicode);
        let start = self.len;
        // A gap keeps the end of one region apart from the beginning of the next.
        self.len += shown.len() + 1;
        let at = |offset: usize| moved.get(&offset).copied().unwrap_or(0);
        let mut places = BTreeMap::new();
        let mut found = Vec::new();
        for (label, span) in labels.iter().zip(&spans) {
            let (from, to) = (at(span.start), at(span.end));
            places
                .entry(from)
                .or_insert_with(|| clean(&sources.describe(&label.place), unicode));
            found.push(SourceSpan::from((start + from, to.saturating_sub(from))));
        }
        self.regions.push(Region {
            start,
            shown,
            places,
        });
        found
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inside = |region: &&Region| {
            region.start <= span.offset()
                && span.offset() + span.len() <= region.start + region.shown.len()
        };
        let region = self
            .regions
            .iter()
            .find(inside)
            .ok_or(MietteError::OutOfBounds)?;
        let local = SourceSpan::from((span.offset() - region.start, span.len()));
        let contents = region.shown.as_str().read_span(&local, before, after)?;
        let data = contents.data();
        let lines = data.split(|byte| *byte == b'\n').count() - 1;
        let place = region
            .places
            .get(&local.offset())
            .or_else(|| region.places.values().next());
        Ok(Box::new(MietteSpanContents::new_named(
            place.cloned().unwrap_or_default(),
            data,
            SourceSpan::from((
                region.start + contents.span().offset(),
                contents.span().len(),
            )),
            contents.line(),
            contents.column(),
            lines + JOINED,
        )))
    }
}

/// The part of the span on its first line: a value of fifty lines is found well enough by its beginning.
fn first_line(text: &str, span: &Range<usize>) -> Range<usize> {
    let span = clamp(text, span);
    let line_end = text[span.start..]
        .find('\n')
        .map_or(text.len(), |at| span.start + at);
    let line_end = if text[..line_end].ends_with('\r') {
        line_end - 1
    } else {
        line_end
    };
    let start = span.start.min(line_end);
    start..span.end.clamp(start, line_end)
}

/// The lines as byte ranges without their line breaks; at least one, maybe empty.
fn lines_of(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let ranges = text.split('\n').map(|line| {
        let whole = start..start + line.len();
        start += line.len() + 1;
        whole.start..whole.start + line.strip_suffix('\r').unwrap_or(line).len()
    });
    ranges.collect()
}

/// The copy, and where each wanted offset is in it. Far lines are empty, so that the numbers of the others stay.
fn display_copy(
    text: &str,
    lines: &[Range<usize>],
    wanted: &BTreeSet<usize>,
    unicode: bool,
) -> (String, BTreeMap<usize, usize>) {
    let mut near = BTreeSet::new();
    for offset in wanted {
        let line = lines.partition_point(|line| line.end < *offset);
        near.extend(line.saturating_sub(NEAR)..=line + NEAR);
    }
    let mut shown = String::new();
    let mut moved = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        if near.contains(&number) {
            copy_line(text, line, wanted, unicode, &mut shown, &mut moved);
        }
        if number + 1 < lines.len() {
            shown.push('\n');
        }
    }
    (shown, moved)
}

fn copy_line(
    text: &str,
    line: &Range<usize>,
    wanted: &BTreeSet<usize>,
    unicode: bool,
    shown: &mut String,
    moved: &mut BTreeMap<usize, usize>,
) {
    let characters: Vec<(usize, char)> = text[line.clone()].char_indices().collect();
    let number_of = |offset: usize| characters.partition_point(|(at, _)| line.start + at < offset);
    let here: Vec<usize> = wanted.range(line.start..=line.end).copied().collect();
    let window = if characters.len() <= WHOLE_LINE {
        0..characters.len()
    } else {
        let first = here.first().map_or(0, |offset| number_of(*offset));
        let last = here.last().map_or(0, |offset| number_of(*offset));
        let from = first.saturating_sub(AROUND);
        from..(last + AROUND).min(from + WHOLE_LINE).min(characters.len())
    };
    if window.start > 0 {
        shown.push_str("...");
    }
    let secrets = hidden(&text[line.clone()]);
    let mut waiting = here.into_iter().peekable();
    for (at, character) in &characters[window.clone()] {
        while let Some(offset) = waiting.next_if(|offset| *offset <= line.start + at) {
            moved.insert(offset, shown.len());
        }
        // One star per character keeps what is labelled in its place.
        shown.push(if secrets.iter().any(|secret| secret.contains(at)) {
            '*'
        } else {
            safe(*character, unicode)
        });
    }
    for offset in waiting {
        moved.insert(offset, shown.len());
    }
    if window.end < characters.len() {
        shown.push_str("...");
    }
}
