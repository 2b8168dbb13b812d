//! The names of metrics, and where a text names them.
//!
//! In a reply capitals do not matter, and blanks, `-` and `_` within a name stand for one another.
//! Must not know what a parser looks for beside a name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use regex::{Regex, RegexBuilder};
use thiserror::Error;

/// The longest name of a metric, in characters.
const LONGEST_NAME: usize = 100;

/// The most metrics one form can have.
const MOST_METRICS: usize = 64;

/// How much memory the compiled names may take, in bytes.
const SIZE_LIMIT: usize = 64 << 20;

/// Patterns of so many bytes are short, and so many compiled ones are kept.
const SHORT: usize = 300;
const MOST_KEPT: usize = 64;

thread_local! {
    static KEPT: RefCell<BTreeMap<String, Regex>> = RefCell::default();
}

/// Why metrics cannot be looked for in a reply.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MetricError {
    /// A name has no letter or digit.
    #[error(
        "metric `{0}` has no letter or digit in its name; give it a name that judges can write"
    )]
    Blank(String),
    /// Two names read the same in a reply.
    #[error("metrics `{0}` and `{1}` read the same in a reply; rename one of them")]
    Twice(String, String),
    /// A name is too long, or there are too many of them.
    #[error(
        "metric names are too many or too long (at most {MOST_METRICS} of {LONGEST_NAME} characters); shorten the list at `{0}`"
    )]
    TooLong(String),
}

/// The metrics a reader looks for, in the order in which they were given.
#[derive(Debug, Clone)]
pub(super) struct Metrics {
    list: Vec<Metric>,
    /// Any of the names; longer ones are tried first.
    names: Option<Regex>,
}

/// One metric.
#[derive(Debug, Clone)]
struct Metric {
    name: String,
    /// Matches the name and nothing but the name.
    exactly: Regex,
}

impl Metrics {
    /// Prepares to look for these names.
    pub(super) fn new(metrics: &[String]) -> Result<Self, MetricError> {
        let mut known: Vec<Metric> = Vec::with_capacity(metrics.len());
        let mut patterns = Vec::with_capacity(metrics.len());
        for name in metrics {
            if !name.contains(char::is_alphanumeric) {
                return Err(MetricError::Blank(name.clone()));
            }
            if known.len() == MOST_METRICS || name.chars().count() > LONGEST_NAME {
                return Err(MetricError::TooLong(name.clone()));
            }
            let pattern = pattern(name);
            let exactly = compile(&format!("^(?:{pattern})$"), name)?;
            if let Some(same) = known.iter().find(|metric| metric.exactly.is_match(name)) {
                return Err(MetricError::Twice(same.name.clone(), name.clone()));
            }
            patterns.push(pattern);
            known.push(Metric {
                name: name.clone(),
                exactly,
            });
        }
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        let names = match metrics.last() {
            Some(last) => Some(compile(&patterns.join("|"), last)?),
            None => None,
        };
        Ok(Self { list: known, names })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The names as they were given.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|metric| &*metric.name)
    }

    /// The name of a metric as it was given.
    pub(super) fn name(&self, metric: usize) -> &str {
        &self.list[metric].name
    }

    /// The metric that has this name.
    pub(super) fn position(&self, text: &str) -> Option<usize> {
        let same = |metric: &Metric| metric.name.eq_ignore_ascii_case(text);
        let position = self.list.iter().position(same);
        position.or_else(|| {
            // One search spares most texts one per metric.
            let named = self.names.as_ref()?.is_match(text);
            let exact = |metric: &Metric| metric.exactly.is_match(text);
            named.then(|| self.list.iter().position(exact)).flatten()
        })
    }

    /// Every place where a text names a metric with a word of its own.
    pub(super) fn mentions<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 't {
        let found = self
            .names
            .iter()
            .flat_map(move |names| names.find_iter(text));
        found
            .filter(|found| is_word(text, found.start(), found.end()))
            .filter_map(|found| Some((self.position(found.as_str())?, found.range())))
    }
}

/// Whether a name at `start..end` stands as a word of its own.
pub(super) fn is_word(text: &str, start: usize, end: usize) -> bool {
    let mut before = text[..start].chars().rev();
    let free_before = match before.next() {
        Some('-' | '_') => !before.next().is_some_and(char::is_alphanumeric),
        Some(c) => !c.is_alphanumeric(),
        None => true,
    };
    free_before
        && !text[end..]
            .chars()
            .next()
            .is_some_and(char::is_alphanumeric)
}

/// The pattern of a name: its words, with any blanks, `-` or `_` between them.
fn pattern(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
    let words: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(regex::escape)
        .collect();
    words.join(r"[\s_-]+")
}

/// Compiles a pattern that is matched without regard to capitals. Hundreds of judges of one plan look for the same metrics,
/// so short patterns are kept.
fn compile(pattern: &str, name: &str) -> Result<Regex, MetricError> {
    if let Some(kept) = KEPT.with_borrow(|kept| kept.get(pattern).cloned()) {
        return Ok(kept);
    }
    let compiled = RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(SIZE_LIMIT)
        .build()
        .map_err(|_| MetricError::TooLong(name.to_owned()))?;
    if pattern.len() <= SHORT {
        KEPT.with_borrow_mut(|kept| {
            if kept.len() == MOST_KEPT {
                kept.clear();
            }
            kept.insert(pattern.to_owned(), compiled.clone());
        });
    }
    Ok(compiled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_is_no_name() {
        let whole = |text: &str| {
            let start = text.find("fluency").unwrap();
            is_word(text, start, start + 7)
        };
        assert!(whole("-fluency:") && whole("_fluency_") && whole("(fluency)"));
        assert!(!whole("disfluency") && !whole("non-fluency") && !whole("fluency2"));
    }
}
