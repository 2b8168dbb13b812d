//! `contents`: lists of contents and of illustrations go.
//!
//! The thesis removed them by hand: no gold document has one, and their entries would pass for
//! headings. A list is a heading such as `CONTENTS` and what stands under it for as long as it can be
//! read as entries, in the ways that `list` names. A list that gives neither page numbers nor
//! numbers in a row nor the words of the headings stays, and a note says so.

mod entry;
mod list;

use std::collections::BTreeMap;

use self::list::Page;
use crate::base::wording::count_of;
use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::lines::{lines, paragraphs};
use crate::language::text::Span;

/// Takes out lists of contents and of illustrations.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    let lines: Vec<Span> = lines(text).collect();
    let mut page = Page {
        text,
        lines: &lines,
        last_seen: BTreeMap::new(),
    };
    let headings: Vec<usize> = (0..lines.len())
        .filter(|&line| page.begins_list(line))
        .collect();
    if headings.is_empty() {
        return rewrite.finish();
    }
    page.last_seen = last_seen(text, &lines);
    let mut next = 0;
    let mut kept = 0;
    for heading in headings {
        if heading < next {
            continue;
        }
        if let Some(last) = page.last_line(heading) {
            rewrite.remove(Span::new(lines[heading].start, lines[last].end));
            next = last + 1;
        } else if page.stands_alone(heading) {
            kept += 1;
        }
    }
    if kept > 0 {
        rewrite.note(format!(
            "{}: what stands under it cannot be told from text",
            count_of(kept, "heading of a list stays", "headings of lists stay")
        ));
    }
    rewrite.finish()
}

/// The last line on which the words of a line, or of a paragraph of a few lines, begin.
fn last_seen(text: &str, lines: &[Span]) -> BTreeMap<String, usize> {
    let mut seen: BTreeMap<String, usize> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((entry::words(line.of(text))?, at)))
        .collect();
    let mut line = 0;
    for paragraph in paragraphs(text) {
        while lines[line].start < paragraph.span.start {
            line += 1;
        }
        if let Some(words) = entry::words(paragraph.span.of(text)) {
            let last = seen.entry(words).or_insert(line);
            *last = line.max(*last);
        }
    }
    seen
}

#[cfg(test)]
mod tests;
