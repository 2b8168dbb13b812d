//! Strings and other text of an object: where they end, and what they say.
//!
//! Must not know which key a string stands under.

use std::borrow::Cow;

/// The longest key that may be written without quotes, in characters.
const LONGEST_BARE_KEY: usize = 64;

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Object,
    Array,
}

/// Whether a quotation mark with `rest` behind it ends a value, rather than quoting a word inside it.
///
/// In JSON it always does, and what follows always is one of the signs asked for here; so the question
/// changes nothing about JSON and saves strings whose quotation marks should have been escaped.
pub(super) fn ends_string(rest: &str, within: Within) -> bool {
    let next = rest.trim_start();
    let mut chars = next.chars();
    match chars.next() {
        None | Some('#') => true,
        Some('}') => within == Within::Object,
        Some(']') => within == Within::Array,
        Some(',') => starts_entry(chars.as_str().trim_start(), within),
        Some('/') => starts_comment(next),
        // A forgotten comma.
        Some('"' | '\'') => rest[..rest.len() - next.len()].contains('\n'),
        Some(_) => false,
    }
}

/// Whether a text behind a comma is the next entry, or the end after one comma too many.
fn starts_entry(next: &str, within: Within) -> bool {
    match (next.chars().next(), within) {
        (None | Some('"' | '\'' | '#' | '/'), _) | (Some('}'), Within::Object) => true,
        (_, Within::Object) => bare_key(next).is_some(),
        (first, Within::Array) => {
            matches!(first, Some('{' | '[' | ']' | '-' | '0'..='9')) || starts_constant(next)
        }
    }
}

/// Whether a constant of JSON or Python starts here and nothing else.
fn starts_constant(text: &str) -> bool {
    let constants = ["true", "false", "null", "True", "False", "None", "NaN"];
    let mut behind = constants.iter().filter_map(|word| text.strip_prefix(word));
    behind.any(|rest| rest.trim_start().starts_with([',', ']']))
}

/// Whether a comment starts here; `#` apart.
pub(super) fn starts_comment(text: &str) -> bool {
    text.starts_with("//") || text.starts_with("/*")
}

/// The length of a key without quotes, and its length together with the colon behind it.
pub(super) fn bare_key(text: &str) -> Option<(usize, usize)> {
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | '+' | '&');
    let (end, _) = text
        .char_indices()
        .take(LONGEST_BARE_KEY)
        .find(|(_, c)| !inside(*c))?;
    text[end..].starts_with(':').then_some((end, end + 1))
}

/// What an escaped text says. Half a surrogate pair becomes the replacement character, an escape that does
/// not exist the character behind the backslash.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(sign) = rest.chars().next() else {
            break;
        };
        rest = &rest[sign.len_utf8()..];
        match sign {
            'n' => plain.push('\n'),
            'r' => plain.push('\r'),
            't' => plain.push('\t'),
            'b' => plain.push('\u{8}'),
            'f' => plain.push('\u{c}'),
            'u' => match unit(rest) {
                Some(first) => {
                    rest = &rest[4..];
                    let low = rest.strip_prefix("\\u").and_then(unit);
                    let pair = [Some(first), low].into_iter().flatten();
                    let mut decoded = char::decode_utf16(pair);
                    let one = decoded.next().and_then(Result::ok);
                    // A pair decodes to one character, two separate units to two.
                    if one.is_some_and(|c| c > '\u{ffff}') {
                        rest = &rest[6..];
                    }
                    plain.push(one.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                None => plain.push('u'),
            },
            other => plain.push(other),
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The four hexadecimal digits at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.get(..4)?;
    let hexadecimal = digits.bytes().all(|b| b.is_ascii_hexdigit());
    hexadecimal
        .then(|| u16::from_str_radix(digits, 16).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        for (escaped, plain) in [
            (r"a\nb\t\u0041", "a\nb\tA"),
            (r#"\"q\" \\ \/"#, r#""q" \ /"#),
            (r"\ud83d\ude00!", "\u{1f600}!"),
            (r"\ud83d!", "\u{fffd}!"),
            (r"\ude00\ud83d", "\u{fffd}\u{fffd}"),
            (r"\ud83d\u0041", "\u{fffd}A"),
            (r"\u00e9\u0301", "\u{e9}\u{301}"),
            (r"\u12 \x \é", "u12 x é"),
            (r"\u+123", "u+123"),
            (r"\ué123", "ué123"),
            ("end\\", "end"),
        ] {
            assert_eq!(decode(escaped), plain, "{escaped}");
        }
    }

    #[test]
    fn a_quotation_mark_ends_a_value_where_json_goes_on() {
        for rest in ["", " }", ", \"b\": 1", ",}", ", b: 1", " // c", "\n  \"b\""] {
            assert!(ends_string(rest, Within::Object), "{rest:?}");
        }
        for rest in ["teh", " is", ", which is", " \"b\"", "]", ": 1", "."] {
            assert!(!ends_string(rest, Within::Object), "{rest:?}");
        }
        for rest in ["]", ", 4", ", -1]", ", [", ", null]", ",\ntrue ,", ",\n]"] {
            assert!(ends_string(rest, Within::Array), "{rest:?}");
        }
        assert!(!ends_string(", true that", Within::Array));
        assert!(!ends_string("}", Within::Array) && !ends_string(", he", Within::Array));
    }
}
