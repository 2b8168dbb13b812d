//! An answer of a server, whole, and JSON in it.
//!
//! Knows neither providers nor what a status means.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::base::json;
use crate::base::wording::shorten;

/// How many counts a reply may bring along; servers bring up to ten.
const MOST_COUNTS: usize = 32;

/// An answer, whole. Keys are already taken out of its bytes and texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was asked.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// What the server says the bytes are.
    pub content_type: Option<String>,
    /// Where it sends to instead.
    pub location: Option<String>,
    /// How long it asks to wait.
    pub after: Option<Duration>,
    /// The bytes.
    pub body: Vec<u8>,
}

impl Answer {
    /// The bytes as JSON.
    ///
    /// # Errors
    /// What they are instead, as "an answer of type … that begins …".
    pub fn json(&self) -> Result<Value, String> {
        let (value, text) = whole(&self.body).map_err(|_| {
            let kind = match &self.content_type {
                Some(kind) => format!("an answer of type `{}`", excerpt(kind.as_bytes(), 80)),
                None => "an answer of no declared type".to_owned(),
            };
            let beginning = excerpt(&self.body, 80);
            if beginning.is_empty() {
                return format!("{kind} with nothing in it");
            }
            // The beginning of broken JSON looks right; where it broke does not.
            let end = match self.body.first() {
                Some(b'{' | b'[') => " and is broken or cut off",
                _ => "",
            };
            format!("{kind} that begins `{beginning}`{end}")
        })?;
        match twice(&text) {
            Some(why) => Err(format!("an answer that can be read in two ways ({why})")),
            None => Ok(value),
        }
    }

    /// Whether it is a web page in the place of a reply.
    pub(crate) fn is_reply_page(&self) -> bool {
        (200..300).contains(&self.status) && self.is_page()
    }

    /// Whether it is a web page. What is JSON is read whatever it is called, and broken JSON is no page: some proxies
    /// call everything `text/html`. Nothing at all is none either.
    pub(super) fn is_page(&self) -> bool {
        let first = self.body.trim_ascii_start().first();
        self.essence() == "text/html" && !matches!(first, None | Some(b'{' | b'['))
    }

    /// The declared type without its parameters, in lower case.
    pub(super) fn essence(&self) -> String {
        let declared = self.content_type.as_deref().unwrap_or_default();
        let essence = declared.split(';').next().unwrap_or_default();
        essence.trim().to_ascii_lowercase()
    }
}

/// Bytes as JSON, if they are.
pub(super) fn parse(bytes: &[u8]) -> Option<Value> {
    whole(bytes).ok().map(|(value, _)| value)
}

/// Bytes as JSON, and as which bytes they were read.
///
/// A text may hold half of a surrogate pair (`\ud83d` alone), which some servers write when a model stops within an
/// emoji. That is no text, but the rest is, and it was paid for: the half is replaced by U+FFFD.
///
/// # Errors
/// Why they are no JSON.
pub(crate) fn whole(bytes: &[u8]) -> serde_json::Result<(Value, Cow<'_, [u8]>)> {
    let why = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok((value, Cow::Borrowed(bytes))),
        Err(why) => why,
    };
    let without = without_halves(bytes).ok_or(why)?;
    let value = serde_json::from_slice(&without)?;
    Ok((value, Cow::Owned(without)))
}

/// Which key occurs twice in one object of what is JSON, if one does: nobody can say which of its values counts.
pub(crate) fn twice(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    json::check(text).err().map(|why| why.to_string())
}

/// Replaces `\u` escapes of surrogates without a partner; None if there are none.
fn without_halves(bytes: &[u8]) -> Option<Vec<u8>> {
    let escape = |at: usize| -> Option<u16> {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut whole: Vec<u8> = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match escape(at) {
            Some(0xD800..=0xDBFF) if matches!(escape(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                whole.extend_from_slice(&bytes[copied..at]);
                whole.extend_from_slice(b"\\ufffd");
                at += 6;
                copied = at;
            }
            _ => at += 2,
        }
    }
    if copied == 0 {
        return None;
    }
    whole.extend_from_slice(&bytes[copied..]);
    Some(whole)
}

/// The beginning of what a server sent, on one line of at most `most` characters, without characters that a terminal
/// would obey.
pub(crate) fn excerpt(bytes: &[u8], most: usize) -> String {
    let beginning = &bytes[..bytes.len().min(most.saturating_mul(8))];
    let mut shown = String::new();
    for c in String::from_utf8_lossy(beginning).chars() {
        // Marks of direction can make a line read as another.
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || (c.is_control() && !c.is_whitespace()) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shorten(&shown, most)
}

/// A text that says something.
pub(super) fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

/// A count, also where it is written as `12.0`.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let whole = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
        whole.then_some(number as u64)
    })
}

/// The counts of a `usage` object but for some, those of objects within it by their own names. Zeros say nothing
/// and are left out.
pub(super) fn counts(usage: &Value, but: &[&str]) -> BTreeMap<String, u64> {
    let outer = usage.as_object().into_iter().flatten();
    let all = outer.flat_map(|(name, value)| match value {
        Value::Object(within) => within.iter().collect::<Vec<_>>(),
        _ => vec![(name, value)],
    });
    let mut found = BTreeMap::new();
    for (name, value) in all {
        let counted = count(value).filter(|n| *n > 0 && name.len() <= 64);
        if let Some(n) = counted.filter(|_| !but.contains(&name.as_str()))
            && found.len() < MOST_COUNTS
        {
            found.entry(name.clone()).or_insert(n);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn answer(kind: Option<&str>, body: &[u8]) -> Answer {
        Answer {
            url: "http://localhost/v1".to_owned(),
            status: 200,
            content_type: kind.map(str::to_owned),
            location: None,
            after: None,
            body: body.to_vec(),
        }
    }

    #[test]
    fn what_is_no_json_is_named_by_its_type_and_beginning() {
        let said = |kind, body: &[u8]| answer(kind, body).json().unwrap_err();
        assert_eq!(
            said(Some("text/html"), b"<!DOCTYPE html>\n <title>x\x1b[31m\xff"),
            "an answer of type `text/html` that begins `<!DOCTYPE html> <title>x\\u{1b}[31m\u{fffd}`"
        );
        assert_eq!(
            said(None, b" \r\n"),
            "an answer of no declared type with nothing in it"
        );
        assert_eq!(
            said(Some("application/json"), br#"{"id": "a", "cho"#),
            r#"an answer of type `application/json` that begins `{"id": "a", "cho` and is broken or cut off"#
        );
    }

    #[test]
    fn a_key_that_stands_twice_is_named() {
        for (body, key) in [
            (r#"{"choices": [1], "choices": [2]}"#, "choices"),
            (r#"{"a": [{"content": "4", "content": "5"}]}"#, "content"),
            (r#"{"a": "\ud83d", "a": 1}"#, "a"),
        ] {
            let said = answer(None, body.as_bytes()).json().unwrap_err();
            let why = format!("in two ways (the key `{key}` occurs twice in one object");
            assert!(said.contains(&why), "{said}");
        }
        assert!(answer(None, br#"{"a": {"a": 1}}"#).json().is_ok());
    }

    #[test]
    fn a_page_is_known_by_its_type_and_is_no_json() {
        for (kind, body, page) in [
            (Some("text/html"), "<!doctype html>", true),
            (Some("Text/HTML; charset=utf-8"), "\r\n Hello, world", true),
            (Some("text/html"), "{\"choices\": [", false),
            (Some("text/html"), " [1]", false),
            (Some("text/html"), " \n", false),
            (Some("application/json"), "<html>", false),
            (Some("text/plain"), "<html>", false),
            (None, "<html>", false),
        ] {
            assert_eq!(
                answer(kind, body.as_bytes()).is_page(),
                page,
                "{kind:?} {body}"
            );
        }
    }

    #[test]
    fn half_a_pair_of_surrogates_does_not_cost_the_reply() {
        for (written, read) in [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ud83d\ud83d\ude00b""#, "\u{fffd}😀b"),
            (r#""\ude00\n\\ud83d""#, "\u{fffd}\n\\ud83d"),
            (r#""\ud83dx\u00e9""#, "\u{fffd}xé"),
        ] {
            assert_eq!(parse(written.as_bytes()), Some(json!(read)), "{written}");
        }
        assert_eq!(parse(br#""\ud83d"#), None);
        assert_eq!(parse(br#""\ud8"#), None);
    }

    #[test]
    fn deep_nesting_is_refused_and_nothing_overflows() {
        assert_eq!(parse("[".repeat(1_000_000).as_bytes()), None);
        assert_eq!(parse("{\"a\":".repeat(1_000_000).as_bytes()), None);
    }

    #[test]
    fn counts_are_flat_and_few() {
        let usage = json!({
            "prompt_tokens": 9, "total_tokens": 12, "cost": 0.25, "is_byok": false, "audio": 0,
            "prompt_tokens_details": {"cached_tokens": 8.0, "audio_tokens": null},
        });
        let found = counts(&usage, &["prompt_tokens", "total_tokens"]);
        assert_eq!(found, BTreeMap::from([("cached_tokens".to_owned(), 8)]));
        let many: serde_json::Map<String, Value> =
            (1..99).map(|n| (format!("n{n}"), json!(n))).collect();
        assert_eq!(counts(&Value::Object(many), &[]).len(), MOST_COUNTS);
        assert!(counts(&json!([1]), &[]).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn no_bytes_are_too_odd(bytes in prop::collection::vec(prop_oneof![
            any::<u8>(), Just(b'\\'), Just(b'u'), Just(b'd'), Just(b'8'), Just(b'"'),
        ], 0..40)) {
            let _ = parse(&bytes);
            let shown = excerpt(&bytes, 20);
            prop_assert!(shown.chars().count() <= 20);
            prop_assert!(!shown.chars().any(char::is_control));
        }
    }
}
