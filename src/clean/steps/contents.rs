//! `contents`: lists of contents and of illustrations go.
//!
//! The thesis removed them by hand: no gold document has one, and their entries would pass for
//! headings. A list is a heading such as `CONTENTS` and the lines under it that end with a page
//! number or come again further down on a line of their own; an entry may be wrapped. The first
//! other line, or an entry that comes a second time, ends it. A list that gives neither page numbers
//! nor the very words of the headings stays.

use std::collections::{BTreeMap, BTreeSet};

use crate::clean::change::{Cleaned, Rewrite};
use crate::clean::heading::PREFIX;
use crate::clean::lines::{is_indented, lines};
use crate::text::Span;

/// What stands over a list.
const NAMES: [&str; 7] = [
    "CONTENTS",
    "TABLE OF CONTENTS",
    "LIST OF CONTENTS",
    "ILLUSTRATIONS",
    "LIST OF ILLUSTRATIONS",
    "LIST OF PLATES",
    "PLATES",
];
/// Column heads inside a list.
const HEADS: [&str; 10] = [
    "PAGE",
    "CHAPTER",
    "CHAP.",
    "CHAPTER PAGE",
    "CHAP. PAGE",
    "FACING PAGE",
    "FACE PAGE",
    "PLATE",
    "NO.",
    "FRONTISPIECE",
];
/// No entry is longer, in bytes.
const LONGEST: usize = 120;

/// How many lines an entry may be wrapped over before its page number.
const WRAPPED: usize = 2;

/// Takes out lists of contents and of illustrations.
pub fn clean(text: &str) -> Cleaned {
    let mut rewrite = Rewrite::of(text);
    let lines: Vec<Span> = lines(text).collect();
    let page = Page {
        text,
        lines: &lines,
    };
    if !(0..lines.len()).any(|line| page.begins_list(line)) {
        return rewrite.finish();
    }
    let last_seen: BTreeMap<String, usize> = (0..lines.len())
        .filter_map(|line| Some((entry(page.letters(line))?, line)))
        .collect();
    let mut line = 0;
    while line < lines.len() {
        let heading = line;
        line += 1;
        if page.begins_list(heading)
            && let Some(last) = page.last_entry(heading, &last_seen)
        {
            rewrite.remove(Span::new(lines[heading].start, lines[last].end));
            line = last + 1;
        }
    }
    rewrite.finish()
}

/// A text by its lines.
struct Page<'t> {
    text: &'t str,
    lines: &'t [Span],
}

impl<'t> Page<'t> {
    fn letters(&self, line: usize) -> &'t str {
        self.lines
            .get(line)
            .map_or("", |span| span.of(self.text))
            .trim_end()
    }

    /// Whether a line is the heading of a list.
    fn begins_list(&self, line: usize) -> bool {
        let letters = self.letters(line).trim_start().trim_end_matches(['.', ':']);
        letters.len() <= LONGEST
            && letters.starts_with(char::is_uppercase)
            && NAMES.contains(&letters.to_uppercase().as_str())
    }

    /// The last line of the list under a heading, if there is one.
    fn last_entry(&self, heading: usize, last_seen: &BTreeMap<String, usize>) -> Option<usize> {
        let mut seen = BTreeSet::new();
        let mut last = None;
        for line in heading + 1..self.lines.len() {
            let letters = self.letters(line);
            if letters.is_empty() {
                continue;
            }
            let words = entry(letters);
            let after_blank = self.letters(line - 1).is_empty();
            let is_second = words.as_ref().is_some_and(|words| seen.contains(words));
            let is_heading = letters.starts_with(PREFIX.trim_end());
            if is_heading || self.begins_list(line) || (after_blank && is_second) {
                break;
            }
            let comes_again = words
                .as_ref()
                .and_then(|words| last_seen.get(words))
                .is_some_and(|&other| other > line);
            let is_head = words
                .as_ref()
                .is_some_and(|words| HEADS.contains(&words.as_str()));
            if !comes_again && !is_head && !ends_with_page(letters) && !self.is_wrapped(line) {
                break;
            }
            last = Some(line);
            seen.extend(words);
        }
        last
    }

    /// Whether an entry goes on under this line, indented and up to its page number.
    fn is_wrapped(&self, line: usize) -> bool {
        (line + 1..=line + WRAPPED)
            .map(|next| self.letters(next))
            .take_while(|next| is_indented(next))
            .any(ends_with_page)
    }
}

/// The words of a line as they are compared: in capitals, without page number, leaders or a final
/// stop; none for a line that is too long for an entry.
fn entry(line: &str) -> Option<String> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST {
        return None;
    }
    let words = without_page(line).trim_end_matches(['.', ' ', '\t', '_', '—', '-']);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then(|| words.to_uppercase())
}

/// Whether a line ends with a page number: figures or small Roman ones after two blanks or leaders,
/// or figures alone.
fn ends_with_page(line: &str) -> bool {
    let line = line.trim_end();
    without_page(line).len() < line.len() || line.trim_start().bytes().all(|b| b.is_ascii_digit())
}

fn without_page(line: &str) -> &str {
    let rest = line.trim_end_matches(|letter: char| {
        letter.is_ascii_digit() || matches!(letter, 'i' | 'v' | 'x' | 'l')
    });
    let is_page = rest.len() < line.len()
        && (rest.ends_with("  ")
            || rest.ends_with('\t')
            || rest.ends_with("..")
            || rest.ends_with(". "));
    if is_page { rest } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text
    }

    #[test]
    fn a_list_with_page_numbers_goes() {
        let text = "THE SEA\n\nCONTENTS\n\nCHAPTER                PAGE\n\n  I. The Start          1\n II. A Very Long Title\n     of Two Lines ..... 17\n\n  Preface              vii\n\nPREFACE\n\nIt was late.";
        assert_eq!(cleaned(text), "THE SEA\n\n\n\nPREFACE\n\nIt was late.");
    }

    #[test]
    fn a_list_whose_entries_come_again_goes() {
        let text = "Contents.\n\nTHE SEA\nTHE SHORE\n\n\nTHE SEA\n\nIt was late.\n\nTHE SHORE\n\nIt was early.";
        assert_eq!(
            cleaned(text),
            "\n\n\nTHE SEA\n\nIt was late.\n\nTHE SHORE\n\nIt was early."
        );
        let text = "CONTENTS\n\nCHAPTER I\n\nCHAPTER II\n\n\nCHAPTER I\n\nIt was late.\n\nCHAPTER II\n\nIt.";
        assert_eq!(
            cleaned(text),
            "\n\n\nCHAPTER I\n\nIt was late.\n\nCHAPTER II\n\nIt."
        );
    }

    #[test]
    fn prose_under_such_a_word_stays() {
        for text in [
            "CONTENTS\n\nIt was late, and the box was empty.",
            "He listed the\ncontents\n\nof the box.",
            "CONTENTS",
            "PLATES\n\nThe plates were sold in 1912.",
        ] {
            assert_eq!(cleaned(text), text);
        }
    }

    #[test]
    fn two_lists_in_a_row_both_go() {
        let text = "CONTENTS\n\nI. Sea   1\n\nILLUSTRATIONS\n\nA boat   3\n\nThe text.";
        assert_eq!(cleaned(text), "\n\n\n\nThe text.");
    }
}
