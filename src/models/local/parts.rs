//! Several settings written into one text, taken apart again: `sr-2000_sor-0.1` by the pattern
//! `sr-{scan}_sor-{overlap}`.
//!
//! It must not know what the parts mean, nor where the texts come from.

use serde::{Serialize, Serializer};

/// How a text is put together: parts with names, and what stands around them.
///
/// A part ends where the text after it begins for the first time, so that a text can be taken apart in one way only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    written: String,
    /// What stands before the first part.
    start: String,
    /// Each part's name, and what stands after it.
    parts: Vec<(String, String)>,
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.written)
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence about it.
    pub fn parse(written: &str) -> Result<Self, String> {
        let mut pieces = written.split('{');
        let start = pieces.next().unwrap_or_default().to_owned();
        let mut parts: Vec<(String, String)> = Vec::new();
        for piece in pieces {
            let Some((name, after)) = piece.split_once('}') else {
                return Err("has a `{` that is not closed".to_owned());
            };
            if name.is_empty() {
                return Err("has a part without a name".to_owned());
            }
            if parts.iter().any(|(other, _)| other == name) {
                return Err(format!("has two parts called `{name}`"));
            }
            if let Some((before, between)) = parts.last()
                && between.is_empty()
            {
                return Err(format!("has nothing between `{before}` and `{name}`"));
            }
            parts.push((name.to_owned(), after.to_owned()));
        }
        let literals = std::iter::once(&start).chain(parts.iter().map(|(_, after)| after));
        if literals.into_iter().any(|literal| literal.contains('}')) {
            return Err("has a `}` that nothing opens".to_owned());
        }
        if parts.is_empty() {
            return Err("names no part".to_owned());
        }
        Ok(Self {
            written: written.to_owned(),
            start,
            parts,
        })
    }

    /// The names of the parts, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|(name, _)| name.as_str())
    }

    /// The parts of a text, in order; none if it is put together otherwise.
    pub fn split<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut rest = text.strip_prefix(self.start.as_str())?;
        let mut values = Vec::new();
        for (index, (_, after)) in self.parts.iter().enumerate() {
            let last = index + 1 == self.parts.len();
            let (value, left) = if last {
                (rest.strip_suffix(after.as_str())?, "")
            } else {
                rest.split_once(after.as_str())?
            };
            values.push(value);
            rest = left;
        }
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_by_what_stands_around_its_parts() {
        let pattern = Pattern::parse("sr-{scan}_sor-{overlap}_rm-{report}_s2t").unwrap();
        assert_eq!(
            pattern.names().collect::<Vec<_>>(),
            ["scan", "overlap", "report"]
        );
        assert_eq!(
            pattern.split("sr-2000_sor-0.1_rm-report_only_s2t"),
            Some(vec!["2000", "0.1", "report_only"])
        );
        let ends = Pattern::parse("{a}-{b}").unwrap();
        assert_eq!(ends.split("1-2-3"), Some(vec!["1", "2-3"]));
    }

    #[test]
    fn a_text_that_is_put_together_otherwise_has_no_parts() {
        let pattern = Pattern::parse("sr-{scan}_sor-{overlap}_end").unwrap();
        for text in [
            "",
            "sr-2000",
            "sr-2000_sor-0.1",
            "x sr-1_sor-2_end",
            "sr-1_sor-2_end x",
        ] {
            assert_eq!(pattern.split(text), None, "{text}");
        }
    }

    #[test]
    fn a_pattern_that_cannot_be_read_in_one_way_is_refused() {
        for (written, why) in [
            ("sr-2000", "names no part"),
            ("sr-{scan", "has a `{` that is not closed"),
            ("sr-{}", "has a part without a name"),
            ("{a}{b}", "has nothing between `a` and `b`"),
            ("{a}-{a}", "has two parts called `a`"),
            ("a}-{b}", "has a `}` that nothing opens"),
        ] {
            assert_eq!(Pattern::parse(written).unwrap_err(), why, "{written}");
        }
    }
}
