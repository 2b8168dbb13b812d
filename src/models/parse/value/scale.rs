//! Scales that a text names: whether they are the one that is asked for.
//!
//! Must not read scores.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::token::{Kind, Lexer};
use super::words;
use crate::models::score::Scale;

/// How much before and behind the word `scale` is looked at, in bytes.
const REACH: usize = 40;

/// Whether the words in brackets or beside a score name another scale or something else with a number:
/// `out of 10`, `1-7`, `percent`, `chapter 1`.
pub(in crate::models::parse) fn is_other_scale(text: &str, scale: &Scale) -> bool {
    let mut lexer = Lexer::new(text, 0);
    let mut top: Option<f64> = None;
    loop {
        let token = lexer.next();
        match token.kind {
            Kind::End => break,
            Kind::Number(value) => top = Some(top.map_or(value, |top| top.max(value))),
            Kind::Odd | Kind::Sign('%') => return true,
            Kind::Word => {
                let spelt = words::number(token.text).filter(|_| !token.is("one"));
                if let Some(value) = spelt {
                    top = Some(top.map_or(value, |top| top.max(value)));
                }
                if token.is_one_of(&["percent", "percentage"]) {
                    return true;
                }
            }
            _ => {}
        }
    }
    top.is_some_and(|top| top.total_cmp(&scale.max).is_ne())
}

/// The word, whatever its first letter.
static SCALE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("cale"));

/// How a score is said to be in percent.
static PERCENTAGE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("s a percentage"));

/// Whether a text states a scale that is not the one asked for: `on a scale from 1 to 10`, `a 7-point scale`.
pub(in crate::models::parse) fn states_other(text: &str, scale: &Scale) -> bool {
    let (mut same, mut other) = (false, false);
    for at in SCALE.find_iter(text.as_bytes()) {
        if !text.as_bytes()[..at].ends_with(b"s") && !text.as_bytes()[..at].ends_with(b"S") {
            continue;
        }
        let end = at + "cale".len();
        let stated = ahead(&text[end..text.floor_char_boundary(end + REACH)])
            .or_else(|| behind(&text[text.ceil_char_boundary(at.saturating_sub(REACH))..at - 1]));
        match stated {
            Some(top) if top.total_cmp(&scale.max).is_eq() => same = true,
            Some(_) => other = true,
            None => {}
        }
    }
    other && !same || PERCENTAGE.find(text.as_bytes()).is_some()
}

/// The top of a scale that is told behind the word: `of 1 to 10`, `: 1-10`.
fn ahead(text: &str) -> Option<f64> {
    let mut lexer = Lexer::new(text, 0);
    let between = |token: &super::token::Token<'_>| {
        matches!(token.kind, Kind::Mark | Kind::Open)
            || token.is_sign(":=")
            || token.is_one_of(&["between", "from", "is", "of", "ranges"])
    };
    while lexer.take(between).is_some() {}
    lexer.next().number()?;
    top(&mut lexer)
}

/// The top of a scale that is told before the word: `a 1-10`, `a 7-point`, `a ten-point`.
fn behind(text: &str) -> Option<f64> {
    let line = text.rsplit(['\n', '.', ';']).next().unwrap_or(text);
    let mut lexer = Lexer::new(line, 0);
    let mut found = None;
    loop {
        let token = lexer.next();
        let number = match token.kind {
            Kind::End => return found,
            Kind::Number(value) => Some(value),
            Kind::Word => words::number(token.text),
            _ => None,
        };
        let Some(number) = number else { continue };
        let mut ahead = lexer;
        if let Some(top) = top(&mut ahead) {
            found = Some(top);
            continue;
        }
        ahead = lexer;
        ahead.take(|token| token.is_sign("-"));
        if ahead.next().is_one_of(&["point", "points"]) {
            found = Some(number);
        }
    }
}

/// `to 10` or `-10`.
fn top(lexer: &mut Lexer<'_>) -> Option<f64> {
    let joint = lexer.next();
    let joins = joint.is_sign("-\u{2014}~") || joint.is_one_of(&["and", "through", "to"]);
    lexer.next().number().filter(|_| joins)
}
