//! Which parts of a text are quoted.
//!
//! Quotation marks pair up within a line; a mark without its partner quotes nothing. Single quotes are
//! apostrophes. Must not judge what is quoted.

use std::ops::Range;

/// The quoted parts of a text.
pub(super) struct Quoted(Vec<Range<usize>>);

impl Quoted {
    /// Finds them.
    pub(super) fn of(text: &str) -> Self {
        let mut found = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if line.trim_start().starts_with('>') {
                found.push(start..start + line.len());
            } else {
                pairs(line, start, &mut found);
            }
            start += line.len();
        }
        Self(found)
    }

    /// Whether a place lies within more that is quoted than the place itself.
    pub(super) fn hold(&self, place: &Range<usize>) -> bool {
        let after = self.0.partition_point(|part| part.start <= place.start);
        let Some(part) = after.checked_sub(1).and_then(|at| self.0.get(at)) else {
            return false;
        };
        place.start < part.end && (part.start < place.start || place.end < part.end)
    }
}

/// Appends what stands between pairs of quotation marks on a line.
fn pairs(line: &str, start: usize, found: &mut Vec<Range<usize>>) {
    let mut open: Option<(char, usize)> = None;
    for (at, c) in line.char_indices() {
        match (c, open) {
            ('"', Some(('"', from)))
            | ('\u{201d}', Some(('\u{201c}', from)))
            | ('»', Some(('«', from))) => {
                found.push(start + from..start + at);
                open = None;
            }
            ('"' | '\u{201c}' | '«', None) => open = Some((c, at + c.len_utf8())),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_quotations_are_known() {
        let quoted = |text: &str| {
            let at = text.find('4').unwrap();
            Quoted::of(text).hold(&(at..at + 1))
        };
        for text in [
            "he says \"I am 4\".",
            "“a 4.”",
            "> 4",
            "a\n > b 4",
            "«4 b» \"c\"",
        ] {
            assert!(quoted(text), "{text}");
        }
        for text in [
            "give it a \"4\"",
            "\"a\" 4",
            "4 \"a\"",
            "a \" 4",
            "\" a\n4 \"",
            "it's 4 o'",
        ] {
            assert!(!quoted(text), "{text}");
        }
    }
}
