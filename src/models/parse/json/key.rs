//! What keys mean.
//!
//! Must not look at values.

use super::text::decode;
use super::words::{CHANGES, CONTAINERS, FOREIGN, HARMLESS, SCALES, SCORES, VERDICTS};
use crate::models::parse::metrics::Metrics;
use crate::models::parse::value::{has, is_other_scale};
use crate::models::score::Scale;

/// Longer keys mean nothing, in bytes.
const LONGEST: usize = 512;

/// What a key says its value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// The score of a metric, or an object with it.
    Metric(usize),
    /// The score of whoever the object is about.
    Value,
    /// The final one, without a name: that of the whole.
    Final,
    /// The name of a metric.
    Name,
    /// Issues; of a metric if it is named.
    Issues(Option<usize>),
    /// The highest score, or the scale.
    Scale,
    /// Something that is about no verdict: a former one, an example, a weight.
    Foreign,
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
        let key = without_scale(key);
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
        if is_one_of(word, &SCORES) {
            let name = without_word(before, &["final"]);
            if name.is_empty() {
                return if before.is_empty() {
                    Self::Value
                } else {
                    Self::Final
                };
            }
            return metrics
                .position(name)
                .map_or_else(|| Self::other(key), Self::Metric);
        }
        let name = without_word(key, &["final", "overall"]);
        let name = if is_one_of(word, &["final", "overall"]) {
            before
        } else {
            name
        };
        if name.len() < key.len()
            && let Some(metric) = metrics.position(name)
        {
            return Self::Metric(metric);
        }
        let name = without_word(key, &["final"]);
        let named = without_word(name, &SCORES);
        if named.len() < name.len()
            && let Some(metric) = metrics.position(named)
        {
            return Self::Metric(metric);
        }
        if is_one_of(key, &["value"]) {
            Self::Value
        } else if name.len() < key.len() && (name.is_empty() || is_one_of(name, &VERDICTS)) {
            Self::Final
        } else if is_one_of(key, &["metric", "aspect", "criterion", "dimension", "name"]) {
            Self::Name
        } else {
            Self::other(key)
        }
    }

    /// Whether a key names no metric, score or issue.
    pub(super) fn is_unknown(self) -> bool {
        matches!(self, Self::Other | Self::Foreign | Self::Scale)
    }

    /// Whether a key that names no metric and no score is known to hold verdicts, or is one of a list of sections: its
    /// words all speak of a verdict.
    pub(super) fn holds_verdicts(raw: &str, metrics: &Metrics) -> bool {
        let key = decode(raw);
        let mut rest = key.trim();
        while !rest.is_empty() {
            let (before, word) = last_word(rest);
            // `section_01`
            let numbered = (!before.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
                || !word.contains(char::is_alphanumeric);
            if !has(&CONTAINERS, word) && !numbered && metrics.position(word).is_none() {
                return metrics
                    .mentions(rest)
                    .next()
                    .is_some_and(|(_, name)| name == (0..rest.len()));
            }
            rest = before;
        }
        true
    }

    /// Whether all words of a key are of a list.
    pub(super) fn is_made_of(raw: &str, list: &[&str]) -> bool {
        let key = decode(raw);
        let mut rest = key.trim();
        while !rest.is_empty() {
            let (before, word) = last_word(rest);
            if !has(list, word) {
                return false;
            }
            rest = before;
        }
        !key.trim().is_empty()
    }

    /// Whether a number under a key beside a score may change it: the key speaks of a deduction, or its words are not
    /// known and the number is `suspect`.
    pub(super) fn may_change(raw: &str, suspect: bool) -> bool {
        let key = decode(raw);
        let mut rest = key.trim();
        let (mut change, mut harmless) = (false, false);
        while !rest.is_empty() {
            let (before, word) = last_word(rest);
            change |= has(&CHANGES, word);
            harmless |= suspect && has(&HARMLESS, word);
            rest = before;
        }
        change || (suspect && !harmless && key.contains(char::is_alphabetic))
    }

    /// What a key without a metric or a score says by its words.
    fn other(key: &str) -> Self {
        let mut rest = key;
        let mut scale = is_one_of(key, &["out_of", "out of", "out-of"]);
        let mut foreign = false;
        while !rest.is_empty() {
            let (before, word) = last_word(rest);
            let first = word.as_bytes().first().map(u8::to_ascii_lowercase);
            scale |= matches!(first, Some(b'h' | b'm' | b'o' | b'r' | b's')) && has(&SCALES, word);
            foreign |= !matches!(first, Some(b'j' | b'k' | b'q' | b'u' | b'v' | b'x'..=b'z'))
                && has(&FOREIGN, word);
            rest = before;
        }
        match (foreign, scale) {
            (true, _) => Self::Foreign,
            (false, true) => Self::Scale,
            (false, false) => Self::Other,
        }
    }

    /// Whether a key in a metric's own object is that of its score, even where another metric has that
    /// name.
    pub(super) fn is_own_score(self, raw: &str, metric: usize) -> bool {
        matches!(self, Self::Value | Self::Final)
            || self == Self::Metric(metric)
            || is_one_of(raw.trim(), &SCORES)
            || is_one_of(raw.trim(), &["value"])
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

/// What is left of a name behind one of these words, if it begins with one.
fn without_word<'n>(name: &'n str, words: &[&str]) -> &'n str {
    let behind = |word: &&str| {
        let (start, rest) = name.split_at_checked(word.len())?;
        let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '_' || c == '-');
        let apart =
            bare.len() < rest.len() || rest.is_empty() || rest.starts_with(char::is_uppercase);
        (apart && start.eq_ignore_ascii_case(word)).then_some(bare)
    };
    words.iter().find_map(behind).unwrap_or(name)
}

/// What is left of a key before a scale in brackets: `Fluency (1-5)`, `Fluency [out of 5]`. Other
/// numbers may be those of sections.
fn without_scale(key: &str) -> &str {
    let inside = key
        .strip_suffix(')')
        .and_then(|key| key.rsplit_once('('))
        .or_else(|| key.strip_suffix(']')?.rsplit_once('['));
    match inside {
        Some((name, inside)) if is_scale(inside) => name.trim_end(),
        _ => key,
    }
}

/// Whether a key names another scale than this one: `fluency (1-10)`.
pub(super) fn has_other_scale(raw: &str, scale: &Scale) -> bool {
    raw.contains(['(', '[']) && is_other_scale(&decode(raw), scale)
}

/// Whether a text is a scale: two numbers, or the highest one behind a word or sign that says so.
fn is_scale(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "a", "from", "max", "of", "on", "out", "points", "scale", "to",
    ];
    let separates = |c: char| !(c.is_alphanumeric() || c == '.');
    let words = text.split(separates).filter(|word| !word.is_empty());
    let (numbers, words): (Vec<_>, Vec<_>) =
        words.partition(|word| word.parse::<f64>().is_ok_and(f64::is_finite));
    let top = text.contains('/') || words.iter().any(|word| is_one_of(word, &["of", "max"]));
    (numbers.len() == 2 || (numbers.len() == 1 && top))
        && words.iter().all(|word| is_one_of(word, &WORDS))
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
            ("Final_Score", Key::Final),
            ("final", Key::Final),
            ("finalVerdict", Key::Final),
            ("value", Key::Value),
            ("Metric", Key::Name),
            ("issues", Key::Issues(None)),
            ("fluency_issues", Key::Issues(Some(0))),
            ("Fluency (1-5)", Key::Metric(0)),
            ("Fluency Score (1–5)", Key::Metric(0)),
            ("overall quality [1 to 5]", Key::Metric(1)),
            ("fluency (out of 5)", Key::Metric(0)),
            ("fluency (/5)", Key::Metric(0)),
            ("fluency(on a scale from 0.5 to 5.0)", Key::Metric(0)),
            ("score (1-5)", Key::Value),
            ("score_fluency", Key::Metric(0)),
            ("ratingFluency", Key::Metric(0)),
            ("Final Score Fluency", Key::Metric(0)),
            ("score overall-quality (1-5)", Key::Metric(1)),
            ("fluency_grade", Key::Metric(0)),
            ("Fluency mark", Key::Metric(0)),
            ("final fluency", Key::Metric(0)),
            ("fluency_final", Key::Metric(0)),
            ("fluency (2)", Key::Other),
            ("fluency (section 1-5)", Key::Other),
            ("fluency (coherence)", Key::Other),
            ("fluency (inf-nan)", Key::Other),
            ("fluency ()", Key::Other),
            ("(1-5)", Key::Other),
            ("underscore_fluency", Key::Other),
            ("scorefluency", Key::Other),
            ("score_coherence", Key::Other),
            ("remark", Key::Other),
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
