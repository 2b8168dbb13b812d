//! Edits: what was changed where.
//!
//! A manipulation only proposes [`Change`]s; [`apply`] makes them and records [`Edit`]s, from which a
//! [`Layer`](super::Layer) gives back the text. Nothing here knows why a text is changed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::language::text::Span;

/// One replacement that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which operation it belongs to, counted from 0: a swap is one operation with two changes.
    pub operation: usize,
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards; empty for a removal.
    pub new: String,
    /// The document the new text was taken from, where that is another one.
    pub source: Option<String>,
}

/// One replacement that was made; places are counted in bytes, in a [`Layer`](super::Layer) in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit<Place = Span> {
    /// Which operation it belongs to, counted from 0.
    pub operation: usize,
    /// Where the replaced text stood, in the text before all edits.
    pub before: Place,
    /// Where the new text stands, in the text after all edits.
    pub after: Place,
    /// What stood there.
    pub original: String,
    /// What stands there now.
    pub new: String,
    /// The document the new text was taken from, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Why a document cannot be changed as asked; the sentence is shown to the user and stands in the
/// table, such as `3 swaps need 6 eligible units, and there are 4`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotApplicable(pub String);

/// Why changes cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// Two changes claim the same letters.
    #[error(
        "operations {first} and {second} both change the text at byte {at}: let only one of them"
    )]
    Overlap {
        /// The operation of the change that comes first in the text.
        first: usize,
        /// The operation of the other one.
        second: usize,
        /// The first byte both change.
        at: usize,
    },
    /// A change lies outside the text or cuts a letter.
    #[error(
        "operation {operation} changes bytes {} to {} of a text of {length} bytes, which cuts a letter or \
         lies outside: take the place from this text",
        span.start,
        span.end
    )]
    Outside {
        /// The operation of the change.
        operation: usize,
        /// Where it wants to change something.
        span: Span,
        /// The length of the text in bytes.
        length: usize,
    },
}

impl Change {
    /// A change whose new text comes from no other document.
    pub fn new(operation: usize, span: Span, new: impl Into<String>) -> Self {
        Self {
            operation,
            span,
            new: new.into(),
            source: None,
        }
    }

    /// The same change with new text that was taken from another document.
    #[must_use]
    pub fn taken_from(mut self, document: &str) -> Self {
        self.source = Some(document.to_owned());
        self
    }
}

/// Makes all changes at once: every span names letters of the text as it was before any of them. The
/// edits come in the order of the text; several insertions at one place stand in the order of
/// their operations, and in front of a replacement that begins there.
///
/// # Errors
/// [`EditError::Overlap`] when two changes claim the same letters, [`EditError::Outside`] when a
/// change belongs to another text.
pub fn apply(text: &str, mut changes: Vec<Change>) -> Result<(String, Vec<Edit>), EditError> {
    changes.sort_by_key(|change| (change.span, change.operation));
    let mut result = String::with_capacity(text.len());
    let mut edits: Vec<Edit> = Vec::with_capacity(changes.len());
    let mut done = 0;
    for change in changes {
        let Change {
            operation,
            span,
            new,
            source,
        } = change;
        let Some(original) = text.get(span.start..span.end) else {
            return Err(EditError::Outside {
                operation,
                span,
                length: text.len(),
            });
        };
        if span.start < done {
            return Err(EditError::Overlap {
                first: edits.last().map_or(0, |edit| edit.operation),
                second: operation,
                at: span.start,
            });
        }
        result.push_str(&text[done..span.start]);
        let start = result.len();
        result.push_str(&new);
        edits.push(Edit {
            operation,
            before: span,
            after: Span::new(start, result.len()),
            original: original.to_owned(),
            new,
            source,
        });
        done = span.end;
    }
    result.push_str(&text[done..]);
    Ok((result, edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(operation: usize, start: usize, end: usize, new: &str) -> Change {
        Change::new(operation, Span::new(start, end), new)
    }

    #[test]
    fn spans_name_letters_of_the_text_before_all_changes() {
        let (text, edits) = apply(
            "one two",
            vec![change(1, 4, 7, "2"), change(0, 0, 3, "first")],
        )
        .unwrap();
        assert_eq!(text, "first 2");
        assert_eq!(edits[1].before, Span::new(4, 7));
        assert_eq!(edits[1].after, Span::new(6, 7));
        assert_eq!(edits[1].original, "two");
    }

    #[test]
    fn insertions_at_one_place_keep_the_order_of_their_operations() {
        let changes = vec![
            change(2, 1, 1, "c"),
            change(0, 1, 2, "B"),
            change(1, 1, 1, "b"),
        ];
        assert_eq!(apply("a-", changes).unwrap().0, "abcB");
    }

    #[test]
    fn changes_may_touch_but_not_overlap() {
        let touching = vec![
            change(0, 0, 2, "x"),
            change(1, 2, 2, "y"),
            change(2, 2, 3, "z"),
        ];
        assert_eq!(apply("abc", touching).unwrap().0, "xyz");
        for (second, at) in [(change(7, 1, 3, ""), 1), (change(7, 1, 1, "i"), 1)] {
            let error = apply("abc", vec![change(4, 0, 2, ""), second]).unwrap_err();
            assert_eq!(
                error,
                EditError::Overlap {
                    first: 4,
                    second: 7,
                    at
                }
            );
        }
    }

    #[test]
    fn a_change_that_cuts_a_letter_is_refused() {
        for (start, end) in [(1, 2), (0, 9), (3, 2)] {
            assert!(matches!(
                apply("é!", vec![change(0, start, end, "")]),
                Err(EditError::Outside { .. })
            ));
        }
    }

    #[test]
    fn the_source_of_foreign_text_is_recorded() {
        let change = change(0, 0, 1, "b").taken_from("JM-7");
        let (_, edits) = apply("a", vec![change]).unwrap();
        assert_eq!(edits[0].source.as_deref(), Some("JM-7"));
        let record = serde_json::to_value(&edits[0]).unwrap();
        assert_eq!(record["source"], "JM-7");
    }
}
