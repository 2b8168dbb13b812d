//! Parts that begin where a regular expression matches.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::language::text::Span;

/// Why an expression cannot cut texts.
#[derive(Debug)]
pub(super) struct Unfit {
    pub(super) message: String,
    /// The bytes of it that are wrong, if that is known.
    pub(super) at: Option<Range<usize>>,
}

/// Reads an expression whose `^` and `$` match at every line.
pub(super) fn read(pattern: &str) -> Result<Regex, Unfit> {
    let read = RegexBuilder::new(pattern)
        .multi_line(true)
        .crlf(true)
        .build();
    read.map_err(|error| why(pattern, &error))
}

/// Whether it matches between any two letters, so that every letter would be a part.
pub(super) fn is_everywhere(pattern: &Regex) -> bool {
    // Two letters that no expression names.
    let text = "\u{e000}\u{e000}";
    let middle = text.len() / 2;
    pattern
        .find_iter(text)
        .any(|found| found.is_empty() && found.start() == middle)
}

/// The parts of a text: from each match to the next, and what stands before the first. None is blank.
pub(super) fn parts(text: &str, begins: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in begins.chain(std::iter::once(text.len())) {
        let part = Span::new(start, end);
        if !part.of(text).trim().is_empty() {
            found.push(part);
        }
        start = end;
    }
    found
}

/// What is wrong, out of the several lines in which it is shown: the expression, indented, a line of carets below it,
/// and a sentence.
fn why(pattern: &str, error: &regex::Error) -> Unfit {
    let said = error.to_string();
    let lines: Vec<&str> = said.lines().collect();
    let sentence = lines
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix("error: "));
    let Some(message) = sentence else {
        let message = match error {
            regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
            _ => "it cannot be read".to_owned(),
        };
        return Unfit { message, at: None };
    };
    let at = lines.windows(2).find_map(|pair| {
        let shown = pair[0].strip_suffix(pattern)?;
        let carets = pair[1].get(shown.len()..)?;
        let marked = |letter: char| letter == '^';
        let first = carets.find(marked)?;
        let place = |letters: usize| {
            let mut places = pattern.char_indices().map(|(byte, _)| byte);
            places.nth(letters).unwrap_or(pattern.len())
        };
        Some(place(first)..place(carets.rfind(marked)? + 1))
    });
    Unfit {
        message: message.to_owned(),
        at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
        let pattern = read(pattern).unwrap();
        let begins = pattern.find_iter(text).map(|found| found.start());
        let parts = parts(text, begins).into_iter();
        parts.map(|part| part.of(text)).collect()
    }

    #[test]
    fn parts_begin_with_a_match_and_what_stands_before_is_one_if_it_is_not_blank() {
        let text = "Intro.\n# A\nOne.\n# B\nTwo. # C\n";
        assert_eq!(
            cut("^# ", text),
            ["Intro.\n", "# A\nOne.\n", "# B\nTwo. # C\n"]
        );
        assert_eq!(cut("^# ", " \n\n# A\nOne.\n"), ["# A\nOne.\n"]);
        assert_eq!(cut("^# ", "No heading."), ["No heading."]);
        assert_eq!(cut("^# ", " \n"), [""; 0]);
        assert_eq!(cut("^# ", "# A\r\n# B\r\n"), ["# A\r\n", "# B\r\n"]);
    }

    #[test]
    fn a_match_of_nothing_begins_a_part_too() {
        assert_eq!(cut("^", "One.\n\nTwo."), ["One.\n", "Two."]);
        assert_eq!(cut("$", "One.\nTwo."), ["One.", "\nTwo."]);
    }

    #[test]
    fn a_pattern_that_matches_everywhere_is_found_out() {
        for pattern in ["x*", "", "(?:a|)", r"\B"] {
            assert!(is_everywhere(&read(pattern).unwrap()), "{pattern}");
        }
        for pattern in ["^", "$", r"\b", "x+", "^ *", "(?i)chapter"] {
            assert!(!is_everywhere(&read(pattern).unwrap()), "{pattern}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_said_in_a_line_with_its_place() {
        for (pattern, message, at) in [
            ("^(Teil", "unclosed group", Some(1..2)),
            (
                "é[z-a]",
                "invalid character class range, the start must be <= the end",
                Some(3..6),
            ),
            (
                r"a(?=b)",
                "look-around, including look-ahead and look-behind, is not supported",
                Some(1..4),
            ),
            ("x{99999}{99999}", "it is too large", None),
        ] {
            let unfit = read(pattern).unwrap_err();
            assert_eq!(
                (unfit.message.as_str(), unfit.at),
                (message, at),
                "{pattern}"
            );
        }
    }
}
