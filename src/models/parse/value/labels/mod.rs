//! The value with which a clause begins on a scale with labels: one of them.
//!
//! A grammar of its own, much smaller than that of numbers. A clause is understood whole or not at all:
//!
//! ```text
//! value    = marks, [opening], [number, joint], [noun], label, [closing], remark
//! label    = a label of the scale or one of its aliases, in whatever letters; the longest that fits
//! number   = the number of this very label, `/5` or not: `4 - Good`, `4 (Good)`
//! noun     = `the`, `answer`, `option` … before a label
//! remark   = nothing; the number of the label (`Good (4)`); or a clause that offers no other label and takes nothing
//!            back, behind a sign or a word such as `because`
//! ```
//!
//! What else follows a label makes it part of other words (`good writing`): no value, or *unclear* where another label
//! is offered (`Good to Excellent`), the number is another's (`Good (2)`) or the label is denied (`not Good`). A number
//! alone is no value on such a scale, unless it is a label or an alias itself. Must not know where values stand.

mod around;
mod clause;
mod cut_off;
mod remark;
mod sentence;
mod spelling;

use self::remark::{Behind, behind};
use self::spelling::{is_closing, is_opening, spelt};
use super::found::{Found, Value};
use super::number::How;
use super::token::{Kind, Lexer};
use super::words;
use crate::models::score::Scale;

pub(in crate::models::parse) use self::around::Around;
pub(in crate::models::parse) use self::clause::explains;
pub(super) use self::sentence::{replaces, translated};
pub(in crate::models::parse) use self::spelling::Spelt;
pub(super) use self::spelling::may_go_on;

/// The longest text that is looked at, in bytes.
const REACH: usize = 1000;

/// The most words before a label that is not understood with them.
const NEAR: usize = 3;

/// The longest words that are shown as none of the labels, in bytes.
const LONGEST: usize = 40;

/// Words that may stand between the joint and a label: `the answer is answer A`.
const NOUNS: [&str; 21] = [
    "a",
    "an",
    "answer",
    "antwort",
    "article",
    "assistant",
    "candidate",
    "choice",
    "document",
    "essay",
    "model",
    "option",
    "output",
    "passage",
    "response",
    "story",
    "summary",
    "system",
    "text",
    "the",
    "translation",
];

/// The most of them.
const MOST_NOUNS: usize = 2;

/// Reads the value at the byte `at`, if there is one; what is not wholly understood is unclear.
pub(super) fn read(text: &str, at: usize, how: How<'_>) -> Option<Found> {
    let text = &text[..text.floor_char_boundary(at + REACH)];
    let start = opened(text, at);
    let lexer = Lexer::new(text, start);
    if let Kind::Number(number) = lexer.peek().kind {
        // A number that is a label or an alias is that label.
        if let Some(found) = label(text, start, how) {
            return Some(found);
        }
        return numbered(text, lexer, number, how);
    }
    let mut from = start;
    for _ in 0..=MOST_NOUNS {
        if let Some(found) = label(text, from, how) {
            return Some(found);
        }
        let mut lexer = Lexer::new(text, from);
        if !lexer.next().is_one_of(&NOUNS) {
            break;
        }
        from = opened(text, lexer.at);
    }
    (how.firm && !how.broken).then(|| other(text, start, how.scale))?
}

/// Whether what follows a value from the byte `at` on, outside of the marks in which it was read, may change it.
pub(super) fn goes_on(text: &str, at: usize, value: f64, scale: &Scale) -> bool {
    let label = |at: &usize| scale.labels[*at].value.total_cmp(&value).is_eq();
    let label = (0..scale.labels.len()).find(label);
    label.is_some_and(|label| matches!(behind(text, at, label, scale), Behind::Unclear(_)))
}

/// Where a text names labels: those of one letter as the spec writes them, for `a` is mostly a word.
pub(in crate::models::parse) fn mentions(text: &str, scale: &Scale) -> Vec<(usize, Spelt)> {
    let mut found = Vec::new();
    let (mut behind, mut before) = (0, ' ');
    for (at, c) in text.char_indices() {
        let starts =
            at >= behind && c.is_alphanumeric() && (!before.is_alphanumeric() || !c.is_ascii());
        before = c;
        if !starts {
            continue;
        }
        if let Some(label) =
            spelt(&text[at..], scale).filter(|label| label.exact || label.length > 1)
        {
            behind = at + label.length;
            found.push((at, label));
        }
    }
    found
}

/// Where a text starts behind the blanks, marks and brackets at `at`.
fn opened(text: &str, at: usize) -> usize {
    let mut rest = text[at..].trim_start_matches(is_opening);
    // `\boxed{\text{Good}}`
    if let Some(inside) = rest.strip_prefix("\\text{") {
        rest = inside.trim_start_matches(is_opening);
    }
    text.len() - rest.len()
}

/// The label at `at`, if one stands there as a value.
fn label(text: &str, at: usize, how: How<'_>) -> Option<Found> {
    let Spelt {
        label,
        length,
        exact,
    } = spelt(&text[at..], how.scale)?;
    let end = at + length;
    let quoted = text[..at].ends_with(is_quotation) || text[..at].ends_with(['*', '[', '(']);
    if how.exact && !exact && !quoted {
        return None;
    }
    let behind = behind(text, end, label, how.scale);
    // `1. The text …` begins a list.
    let digits = text[at..end].bytes().all(|b| b.is_ascii_digit());
    if digits && !how.firm && matches!(behind, Behind::Sentence) {
        return None;
    }
    // `a` is an article wherever it does not stand alone.
    let letter = length == 1 && !exact;
    match behind {
        Behind::Word => None,
        _ if letter && !matches!(behind, Behind::End) => None,
        _ if how.broken && matches!(behind, Behind::Sentence) => None,
        Behind::Unclear(end) => Some(Found::unclear(at..end)),
        Behind::End | Behind::Remark | Behind::Sentence => Some(Found {
            value: Value::Label {
                label,
                value: how.scale.labels[label].value,
            },
            span: at..end,
        }),
    }
}

fn is_quotation(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '\u{201c}' | '\u{2018}' | '\u{201e}' | '\u{ab}' | '\u{300c}' | '\u{300e}'
    )
}

/// A clause that begins with a number: that of the label behind it, or no value.
fn numbered(text: &str, mut lexer: Lexer<'_>, number: f64, how: How<'_>) -> Option<Found> {
    let first = lexer.next();
    let alone = |end| Found {
        value: Value::Number {
            value: number,
            out_of: None,
        },
        span: first.start..end,
    };
    let mut ahead = lexer;
    ahead.skip_marks();
    if ahead.next().is_sign("/") && ahead.next().number().is_some() {
        lexer = ahead;
    }
    let end = lexer.at;
    lexer.skip_marks();
    let joint = lexer.next();
    let joins = match joint.kind {
        Kind::Open => true,
        Kind::Close => joint.text == ")",
        Kind::Sign('.' | ':' | '=' | '-' | '\u{2014}' | ',') => lexer.peek().spaced,
        Kind::Line | Kind::End => return Some(alone(end)),
        _ => false,
    };
    if !joins {
        return how.firm.then(|| alone(end));
    }
    let at = opened(text, lexer.at);
    let how = How {
        broken: false,
        exact: false,
        ..how
    };
    match label(text, at, how) {
        Some(Found {
            value: Value::Label { value, .. },
            span,
        }) if value.total_cmp(&number).is_ne() => Some(Found::unclear(first.start..span.end)),
        Some(found) => Some(found),
        None => how.firm.then(|| alone(end)),
    }
}

/// What stands where a label should and is none: unclear if a label is among its first words, else words of a judge's
/// own, if they are few.
fn other(text: &str, start: usize, scale: &Scale) -> Option<Found> {
    let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
    let end = start + line.len();
    let mut lexer = Lexer::new(&text[..end], start);
    let mut count = 0;
    loop {
        let at = opened(&text[..end], lexer.at);
        let unspaced = text[..at].ends_with(char::is_alphanumeric);
        if count > 0 && !unspaced && spelt(&text[at..end], scale).is_some() && count <= NEAR {
            return Some(Found::unclear(start..start + line.trim_end().len()));
        }
        lexer.at = at;
        let token = lexer.next();
        match token.kind {
            Kind::End => break,
            Kind::Word if count == 0 && token.is_one_of(&words::SENTENCES) => return None,
            Kind::Word => count += 1,
            _ => {}
        }
    }
    let shown = line.trim_end_matches(|c: char| is_closing(c) || c.is_whitespace() || c == '.');
    let plain = shown
        .chars()
        .all(|c| c.is_alphanumeric() || " -/&'".contains(c));
    let few = (1..=NEAR).contains(&count) && shown.len() <= LONGEST && plain;
    few.then(|| Found {
        value: Value::Other,
        span: start..start + shown.len(),
    })
}

#[cfg(test)]
mod tests;
