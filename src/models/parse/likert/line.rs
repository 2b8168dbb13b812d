//! A first or last line that is nothing but a number, or a number and what it means.
//!
//! What a number means is also said by a scale that a judge writes down again, one mark per line or all on
//! one. Must not look at any line but the one beside it.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::part::{Reading, regex};
use crate::models::parse::evaluation_form::label::is_filler;
use crate::models::parse::place::Place;
use crate::models::parse::value::{self, Found, Value, digit};

/// What the first of several marks on a line means, up to the meaning of the next: `= poor, 5 = excellent`.
static SCALE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?ix)^ [\s*_`]* [=:(\u{2013}\u{2014}\u{ff1a}-] [^0-9\r\n]{1,80}?
        (?: (?: [,;|/\u{2013}\u{2014}] | \b(?:and|to|or) ) [\s*_`]* [0-9.]{1,4} [\s*_`]* [=:(\u{2013}\u{2014}\u{ff1a}-]
          | \s [0-9.]{1,4} [\s*_`]* [=:\u{ff1a}] )
        [\s*_`]* \p{L}",
    )
});

/// Appends the value on a line of the reply; `beside` is the line next to it that says anything, unless
/// there is no other line.
pub(super) fn values(
    reading: Reading<'_>,
    line: Range<usize>,
    beside: Option<Range<usize>>,
    places: &mut Vec<Place>,
) {
    let only = beside.is_none();
    let text = &reading.text[line.clone()];
    if !reading.scale.labels.is_empty() {
        places.extend(label(reading, line, beside).map(Place::bare));
        return;
    }
    let Some((number, found)) = leading(text, only, reading) else {
        return;
    };
    let at = line.end - number.len();
    if let Value::Several(_) = found.value {
        if only || text.len() <= SHORT {
            places.push(Place::bare(found.shifted(at)));
        }
        return;
    }
    let digits = &number[found.span.clone()];
    let rest = &number[found.span.end..];
    let year = is_year(digits, &found, reading);
    let plain = digits.chars().all(|c| digit(c).is_some());
    let numbers_a_list = plain && rest.trim_end() == ")" && !text[..at - line.start].contains('(');
    let of_scale = || {
        let another = |line: Range<usize>| says_meaning(&reading.text[line], reading);
        begins_scale(rest) || beside.is_some_and(another)
    };
    let counts = is_end(rest) || (is_meaning(rest) && !of_scale());
    if counts && !numbers_a_list && (only || !year) {
        places.push(Place::bare(found.shifted(at)));
    }
}

/// The label of the scale with which a line begins, unless the line beside it begins with another one: then the scale
/// is written down again, or options are discussed.
fn label(reading: Reading<'_>, line: Range<usize>, beside: Option<Range<usize>>) -> Option<Found> {
    let only = beside.is_none();
    let read = |line: &Range<usize>| {
        let text = &reading.text[line.clone()];
        let bare = decorated(text, true)?;
        let found = value::read(bare, 0, reading.how())?;
        Some(found.shifted(line.end - bare.len()))
    };
    let found = read(&line)?;
    match found.value {
        Value::Label { label, .. } => {
            // `First, let us look at the style.`
            let written = reading.text[found.span.clone()].to_lowercase();
            let own = written == reading.scale.labels[label].name.to_lowercase();
            let alone = is_end(&reading.text[found.span.end..line.end]);
            let other = beside.and_then(|beside| read(&beside));
            let differs = other.is_some_and(|other| other.differs(&found));
            (!differs && (own || alone)).then_some(found)
        }
        _ => (only || line.len() <= SHORT).then_some(found),
    }
}

/// The longest line of which a number that is not understood is taken for its verdict, in bytes.
const SHORT: usize = 40;

/// The value with which a line begins, in the text from there on.
fn leading<'t>(line: &'t str, only: bool, reading: Reading<'_>) -> Option<(&'t str, Found)> {
    let number = decorated(line, only)?;
    let spelt = |c: char| digit(c).is_some();
    let word = reading.words && value::begins_with_word(number);
    if !word && !number.starts_with(|c| spelt(c) || matches!(c, '-' | '\u{2212}' | '+' | '<' | '~'))
    {
        return None;
    }
    let found = value::read(number, 0, reading.how())?;
    Some((number, found))
}

/// Whether what follows a number is its meaning and that of another one.
pub(super) fn begins_scale(rest: &str) -> bool {
    SCALE.is_match(rest)
}

/// Whether a line is a number and what it means, or ends in that behind other words: `Scale: 1 - poor`.
fn says_meaning(line: &str, reading: Reading<'_>) -> bool {
    let explained = |rest: &str| !is_end(rest) && is_meaning(rest);
    let found = leading(line, false, reading);
    if found.is_some_and(|(number, found)| explained(&number[found.span.end..])) {
        return true;
    }
    let scale = reading.scale;
    let number = |c: char| digit(c).is_some();
    let mut at = 0;
    while let Some(start) = line[at..].find(number).map(|start| at + start) {
        let rest = line[start..].trim_start_matches(|c| number(c) || matches!(c, '.' | ','));
        at = line.len() - rest.len();
        let before =
            line[..start].trim_end_matches(|c| is_filler(c) || "#([-+\u{2022}".contains(c));
        let begins =
            before.is_empty() || before.ends_with([':', ';', ',', '.', '!', '?', '|', '}']);
        // An end of the scale may stand behind any words.
        let value: Option<f64> = line[start..at].parse().ok();
        let end =
            |value: f64| value.total_cmp(&scale.min).is_eq() || value.total_cmp(&scale.max).is_eq();
        if (begins || value.is_some_and(end)) && explained(rest) {
            return true;
        }
    }
    false
}

/// The line behind marks of emphasis, headings and bullets. Quotation marks go only around a whole reply.
fn decorated(line: &str, only: bool) -> Option<&str> {
    let rest = line.trim_start();
    let bullet = |rest: &str| {
        let rest = rest.strip_prefix(['-', '+', '\u{2022}'])?;
        rest.starts_with(char::is_whitespace).then_some(rest.len())
    };
    let rest = bullet(rest).map_or(rest, |length| &rest[rest.len() - length..]);
    // `# 4` is a heading, `#4` the fourth of something.
    if rest
        .trim_start_matches('#')
        .starts_with(|c| digit(c).is_some())
        && rest.starts_with('#')
    {
        return None;
    }
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
    digits.chars().count() == 4
        && digits.chars().all(|c| digit(c).is_some())
        && !reading.scale.contains(value)
}
