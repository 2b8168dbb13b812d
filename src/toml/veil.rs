//! Keeping secrets out of what is shown: a spec must not hold a key, but when one does, the message
//! that says so must not carry it into a terminal, a log, or a bug report.
//!
//! Goes by the name a value is given and by the shapes of well-known keys. Works on single lines of
//! text, not on parsed specs, because what cannot be parsed is shown too. Refuses nothing itself.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// What stands in a message where a secret was.
const VEIL: &str = "***";

/// Shorter values are no secrets, and would be met by chance in a message.
const SHORTEST: usize = 4;

/// A value under a name that says it is a secret. `api-key-env`, which names a variable, is none.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[^a-z0-9])",
        r"(?:api[-_]?key|(?:secret|access|private)[-_]?key|secret|password|passwd|credentials?",
        r"|(?:access|auth|bearer|api)[-_]?token|authorization)",
        r#"["']?\s*[=:]\s*(?:"(?<double>[^"]*)"?|'(?<single>[^']*)'?|(?<bare>[^\s,}\]"']+))"#,
    ))
    .expect("the pattern is fixed and tested")
});

/// A value that looks like a key whatever it is called.
static SHAPED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:sk-[A-Za-z0-9_-]{8,}|(?:gsk|hf|ghp)_[A-Za-z0-9]{16,}|xai-[A-Za-z0-9]{16,})")
        .expect("the pattern is fixed and tested")
});

/// Who asks, in a url: a name and a password.
static IN_URL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[a-z]://(?<user>[^/\s"'@]+)@"#).expect("the pattern is fixed and tested")
});

/// The parts of a line that must not be shown, as byte ranges.
pub(super) fn hidden(line: &str) -> Vec<Range<usize>> {
    let named = NAMED.captures_iter(line).filter_map(|found| {
        ["double", "single", "bare"]
            .iter()
            .find_map(|name| found.name(name))
            .map(|value| value.range())
    });
    named
        .chain(SHAPED.find_iter(line).map(|value| value.range()))
        .chain(
            IN_URL
                .captures_iter(line)
                .filter_map(|found| found.name("user"))
                .map(|value| value.range()),
        )
        .collect()
}

/// A message without what looks like a key, and without what is hidden in the lines it is about.
pub(super) fn veil(message: &str, lines: &[&str]) -> String {
    let mut veiled = SHAPED.replace_all(message, VEIL).into_owned();
    for line in lines {
        for secret in hidden(line) {
            let secret = &line[secret];
            if secret.len() >= SHORTEST && secret != VEIL {
                veiled = veiled.replace(secret, VEIL);
            }
        }
    }
    veiled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let mut line = line.to_owned();
        for part in hidden(&line.clone()) {
            let stars = "*".repeat(part.len());
            line.replace_range(part, &stars);
        }
        line
    }

    #[test]
    fn values_under_telling_names_are_hidden() {
        for line in [
            r#"api-key = "planted""#,
            r#"api_key="planted"#,
            "API_KEY = 'planted'",
            "apikey = planted",
            r#"big = { model = "x", secret = "planted", seed = 1 }"#,
            r#""api-key" = "planted""#,
            r#"models.big.password="planted""#,
            r#"headers = { Authorization = "planted" }"#,
        ] {
            assert!(!shown(line).contains("planted"), "{line}");
        }
    }

    #[test]
    fn values_in_the_shape_of_a_key_are_hidden_anywhere() {
        assert_eq!(
            shown("temperature = sk-12345678"),
            "temperature = ***********"
        );
        assert_eq!(
            veil("`sk-12345678` is not a number", &[]),
            "`***` is not a number"
        );
    }

    #[test]
    fn who_asks_is_hidden_in_urls() {
        assert_eq!(
            shown(r#"base-url = "https://me:planted@example.org/v1""#),
            r#"base-url = "https://**********@example.org/v1""#
        );
    }

    #[test]
    fn ordinary_lines_are_shown_as_they_are() {
        for line in [
            r#"api-key-env = "OPENAI_API_KEY""#,
            r#"key = ["doc_id", "section"]"#,
            "max-tokens = 2000",
            r#"tokens = "full""#,
            r#"title = "A task-specific, risk-averse judge""#,
            r#"columns = ["hf_score_difference"]"#,
        ] {
            assert_eq!(shown(line), line);
        }
    }

    #[test]
    fn a_message_does_not_repeat_what_its_line_hides() {
        let line = "api-key = hunter2000";
        assert_eq!(
            veil("`hunter2000` is not a value", &[line]),
            "`***` is not a value"
        );
    }
}
