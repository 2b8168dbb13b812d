//! Where a list of contents ends: which lines under its heading are entries.
//!
//! A line or a few are an entry when
//!
//! - they end with a page number, which wrapped lines may go before or follow;
//! - they are numbered, and the number is the next in the row (a row begins where its second number
//!   follows directly);
//! - their words, without number and page, come again further down as a line or a paragraph;
//! - they are the head of a column, or a short caption (`PART TWO`) with an entry of the first two
//!   sorts right after it.
//!
//! An entry of the third sort that comes a second time ends the list: it is the heading itself.
//!
//! Under `ILLUSTRATIONS` and the like short lines that read like captions are entries without any of
//! this, up to two blank lines.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{LONGEST, ends_with_figures, ends_with_page, is_head, number, words};
use crate::language::clean::heading::{PREFIX, Shape, shape};
use crate::language::clean::lines::{indentation, is_indented};
use crate::language::clean::sentence::{begins_sentence, ends_sentence};
use crate::language::text::Span;

/// What stands over a list, in the languages that most books are in.
const NAMES: [&str; 22] = [
    "CONTENTS",
    "THE CONTENTS",
    "TABLE OF CONTENTS",
    "LIST OF CONTENTS",
    "LIST OF CHAPTERS",
    "ILLUSTRATIONS",
    "LIST OF ILLUSTRATIONS",
    "THE ILLUSTRATIONS",
    "LIST OF PLATES",
    "LIST OF FIGURES",
    "LIST OF MAPS",
    "PLATES",
    "INHALT",
    "INHALTSVERZEICHNIS",
    "INHOUD",
    "INDHOLD",
    "INNEHÅLL",
    "INDICE",
    "ÍNDICE",
    "TABLE DES MATIÈRES",
    "TABLE DES CHAPITRES",
    "SISÄLLYS",
];
/// What lists of pictures have in their names.
const PICTURES: [&str; 3] = ["ILLUSTRATIONS", "PLATES", "FIGURES"];
/// How many lines an entry may be wrapped over beside the one with its page number.
const WRAPPED: usize = 2;
/// A numbered entry has no more lines: some say what happens in the chapter.
const NUMBERED_LINES: usize = 8;
/// Captions in a row.
const CAPTIONS: usize = 3;
/// No caption is longer, in bytes.
const CAPTION: usize = 60;

/// A text by its lines.
pub(super) struct Page<'t> {
    pub(super) text: &'t str,
    pub(super) lines: &'t [Span],
    /// The last line on which the words of a line or a short paragraph begin.
    pub(super) last_seen: BTreeMap<String, usize>,
}

/// What was read of a list so far.
#[derive(Default)]
struct Read {
    /// The words of its entries.
    words: BTreeSet<String>,
    /// The number of its last numbered entry.
    number: Option<usize>,
}

impl<'t> Page<'t> {
    fn letters(&self, line: usize) -> &'t str {
        self.lines
            .get(line)
            .map_or("", |span| span.of(self.text))
            .trim_end()
    }

    /// Whether a line is the heading of a list.
    pub(super) fn begins_list(&self, line: usize) -> bool {
        let letters = self.letters(line).trim_start().trim_end_matches(['.', ':']);
        let capitals = || letters.to_uppercase();
        letters.len() <= LONGEST
            && letters.starts_with(char::is_uppercase)
            && (NAMES.contains(&capitals().as_str())
                || letters.starts_with("CONTENTS OF ") && capitals() == letters)
    }

    /// Whether a line is marked as a heading, which ends every list.
    fn is_marked(&self, line: usize) -> bool {
        self.letters(line).starts_with(PREFIX.trim_end())
    }

    /// Whether blank lines stand around a line.
    pub(super) fn stands_alone(&self, line: usize) -> bool {
        let before = line
            .checked_sub(1)
            .map_or("", |before| self.letters(before));
        before.is_empty() && self.letters(line + 1).is_empty()
    }

    /// The last line of the list under a heading, if there is one.
    pub(super) fn last_line(&self, heading: usize) -> Option<usize> {
        let captions = || self.last_caption(heading);
        self.last_entry(heading).or_else(captions)
    }

    /// The last line of a list of illustrations that says nothing but what they show.
    fn last_caption(&self, heading: usize) -> Option<usize> {
        if !PICTURES
            .iter()
            .any(|name| self.letters(heading).to_uppercase().contains(name))
        {
            return None;
        }
        let first = self.after_blank(heading + 1)?;
        let inward = indentation(self.letters(first));
        let mut last = first;
        let (mut captions, mut ended) = (0, 0);
        let is_list = |last: usize, captions: usize, ended: usize| {
            let is_last = self.after_blank(last + 1).is_none();
            captions >= 2 && ended * 2 < captions && !is_last
        };
        for line in first..self.lines.len() {
            let letters = self.letters(line);
            if letters.is_empty() {
                // What is no list up to here is none yet: a later step takes the second blank line away.
                if self.letters(line + 1).is_empty() && is_list(last, captions, ended) {
                    break;
                }
                continue;
            }
            if !matches!(shape(letters), Shape::Text | Shape::Capitals) {
                break;
            }
            let is_wrapped = line > first && indentation(letters) > inward;
            if letters.trim().len() > CAPTION || !(is_wrapped || begins_sentence(letters.trim())) {
                return None;
            }
            captions += usize::from(!is_wrapped);
            ended += usize::from(ends_sentence(letters));
            last = line;
        }
        is_list(last, captions, ended).then_some(last)
    }

    /// The last line of the list under a heading, by its entries.
    fn last_entry(&self, heading: usize) -> Option<usize> {
        let mut read = Read::default();
        let mut last = None;
        let mut line = heading + 1;
        while line < self.lines.len() {
            let letters = self.letters(line);
            if letters.is_empty() {
                line += 1;
                continue;
            }
            if self.is_marked(line) || self.begins_list(line) {
                break;
            }
            let end = self
                .certain(line, &mut read)
                .or_else(|| self.known(line, &mut read))
                .or_else(|| self.caption(line, &read));
            let Some(end) = end else {
                break;
            };
            last = Some(end);
            line = end + 1;
        }
        last
    }

    /// Where an entry ends that shows its page, or its number in the row.
    fn certain(&self, line: usize, read: &mut Read) -> Option<usize> {
        let letters = self.letters(line);
        let numbered = number(letters);
        let mut end = if ends_with_page(letters) || numbered.is_some_and(ends_with_figures) {
            line
        } else if is_head(letters) {
            return Some(line);
        } else if let Some(end) = self.wrapped_page(line) {
            end
        } else {
            let (number, _) = numbered?;
            let end = self.numbered_end(line, number + 1)?;
            let goes_on = || {
                let next = self.after_blank(end + 1)?;
                self::number(self.letters(next)).map(|(next, _)| next)
            };
            let in_row = read.number.is_some_and(|before| before + 1 == number);
            if !in_row && goes_on() != Some(number + 1) {
                return None;
            }
            read.number = Some(number);
            return Some(end);
        };
        if let Some((number, _)) = numbered {
            read.number = Some(number);
        }
        read.words.extend(words(letters));
        // `The Old      201` and under it, further in, `    Bailey`.
        for _ in 0..WRAPPED {
            let next = self.letters(end + 1);
            let further = indentation(next) > indentation(letters);
            if !further || number(next).is_some() || ends_with_page(next) || end > line {
                break;
            }
            end += 1;
        }
        Some(end)
    }

    /// Where an entry ends whose words come again.
    fn known(&self, line: usize, read: &mut Read) -> Option<usize> {
        let after_blank = self.letters(line - 1).is_empty();
        let mut joined = String::new();
        for end in line..=line + WRAPPED {
            let letters = self.letters(end);
            if letters.is_empty() {
                break;
            }
            if letters.len() > LONGEST {
                return None;
            }
            joined.push_str(letters);
            joined.push('\n');
            let Some(words) = words(&joined) else {
                continue;
            };
            if after_blank && read.words.contains(&words) {
                return None;
            }
            // A number alone comes again in every part of a book, and so says nothing.
            let bare = number(&joined).is_some_and(|(_, title)| title.is_empty());
            if !bare && self.last_seen.get(&words).is_some_and(|&other| other > end) {
                read.words.insert(words);
                return Some(end);
            }
        }
        None
    }

    /// Where a caption ends: a few short lines before an entry that is certain.
    fn caption(&self, line: usize, read: &Read) -> Option<usize> {
        let mut at = line;
        for _ in 0..CAPTIONS {
            let letters = self.letters(at).trim();
            let words = words(letters);
            let is_second = words.is_some_and(|words| read.words.contains(&words));
            if letters.len() > CAPTION
                || is_second
                || letters.ends_with(['!', '?', ',', ';', '”', '"'])
            {
                return None;
            }
            let next = self.after_blank(at + 1)?;
            let fresh = &mut Read {
                words: BTreeSet::new(),
                number: read.number,
            };
            if self.begins_list(next) || self.is_marked(next) {
                return None;
            }
            if self.certain(next, fresh).is_some() {
                return Some(at);
            }
            at = next;
        }
        None
    }

    /// The next line that is not blank.
    fn after_blank(&self, line: usize) -> Option<usize> {
        (line..self.lines.len()).find(|&line| !self.letters(line).is_empty())
    }

    /// The line with the page number of an entry that begins on this one and goes on indented.
    fn wrapped_page(&self, line: usize) -> Option<usize> {
        (line + 1..=line + WRAPPED)
            .take_while(|&next| is_indented(self.letters(next)))
            .find(|&next| ends_with_page(self.letters(next)))
            .filter(|_| self.letters(line).len() <= LONGEST)
    }

    /// The last line of a numbered entry: that before a blank line or before the next number.
    fn numbered_end(&self, line: usize, next: usize) -> Option<usize> {
        let mut end = line;
        while let letters = self.letters(end + 1)
            && !letters.is_empty()
            && number(letters).is_none_or(|(number, _)| number != next)
        {
            end += 1;
            if end - line == NUMBERED_LINES {
                return None;
            }
        }
        Some(end)
    }
}
