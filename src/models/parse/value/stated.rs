//! Scales that are stated near a verdict, in whatever words: `out of 10`, `max 10`, `1 is best`, `(0-10)`.
//!
//! Must not read scores.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::models::score::Scale;

/// A scale: its top, its ends, or what one of these means.
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?ix)
        out [\x20\t\n]+ of [\x20\t\n]+ (?:a [\x20\t\n]+|max[a-z]* [\x20\t\n]+|possible [\x20\t\n]+|the [\x20\t\n]+)* (?P<of>[0-9]+)
      | (?-u:\b)(?:max|maximum|full\ marks|highest(?:\ possible)?(?:\ score)?|maximal)(?-u:\b)\.? (?:[\x20\t\n]*(?:is|of|score|mark|marks|possible|points|[:=(]))* [\x20\t\n]* (?P<max>[0-9]+)
      | (?-u:\b)(?P<maxed>[0-9]+) [\x20\t\n]* (?:points?[\x20\t\n]*)? (?:max|maximum)(?-u:\b)
      | [(\[] [\x20\t\n]* / [\x20\t\n]* (?P<slash>[0-9]+) [\x20\t\n]* [)\]]
      | (?:(?-u:\b)(?:scores?|ratings?|scale|range|evaluation|marks?|grades?|values?|skala|escala|scala|schaal)|chelle) (?-u:\b) [*_[\x20\t\n]]* (?:von|de|da|van|from|of|is|:|,)? [*_[\x20\t\n]]* [(\[]? (?P<low>[0-9]+) [\x20\t\n]* (?:-|\u{2013}|\u{2014}|to|bis|\u{e0}|a|tot|\.\.) [\x20\t\n]* (?P<high>[0-9]+)
      | (?:^|\n) [\x20*_-]* scale [\x20*_]* [:=] [\x20*_]* (?P<alone>[0-9]+) [\x20*_]* (?:\n|$)
      | (?-u:\b)(?P<mark>[0-9]+) [\x20\t\n]* (?:=|is|being|means|meaning|stands\ for|:|\() [\x20\t\n]* (?:the[\x20\t\n]+)? (?:(?P<good>best|excellent|highest|perfect|flawless|outstanding|very\ good)|(?P<bad>worst|lowest|terrible|very\ poor|very\ bad|poor|awful))(?-u:\b)
      | (?-u:\b)(?P<beyond>[0-9]+) \x20* = \x20* [[:alpha:]]
      | (?-u:\b)(?:(?P<top>best|highest|perfect)|(?P<bottom>worst|lowest)) [\x20\t\n]* (?:=|is|:) [\x20\t\n]* (?P<end>[0-9]+)
      | (?P<reverse>(?-u:\b)(?:reverse|reversed|inverted|inverse)[-\ ]?(?:coded|scored|scale|score|scoring)(?-u:\b)|(?-u:\b)(?:lower|smaller|less)(?:\ (?:scores?|numbers?|values?|marks?))?\ (?:is|are|means)\ better(?-u:\b)|(?-u:\b)higher(?:\ (?:scores?|numbers?|values?|marks?))?\ (?:is|are|means)\ worse(?-u:\b))
      | \u{6ee1}\u{5206} [^0-9]{0,6} (?P<full>[0-9]+) | (?P<points>[0-9]+) [\x20\t\n]* (?:\u{5206}(?:\u{5236}|\u{6ee1}\u{5206})|\u{70b9}\u{6e80}\u{70b9})";
    Regex::new(pattern).expect("the pattern is a constant")
});

/// Words of a scale that is reversed, or close to them.
static REVERSED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("everse|nverse|nverted| better| worse").expect("the pattern is a constant")
});

/// Whether a text states a scale that is not the one asked for.
pub(in crate::models::parse) fn states_near(text: &str, scale: &Scale) -> bool {
    if REVERSED.is_match(text) && states(text, scale) {
        return true;
    }
    let mut places = suspicious(text, scale).peekable();
    while let Some(first) = places.next() {
        let mut last = first;
        while let Some(next) = places.next_if(|next| *next < last + AROUND) {
            last = next;
        }
        let start = text.ceil_char_boundary(first.saturating_sub(AROUND));
        let end = text.floor_char_boundary(last + AROUND);
        if states(&text[start..end], scale) {
            return true;
        }
    }
    false
}

/// The highest top of a scale that is looked for.
const HIGHEST: f64 = 1000.0;

/// How much around a number is looked at, in bytes.
const AROUND: usize = 80;

/// Whether a text that may state a scale does so, and another than the one asked for.
fn states(text: &str, scale: &Scale) -> bool {
    let differs = |number: &str, bound: f64| {
        number
            .parse::<f64>()
            .is_ok_and(|number| number.total_cmp(&bound).is_ne())
    };
    STATED.captures_iter(text).any(|found| {
        let get = |name| found.name(name).map(|found| found.as_str());
        if found.name("reverse").is_some() {
            return true;
        }
        if let Some(of) = get("of") {
            // `3 out of 10 sentences`
            let start = found.get(0).map_or(0, |whole| whole.start());
            let before = text[..start].trim_end_matches([' ', '*', ']', '}', '`']);
            let fraction = before.ends_with(|c: char| c.is_ascii_digit());
            return !fraction && differs(of, scale.max);
        }
        if let Some(mark) = get("beyond") {
            return mark.parse::<f64>().is_ok_and(|mark| mark > scale.max);
        }
        for top in ["max", "maxed", "slash", "alone", "full", "points"] {
            if let Some(top) = get(top) {
                return differs(top, scale.max);
            }
        }
        if let (Some(low), Some(high)) = (get("low"), get("high")) {
            let ordered = low.parse::<f64>().ok() < high.parse::<f64>().ok();
            return ordered && (differs(high, scale.max) || differs(low, scale.min));
        }
        if let Some(mark) = get("mark") {
            let (end, other) = if found.name("good").is_some() {
                (scale.max, scale.min)
            } else {
                (scale.min, scale.max)
            };
            // `2 (poor)` is a verdict in words.
            let word = get("good").or_else(|| get("bad")).unwrap_or_default();
            let named = matches!(
                &*word.to_ascii_lowercase(),
                "best" | "worst" | "highest" | "lowest"
            );
            return !differs(mark, other) || (named && differs(mark, end));
        }
        if let Some(end) = get("end") {
            let top = found.name("top").is_some();
            return differs(end, if top { scale.max } else { scale.min });
        }
        false
    })
}

/// Where numbers stand that may belong to a scale, as far as a quick look tells.
fn suspicious<'t>(text: &'t str, scale: &'t Scale) -> impl Iterator<Item = usize> + 't {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(start) = next_digit(bytes, at) {
            let digits = |b: &&u8| b.is_ascii_digit() || **b == b'.';
            let length = bytes[start..].iter().take_while(digits).count();
            at = start + length;
            if is_suspicious(text, start..at, scale) {
                return Some(start);
            }
        }
        None
    })
}

/// Where the next digit stands from `at` on; whole blocks without one are passed at once.
fn next_digit(bytes: &[u8], at: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    let any = |block: &[u8]| block.iter().fold(false, |any, b| any | b.is_ascii_digit());
    let mut from = at;
    for block in bytes[at..].chunks(BLOCK) {
        if any(block) {
            let digit = block.iter().position(u8::is_ascii_digit);
            return digit.map(|digit| from + digit);
        }
        from += block.len();
    }
    None
}

/// Whether a number may belong to a scale: it is above the one asked for, an end of it, or led by a word.
fn is_suspicious(text: &str, digits: Range<usize>, scale: &Scale) -> bool {
    let number = match text[digits.clone()].trim_end_matches('.') {
        digit if digit.len() == 1 => f64::from(digit.as_bytes()[0] - b'0'),
        digits => digits.parse().unwrap_or(f64::MAX),
    };
    // `section_01`, or counted in characters.
    let (at, bytes) = (digits.start, text.as_bytes());
    let glued = at > 1 && bytes[at - 1] == b'_' && bytes[at - 2].is_ascii_alphanumeric();
    if glued || number > HIGHEST.max(scale.max) {
        return false;
    }
    if number > scale.max {
        return true;
    }
    let before = text[..digits.start].trim_end_matches([' ', '*', '_', '`', '[']);
    let led = before.ends_with(['/', '-', '\u{2013}', '\u{2014}', '=', '(', '.'])
        || before.ends_with(char::is_alphabetic);
    let behind = || text[digits.end..].trim_start_matches([' ', '*', '_', '`', ']']);
    let end = number <= scale.min || number >= scale.max;
    let means =
        || behind().starts_with(|c: char| c.is_alphabetic() || "=:-\u{2013}\u{2014}(".contains(c));
    let named = || {
        before.strip_suffix([':', '=']).is_some_and(|name| {
            let mut ends = ["ax", "um", "st", "ks"].iter();
            ends.any(|end| name.ends_with(end))
        })
    };
    led || (end && means()) || named()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_scale_is_known_in_whatever_words() {
        let scale = Scale::ANY_1_TO_5;
        for text in [
            "All scores out of 10.",
            "Max: 10",
            "(10 max)",
            "Score (/10)",
            "Scores (0-10):",
            "where 1 is best",
            "4 (1 = best, 5 = worst)",
            "reverse-coded",
            "Skala 1\u{2013}10",
            "\u{c9}chelle de 1 \u{e0} 10",
            "\u{6ee1}\u{5206}10\u{5206}",
            "lower is better",
            "best = 1",
            "Scores (max. 10)",
            "(1 = sehr gut, 6 = ungen\u{fc}gend)",
        ] {
            assert!(states_near(text, &scale), "{text}");
        }
        for text in [
            "out of 5",
            "3 out of 10 sentences",
            "max. 5",
            "(/5)",
            "Scores (1-5):",
            "5 is best",
            "1 = worst, 5 = best",
            "2 (poor)",
            "in chapters 1-10",
        ] {
            assert!(!states_near(text, &scale), "{text}");
        }
    }
}
