//! How grave an error is.
//!
//! Must not know where severities stand.

use crate::models::parse::Severity;

/// The longest severity in words, in bytes.
const LONGEST: usize = 40;

/// Words for none.
const NONE: [&str; 8] = [
    "",
    "n/a",
    "na",
    "none",
    "null",
    "not applicable",
    "unknown",
    "not rated",
];

/// Reads what stands behind `Severity:`: a number, with its top and a remark or without; or a word.
pub(super) fn read(text: &str) -> Severity {
    let marks = |c: char| c.is_whitespace() || "*_`\"'[]<>\u{201c}\u{201d}".contains(c);
    let text = text.trim_matches(marks).trim_end_matches(['.', ',', ';']);
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return number(text).map_or(Severity::None, Severity::Number);
    }
    let end = text.find(['(', ',', ';', ':', '.', '\u{2014}', '\u{2013}']);
    let word = &text[..end.unwrap_or(text.len())];
    let word = word
        .split(" - ")
        .next()
        .unwrap_or_default()
        .trim_matches(marks);
    let none = NONE.iter().any(|none| word.eq_ignore_ascii_case(none));
    let plain = word
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
    if none || !plain || word.len() > LONGEST {
        return Severity::None;
    }
    Severity::Word(word.to_owned())
}

/// The number with which a text begins, if nothing behind it makes it another.
fn number(text: &str) -> Option<f64> {
    let sign = |c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','));
    let end = text.find(sign).unwrap_or(text.len());
    let digits = text[..end].trim_end_matches(['.', ',']);
    let rest = text[end..].trim_start_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
    // `3-4` and `3 to 4`, but `3 - moderate`.
    let behind =
        rest.trim_start_matches(|c: char| c.is_whitespace() || "-\u{2013}\u{2014}~".contains(c));
    let bound = ["or ", "to "].iter().any(|word| rest.starts_with(word));
    if bound || (behind.len() < rest.len() && behind.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    if rest.starts_with(['%', '+']) {
        return None;
    }
    digits.replace(',', ".").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_severity_is_a_number_or_a_word_and_nothing_else() {
        for (text, number) in [
            ("3", 3.0),
            (" **4**", 4.0),
            ("2/5", 2.0),
            ("5 (High severity, not 3)", 5.0),
            ("3 - moderate", 3.0),
            ("[1]", 1.0),
            ("2,5", 2.5),
            ("4.", 4.0),
        ] {
            assert_eq!(read(text), Severity::Number(number), "{text}");
        }
        for (text, word) in [
            ("Major", "Major"),
            ("minor (a typo)", "minor"),
            ("**critical** - unusable", "critical"),
            ("non-critical", "non-critical"),
        ] {
            assert_eq!(read(text), Severity::Word(word.to_owned()), "{text}");
        }
        for text in [
            "",
            "N/A (not an error)",
            "none",
            "3-4",
            "3 to 4",
            "3 or 4",
            "50%",
            "?",
            "1.2.3",
        ] {
            assert_eq!(read(text), Severity::None, "{text}");
        }
    }
}
