//! A first or last line that is nothing but a number, or a number and what it means.
//!
//! Must not look at other lines.

use std::ops::Range;

use super::label::Reading;
use super::place::Place;
use super::value::{Follow, value};
use crate::parse::number::{Found, Value};

/// Appends the value on each of these lines of the reply; `only` says that there is no other line.
pub(super) fn values(
    reading: Reading<'_>,
    line: Range<usize>,
    only: bool,
    places: &mut Vec<Place>,
) {
    let text = &reading.text[line.clone()];
    let Some(number) = decorated(text, only) else {
        return;
    };
    let at = line.end - number.len();
    let Some(found) = value(
        number,
        false,
        reading.numerals,
        Follow::Phrase,
        reading.scale,
    ) else {
        return;
    };
    let digits = &number[found.span.clone()];
    let rest = &number[found.span.end..];
    let year = is_year(digits, &found, reading);
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    let numbers_a_list = plain && rest.trim_end() == ")" && !text[..at - line.start].contains('(');
    if (is_end(rest) || is_meaning(rest)) && !numbers_a_list && (only || !year) {
        places.push(Place::bare(found.shifted(at)));
    }
}

/// The line behind marks of emphasis, headings and bullets. Quotation marks go only around a whole reply.
fn decorated(line: &str, only: bool) -> Option<&str> {
    let rest = line.trim_start();
    let bullet = |rest: &str| {
        let rest = rest.strip_prefix(['-', '+', '\u{2022}'])?;
        rest.starts_with(char::is_whitespace).then_some(rest.len())
    };
    let rest = bullet(rest).map_or(rest, |length| &rest[rest.len() - length..]);
    let mark = |c: char| {
        c.is_whitespace() || "*_`#$([{".contains(c) || (only && "\"'\u{201c}".contains(c))
    };
    let rest = rest.trim_start_matches(mark);
    (!rest.is_empty()).then_some(rest)
}

/// Whether nothing follows a number but marks and a full stop.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start();
    let rest = ["stars", "star", "points", "point"]
        .iter()
        .find_map(|unit| rest.strip_prefix(unit))
        .unwrap_or(rest);
    rest.chars()
        .all(|c| c.is_whitespace() || "*_`.!$)]}\"'\u{201d}".contains(c))
}

/// Whether what follows a number says what it means: `- good`, `: good`, `(good)`, `, since`.
fn is_meaning(rest: &str) -> bool {
    let marks = rest.trim_start_matches(['*', '_', '`']);
    let words = marks.trim_start();
    let apart = words.len() < marks.len();
    let spaced = |sign: char| {
        words
            .strip_prefix(sign)
            .is_some_and(|behind| behind.starts_with([' ', '\t', '*']))
    };
    match words.chars().next() {
        Some('-') => apart && spaced('-'),
        Some(sign @ ('\u{2013}' | '\u{2014}')) => apart || !spaced(sign),
        Some('(') | None => true,
        Some(sign @ (':' | ',' | ';' | '=')) => spaced(sign),
        Some(_) => false,
    }
}

/// Whether a number is a year, unless the scale has it.
pub(super) fn is_year(digits: &str, found: &Found, reading: Reading<'_>) -> bool {
    let Value::Number { value, .. } = found.value else {
        return false;
    };
    digits.len() == 4
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !reading.scale.contains(value)
}
