//! Words that lead up to the reason of a verdict, as keys of objects and before colons.
//!
//! Must not look for verdicts.

use super::agree::Asked;
use super::value::has;

/// Words that lead up to a reason.
pub(super) const REASONS: [&str; 13] = [
    "analysis",
    "comment",
    "comments",
    "explanation",
    "explanations",
    "feedback",
    "justification",
    "rationale",
    "rationales",
    "reason",
    "reasoning",
    "reasons",
    "why",
];

/// Words that may stand beside them.
const BESIDE: [&str; 14] = [
    "brief", "detailed", "final", "for", "general", "my", "of", "overall", "rating", "score",
    "short", "step", "the", "verdict",
];

/// The longest key of a reason, in bytes.
const LONGEST: usize = 80;

/// Of what a reason is.
pub(super) struct Owner {
    /// The metric that its key names.
    pub(super) metric: Option<usize>,
}

/// Whose reason a key leads up to, if it leads up to one.
pub(super) fn reason(key: &str, asked: &Asked<'_>) -> Option<Owner> {
    // Of most keys this is all that is looked at.
    if key.len() > LONGEST || !may_lead(key) {
        return None;
    }
    let key = spaced(key);
    let named: Vec<_> = asked.metrics.mentions(&key).collect();
    let mut rest = key.clone();
    for (_, name) in named.iter().rev() {
        rest.replace_range(name.clone(), " ");
    }
    let mut words = rest.split_whitespace();
    let any = words.clone().any(|word| has(&REASONS, word));
    let known = words.all(|word| has(&REASONS, word) || has(&BESIDE, word));
    let metric = match named.as_slice() {
        [] => None,
        [(metric, _)] => Some(*metric),
        _ => return None,
    };
    (any && known).then_some(Owner { metric })
}

/// What one of [`REASONS`] begins with, whichever it is.
const BEGINNINGS: [&str; 8] = [
    "analysis",
    "comment",
    "explanation",
    "feedback",
    "justification",
    "rationale",
    "reason",
    "why",
];

/// Whether a word for a reason stands in a key, or within one of its words.
fn may_lead(key: &str) -> bool {
    let bytes = key.as_bytes();
    (0..bytes.len()).any(|at| {
        let same = |word: &&str| {
            let there = bytes.get(at..at + word.len());
            there.is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()))
        };
        let first = bytes[at].to_ascii_lowercase();
        let begins = |word: &&&str| word.as_bytes()[0] == first;
        BEGINNINGS.iter().filter(begins).any(same)
    })
}

/// A key with blanks between its words: `fluencyReason` is two as `fluency_reason` is.
fn spaced(key: &str) -> String {
    let mut spaced = String::with_capacity(key.len() + 4);
    let mut small = false;
    for c in key.chars() {
        if c.is_uppercase() && small {
            spaced.push(' ');
        }
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
        small = c.is_lowercase();
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_for_a_reason_is_passed_over() {
        for word in REASONS {
            let begins = |beginning: &&str| word.starts_with(beginning);
            assert!(BEGINNINGS.iter().any(begins), "{word}");
            for key in [
                word.to_owned(),
                format!("**Fluency{}**", word.to_uppercase()),
                format!("é{word}_of"),
            ] {
                assert!(may_lead(&key), "{key}");
            }
        }
        for key in ["", "Fluency", "FINAL Fluency Score", "rea son", "é"] {
            assert!(!may_lead(key), "{key}");
        }
    }
}
