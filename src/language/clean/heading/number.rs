//! Numbers of chapters: alone, before a title, in a row.

use super::letters::{is_capitals, is_title_case};
use crate::language::clean::lines::begins;
use crate::language::clean::sentence::ends_sentence;
use crate::language::text::numeral::{is_in_words, leading, roman};

/// What every standard heading begins with.
pub(in crate::language::clean) const PREFIX: &str = "CHAPTER: ";

/// What may stand before the number of a chapter.
const UNITS: [&str; 5] = ["CHAPTER", "PART", "BOOK", "SECTION", "LETTER"];
/// Whether a line is only the number of a chapter.
pub(super) fn is_number(line: &str) -> bool {
    match after_unit(line) {
        Some(number) => {
            let number = number.trim_end_matches(['.', ':', '—', '-']);
            let article = begins(number, "THE ").then(|| &number[4..]);
            is_numeral(article.unwrap_or(number), true)
        }
        None => is_numeral(line.strip_suffix('.').unwrap_or(line), false),
    }
}

/// Whether a text is a number: Roman, in words, or (after `CHAPTER`) in figures or any case.
pub(super) fn is_numeral(number: &str, after_unit: bool) -> bool {
    // Above this `MIX` and `DIM` are words.
    const LARGEST: usize = 399;
    let capitals = number.to_uppercase();
    if !after_unit && capitals != number {
        return false;
    }
    let is_roman = || roman(&capitals).is_some_and(|value| value <= LARGEST);
    let figures = (1..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_in_words(number)
        || (figures && after_unit)
        // One letter alone may be an initial: only the small numbers pass.
        || ((after_unit || number.len() > 1 || matches!(number, "I" | "V" | "X")) && is_roman())
}

/// Whether a line begins with the number of a chapter and goes on with its title.
pub(super) fn is_numbered(line: &str) -> bool {
    let Some(after) = after_unit(line) else {
        return false;
    };
    let end = after
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(after.len());
    let (number, rest) = after.split_at(end);
    let title = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let parted = rest
        .trim_start()
        .starts_with(['.', ':', '-', '—', '–', ','])
        || line.starts_with("CHAPTER")
        || is_capitals(line);
    is_numeral(number, true) && parted && title.starts_with(|first: char| !first.is_lowercase())
}

/// Whether a paragraph that begins with a number goes on with a sentence: `Book I. He read it.` After
/// `CHAPTER` even a sentence is a title.
pub(super) fn is_numbered_prose(paragraph: &str) -> bool {
    let title = after_unit(paragraph)
        .and_then(|after| after.split_once(|letter: char| !letter.is_alphanumeric()))
        .map_or("", |(_, rest)| {
            rest.trim_start_matches(|letter: char| !letter.is_alphanumeric())
        });
    let has_small_words = title
        .split_whitespace()
        .skip(1)
        .any(|word| word.starts_with(char::is_lowercase));
    !begins(paragraph, "CHAPTER")
        && has_small_words
        && !is_title_case(title.trim_end_matches('.'))
        && ends_sentence(paragraph)
}

/// What a paragraph says about where it stands in the row of chapters: `IV.`, `CHAPTER IV` or
/// `CHAPTER: IV - The Storm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::language::clean) struct InRow {
    /// Its number.
    pub(in crate::language::clean) number: usize,
    /// Whether it is but one letter, which may be an initial or the pronoun.
    pub(in crate::language::clean) is_letter: bool,
}

/// The number of a chapter that a paragraph is, with its title or not; none for other paragraphs.
pub(in crate::language::clean) fn in_row(paragraph: &str) -> Option<InRow> {
    let words = paragraph.trim();
    let words = words.strip_prefix(PREFIX).unwrap_or(words);
    let unit = UNITS[0].len();
    let words = words
        .get(unit..)
        .filter(|after| begins(words, UNITS[0]) && after.starts_with(' '))
        .map_or(words, str::trim_start);
    let (number, rest) = leading(words)?;
    let is_letter = words.len() - rest.len() == 1 && paragraph.trim().len() <= 2;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    (rest.is_empty() || rest.starts_with('\n') || rest.starts_with(" - "))
        .then_some(InRow { number, is_letter })
}

pub(super) fn has_unit(line: &str) -> bool {
    after_unit(line).is_some()
}

/// What follows `CHAPTER ` or another unit at the start of a line.
fn after_unit(line: &str) -> Option<&str> {
    UNITS.iter().find_map(|unit| {
        let rest = line.get(unit.len()..)?;
        (begins(line, unit) && line.starts_with(char::is_uppercase) && rest.starts_with(' '))
            .then(|| rest.trim_start())
    })
}
