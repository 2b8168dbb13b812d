//! What keys mean.
//!
//! Must not look at values.

use super::text::decode;
use crate::parse::metrics::Metrics;

/// Longer keys mean nothing, in bytes.
const LONGEST: usize = 512;

/// What a key says its value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// The score of a metric, or an object with it.
    Metric(usize),
    /// The score of whoever the object is about.
    Value,
    /// The name of a metric.
    Name,
    /// Issues; of a metric if it is named.
    Issues(Option<usize>),
    Other,
}

impl Key {
    /// Reads a key that is still escaped. A name of a metric goes before all other meanings.
    pub(super) fn read(raw: &str, metrics: &Metrics) -> Self {
        if raw.len() > LONGEST {
            return Self::Other;
        }
        let key = decode(raw);
        let key = key.trim();
        if let Some(metric) = metrics.position(key) {
            return Self::Metric(metric);
        }
        let (before, word) = last_word(key);
        if is_one_of(word, &["issues", "errors", "problems"]) {
            let metric = metrics.position(before);
            if before.is_empty() || metric.is_some() {
                return Self::Issues(metric);
            }
        }
        if is_one_of(word, &["score", "rating"]) {
            let name = without_final(before);
            if name.is_empty() {
                return Self::Value;
            }
            return metrics.position(name).map_or(Self::Other, Self::Metric);
        }
        if is_one_of(key, &["value"]) {
            Self::Value
        } else if is_one_of(key, &["metric", "aspect", "criterion", "dimension", "name"]) {
            Self::Name
        } else {
            Self::Other
        }
    }

    /// Whether a key in a metric's own object is that of its score, even where another metric has that
    /// name.
    pub(super) fn is_own_score(self, raw: &str, metric: usize) -> bool {
        matches!(self, Self::Value)
            || self == Self::Metric(metric)
            || is_one_of(raw.trim(), &["score", "rating", "value"])
    }
}

/// Whether a key is one of these words, whatever its capitals.
pub(super) fn is_one_of(key: &str, words: &[&str]) -> bool {
    words.iter().any(|word| key.eq_ignore_ascii_case(word))
}

/// Parts a key before its last word, which may also begin with a capital behind a small letter.
fn last_word(key: &str) -> (&str, &str) {
    let separates = |c: char| c.is_whitespace() || c == '_' || c == '-';
    let mut next: Option<char> = None;
    for (at, c) in key.char_indices().rev() {
        let behind = at + c.len_utf8();
        if separates(c) {
            return (key[..at].trim_end_matches(separates), &key[behind..]);
        }
        if c.is_lowercase() && next.is_some_and(char::is_uppercase) {
            return (&key[..behind], &key[behind..]);
        }
        next = Some(c);
    }
    ("", key)
}

/// What is left of a name behind the word `final`.
fn without_final(name: &str) -> &str {
    let Some((start, rest)) = name.split_at_checked("final".len()) else {
        return name;
    };
    let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '_' || c == '-');
    let apart = bare.len() < rest.len() || rest.is_empty() || rest.starts_with(char::is_uppercase);
    if apart && start.eq_ignore_ascii_case("final") {
        bare
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_in_many_spellings() {
        let metrics = ["fluency", "overall quality"].map(str::to_owned);
        let metrics = Metrics::new(&metrics).unwrap();
        for (key, meaning) in [
            ("Fluency", Key::Metric(0)),
            ("overall_quality", Key::Metric(1)),
            (" OVERALL-Quality ", Key::Metric(1)),
            (r"flu\u0065ncy", Key::Metric(0)),
            ("fluency_score", Key::Metric(0)),
            ("final Fluency-Rating", Key::Metric(0)),
            ("finalFluencyScore", Key::Metric(0)),
            ("overall quality score", Key::Metric(1)),
            ("score", Key::Value),
            ("Final_Score", Key::Value),
            ("value", Key::Value),
            ("Metric", Key::Name),
            ("issues", Key::Issues(None)),
            ("fluency_issues", Key::Issues(Some(0))),
            ("overall_score", Key::Other),
            ("semifinal fluency score", Key::Other),
            ("disfluency", Key::Other),
            ("coherence issues", Key::Other),
            ("", Key::Other),
            ("_", Key::Other),
        ] {
            assert_eq!(Key::read(key, &metrics), meaning, "{key}");
        }
    }
}
