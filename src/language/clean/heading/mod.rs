//! Which paragraphs are headings, by their own letters alone.
//!
//! The standard form is that of the gold documents: the first paragraph of a text may be its title,
//! `-THE CANTERVILLE GHOST-`, and every other heading is a paragraph `CHAPTER: ` and what the
//! heading said. What stands around a paragraph is not looked at here; the step
//! [`chapter_headings`](super::steps::chapter_headings) does.

mod letters;
mod number;

use self::letters::LONGEST;
pub(super) use self::letters::{is_capitals, is_title_case};
pub(super) use self::number::{PREFIX, in_row};
use self::number::{has_unit, is_number, is_numbered, is_numbered_prose};
use super::lines::{begins, is_indented};

/// More lines than a heading has.
const MOST_LINES: usize = 3;
/// No line of a title in ordinary letters is longer, in bytes.
const TITLE: usize = 60;
/// A title over the name of its author has no more lines.
const MOST_TITLE_LINES: usize = 6;
/// Headings that name a part of a book, so that they are no title of one.
const PARTS: [&str; 12] = [
    "ACKNOWLEDGEMENTS",
    "ACKNOWLEDGMENTS",
    "APPENDIX",
    "CONCLUSION",
    "CONTENTS",
    "DEDICATION",
    "EPILOGUE",
    "FOREWORD",
    "INTRODUCTION",
    "POSTSCRIPT",
    "PREFACE",
    "PROLOGUE",
];

/// What a paragraph looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A heading in the standard form.
    Standard,
    /// It begins with a line that is only a number, such as `CHAPTER I.`, `PART THE FIRST` or `IV`.
    Number {
        /// The lines after it that belong to the heading.
        title_lines: usize,
        /// Whether text follows in the same paragraph.
        body: bool,
    },
    /// A heading that has its number and its title in one: `CHAPTER I. The Beginning`.
    Numbered,
    /// A few lines in capitals.
    Capitals,
    /// Anything else.
    Text,
}

/// What a paragraph looks like.
pub(super) fn shape(paragraph: &str) -> Shape {
    if paragraph.starts_with(PREFIX.trim_end()) {
        return Shape::Standard;
    }
    let mut lines = paragraph.lines();
    let Some(first) = lines.next().filter(|line| line.len() <= LONGEST) else {
        return Shape::Text;
    };
    let first = first.trim();
    if is_number(first) {
        let rest: Vec<&str> = lines.take(MOST_LINES + 1).map(str::trim).collect();
        let titles = rest.iter().take_while(|line| is_capitals(line)).count();
        return match (rest.as_slice(), titles) {
            (rest, titles) if titles == rest.len() && titles < MOST_LINES => Shape::Number {
                title_lines: titles,
                body: false,
            },
            ([line], _) if is_title_case(line) => Shape::Number {
                title_lines: 1,
                body: false,
            },
            // A line `I` over lower-case text is the pronoun.
            _ if has_unit(first) => Shape::Number {
                title_lines: titles.min(MOST_LINES - 1),
                body: true,
            },
            _ => Shape::Text,
        };
    }
    if paragraph.len() > LONGEST || lines.count() >= MOST_LINES {
        Shape::Text
    } else if is_numbered(first) && !is_numbered_prose(paragraph.trim()) {
        Shape::Numbered
    } else if !paragraph.lines().any(is_indented)
        && is_capitals(paragraph)
        // Under `NO.` a line of figures is an entry.
        && paragraph.lines().all(|line| line.contains(char::is_alphabetic))
    {
        Shape::Capitals
    } else {
        Shape::Text
    }
}

/// Whether a first paragraph is the title of its text in the standard form.
pub(super) fn is_title_line(paragraph: &str) -> bool {
    paragraph
        .strip_prefix('-')
        .and_then(|rest| rest.strip_suffix('-'))
        .is_some_and(|title| !title.is_empty() && !title.starts_with('-') && !title.ends_with('-'))
}

/// How many lines of a first paragraph, centred or not, are the title of its text; none if it has no
/// title. `next` is the paragraph after it.
///
/// A title is a few lines in capitals that name no part of a book, or, where a line such as `by A. Writer`
/// follows, a few short lines that need not be in capitals.
pub(super) fn title_lines(paragraph: &str, next: Option<&str>) -> Option<usize> {
    if paragraph.len() > 2 * LONGEST || is_title_line(paragraph) {
        return None;
    }
    let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
    let names_part = PARTS
        .iter()
        .any(|part| paragraph.trim_start().starts_with(part));
    if lines.len() <= MOST_LINES && lines.iter().all(|line| is_capitals(line)) && !names_part {
        return Some(lines.len());
    }
    let byline = lines.iter().position(|line| is_byline(line));
    let title = byline.or_else(|| {
        let next = next?.trim_start();
        let is_signed = next.lines().count() <= MOST_LINES && is_byline(next.lines().next()?);
        is_signed.then_some(lines.len())
    })?;
    // With a hyphen of its own it would look like a title that has been marked.
    let is_short = |line: &&str| {
        line.len() <= TITLE
            && !line.starts_with(['-', '—'])
            && !line.ends_with(['-', '—'])
            && !is_byline(line)
            && line.contains(char::is_alphabetic)
    };
    let begins = lines
        .first()?
        .chars()
        .find(|letter| letter.is_alphabetic())?;
    ((1..=MOST_TITLE_LINES).contains(&title)
        && begins.is_uppercase()
        && !names_part
        && lines[..title].iter().all(is_short)
        && shape(lines[0]) != Shape::Standard)
        .then_some(title)
}

/// Whether a line says who wrote a book: `by`, `By A. Writer`.
pub(super) fn is_byline(line: &str) -> bool {
    let line = line.trim();
    let Some(name) = line.get(2..).filter(|_| begins(line, "by")) else {
        return false;
    };
    let name = name.trim_start_matches([':', ' ']);
    let is_name = |word: &str| word.chars().count() < 4 || !word.starts_with(char::is_lowercase);
    line.len() <= TITLE
        && (name.is_empty()
            || line[2..].starts_with([' ', ':'])
                && name.starts_with(char::is_uppercase)
                && name.split_whitespace().all(is_name))
}

#[cfg(test)]
mod tests;
