//! A number, in digits or as a word, that can be a score: what it is and whether a phrase ends with it.
//!
//! Must not know labels.

use std::sync::LazyLock;

use regex::Regex;

use crate::parse::evaluation_form::label::is_filler;
use crate::parse::number::{self, Found, Value};
use crate::score::Scale;

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numerals {
    Digits,
    Words,
}

/// What may follow a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    /// The end of a phrase.
    Phrase,
    /// That, or a new sentence without a full stop before it.
    Sentence,
    /// A sign or the end of the line; behind a fraction the end of a phrase.
    Sign,
}

/// The number words, in order from nought.
const WORDS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// Words that begin a new phrase behind a score.
const NEXT: [&str; 20] = [
    "and", "as", "based", "because", "but", "due", "for", "given", "on", "out", "overall", "point",
    "points", "rather", "since", "star", "stars", "though", "which", "with",
];

/// `of 5`, `(out of 5)`, `of five` behind a number.
static TOP: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^[^\S\r\n]*\(?[^\S\r\n]*(?:out[^\S\r\n]+of|of|/)[^\S\r\n]+(?:(?P<number>[0-9]+(?:[.,][0-9]+)?)|(?P<word>[a-z]+))\b",
    )
});

/// What shows that a number is only a part of one (`and a half`, `and 3`), of a range (`~ 4`) or of a sum
/// (`- 1`, `= 4`; not `- 2 slips`), or has been replaced (`→ 4`).
static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?ix)^ [\s*_`&&[^\r\n]]* (?:
            \+ | / | and [\s&&[^\r\n]]+ (?:a|one|[0-9]) \b | & [\s&&[^\r\n]]* [0-9]
            | \u{2192} | \u{21d2} | \u{27f6} | \u{279c} | [-=]>
            | (?: = | ~ | \u{ff5e} | \u{301c} | \.{2,3} | \u{2026} ) [\s*_`&&[^\r\n]]* [0-9]
            | [-\u{2010}-\u{2015}\u{2212}\u{d7}] [\s*_`&&[^\r\n]]* [0-9]+ (?:[.,][0-9]+)?
              [\s*_`&&[^\r\n]]* (?: [.!)\]}]* [\s&&[^\r\n]]* (?: \r | \n | $ ) | [-=/+\u{2192}\u{2212}\u{d7}] )
        )",
    )
});

/// Compiles a constant.
pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

/// Reads the value at the start of `text`; `broken` says that a line break stands before it.
pub(super) fn value(
    text: &str,
    broken: bool,
    numerals: Numerals,
    follow: Follow,
    scale: &Scale,
) -> Option<Found> {
    let mut found = match numerals {
        Numerals::Digits => number::number(text, broken)?,
        Numerals::Words => word(text)?,
    };
    if spans_scale(&found, text, scale) {
        return None;
    }
    let rest = number::head(&text[found.span.end..]);
    if let Value::Number { out_of, .. } = &mut found.value
        && out_of.is_none()
        && let Some(top) = TOP.captures(rest)
    {
        let digits = top.name("number").map(|top| top.as_str().replace(',', "."));
        let spelt = top.name("word").and_then(|top| position(top.as_str()));
        *out_of = digits.and_then(|top| top.parse().ok()).or(spelt);
        if out_of.is_some() {
            let top = top.get(0).map_or("", |top| top.as_str());
            let closes = top.contains('(') && rest[top.len()..].starts_with(')');
            found.span.end += top.len() + usize::from(closes);
        }
    }
    let fraction = matches!(
        found.value,
        Value::Number {
            out_of: Some(_),
            ..
        }
    );
    let follow = match follow {
        Follow::Sign if fraction => Follow::Phrase,
        follow => follow,
    };
    let rest = number::head(&text[found.span.end..]);
    (!GOES_ON.is_match(rest) && ends_phrase(rest, follow)).then_some(found)
}

/// A number word at the start of a text.
fn word(text: &str) -> Option<Found> {
    let head = number::head(text);
    let end = head
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(head.len());
    let value = Value::Number {
        value: position(&head[..end])?,
        out_of: None,
    };
    let span = 0..end;
    Some(Found { value, span })
}

/// The value of a number word.
fn position(word: &str) -> Option<f64> {
    let at = WORDS
        .iter()
        .position(|known| known.eq_ignore_ascii_case(word))?;
    Some(at as f64)
}

/// Whether a range is the scale itself, from end to end.
fn spans_scale(found: &Found, text: &str, scale: &Scale) -> bool {
    let Value::Several(ends) = &found.value else {
        return false;
    };
    let is = |at: usize, bound: f64| {
        let end = ends
            .get(at)
            .map(|span| text[span.clone()].replace(',', "."));
        let end: Option<f64> = end.and_then(|end| end.parse().ok());
        end.is_some_and(|end| (end - bound).abs() < f64::EPSILON)
    };
    is(0, scale.min) && is(1, scale.max)
}

/// Whether a phrase ends where this text, right behind a value, begins.
fn ends_phrase(rest: &str, follow: Follow) -> bool {
    let next = rest.trim_start_matches(is_filler);
    let gap = &rest[..rest.len() - next.len()];
    if gap.contains('\n') {
        return true;
    }
    match next.chars().next() {
        // `4-page`
        Some('-') => !gap.is_empty() || !next[1..].starts_with(char::is_alphanumeric),
        // `10:30`
        Some(':') => !next[1..].starts_with(|c: char| c.is_ascii_digit()),
        Some(c) if c.is_alphanumeric() => {
            let word = next.split(|c: char| !c.is_alphanumeric()).next();
            let known = |word: &str| NEXT.iter().any(|next| next.eq_ignore_ascii_case(word));
            match follow {
                Follow::Sign => false,
                Follow::Phrase => word.is_some_and(known),
                Follow::Sentence => c.is_uppercase() || word.is_some_and(known),
            }
        }
        None | Some(_) => true,
    }
}
