//! Cutting signs off both ends of a text.
//!
//! Nearly all that stands there is ASCII, which is compared byte by byte: several times as fast as `trim_start_matches`
//! of the standard library, which decodes characters. Must not know which signs are cut off.

/// The text without the characters at its start that are of a kind.
#[inline]
pub(super) fn trim_start(text: &str, of_kind: impl Fn(char) -> bool) -> &str {
    let bytes = text.as_bytes();
    let inside = |byte: &u8| byte.is_ascii() && of_kind(char::from(*byte));
    let start = bytes.iter().take_while(|byte| inside(byte)).count();
    let rest = &text[start..];
    match bytes.get(start) {
        Some(byte) if !byte.is_ascii() => rest.trim_start_matches(of_kind),
        _ => rest,
    }
}

/// The text without the characters at its end that are of a kind.
#[inline]
pub(super) fn trim_end(text: &str, of_kind: impl Fn(char) -> bool) -> &str {
    let bytes = text.as_bytes();
    let inside = |byte: &u8| byte.is_ascii() && of_kind(char::from(*byte));
    let length = bytes.iter().rev().take_while(|byte| inside(byte)).count();
    let end = text.len() - length;
    let rest = &text[..end];
    match end.checked_sub(1).map(|last| bytes[last]) {
        Some(byte) if !byte.is_ascii() => rest.trim_end_matches(of_kind),
        _ => rest,
    }
}

/// The text without the characters at both ends that are of a kind.
#[inline]
pub(super) fn trim(text: &str, of_kind: impl Fn(char) -> bool + Copy) -> &str {
    trim_end(trim_start(text, of_kind), of_kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_trimmed_as_the_standard_library_does() {
        let blank = char::is_whitespace;
        for text in [
            "",
            " ",
            " a",
            "a ",
            "\u{a0} a",
            " \u{a0}a\u{a0} ",
            "\u{e9} ",
            " \u{e9}",
            "\u{3000}",
            "\t\u{85}\r\n.\n",
        ] {
            assert_eq!(trim_start(text, blank), text.trim_start(), "{text:?}");
            assert_eq!(trim_end(text, blank), text.trim_end(), "{text:?}");
            assert_eq!(trim(text, blank), text.trim(), "{text:?}");
        }
    }
}
