//! Edits: what was changed where, applied and taken back.
//!
//! A manipulation only proposes [`Change`]s; [`apply`] makes them and records [`Edit`]s, from which
//! [`undo`] gives back the text. Nothing here knows why a text is changed.

use serde::Serialize;
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

/// One replacement that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Which operation it belongs to, counted from 0.
    pub operation: usize,
    /// Where the replaced text stood, in the text before all edits.
    pub before: Span,
    /// Where the new text stands, in the text after all edits.
    pub after: Span,
    /// What stood there.
    pub original: String,
    /// What stands there now.
    pub new: String,
    /// The document the new text was taken from, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Why a document cannot be changed as asked; the sentence is shown to the user and stands in the
/// table, such as `3 swaps need 6 eligible units, and there are 4`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotApplicable(pub String);

/// Why changes cannot be made, or edits cannot be taken back.
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
    /// A text does not show what the edits say they left behind.
    #[error(
        "the text does not have what operation {operation} left at byte {at}: \
         take back edits from the text they were made in"
    )]
    Foreign {
        /// The operation of the edit.
        operation: usize,
        /// Where in the edited text it should be seen.
        at: usize,
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

/// Takes back what [`apply`] did: the text as it was before the edits, byte for byte.
///
/// The new text of every edit must stand where the edit says, with as much text between two edits as
/// before. A text that differs from the edited one only where nothing was edited is not noticed:
/// the edits do not know what stood there.
///
/// # Errors
/// [`EditError::Foreign`] when the text is not the one these edits led to.
pub fn undo(text: &str, edits: &[Edit]) -> Result<String, EditError> {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        let foreign = EditError::Foreign {
            operation: edit.operation,
            at: edit.after.start,
        };
        let (Some(between), Some(new)) = (
            text.get(done..edit.after.start),
            text.get(edit.after.start..edit.after.end),
        ) else {
            return Err(foreign);
        };
        result.push_str(between);
        let start = result.len();
        result.push_str(&edit.original);
        if new != edit.new || edit.before != Span::new(start, result.len()) {
            return Err(foreign);
        }
        done = edit.after.end;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
    fn edits_of_another_text_are_not_taken_back() {
        let (_, edits) =
            apply("one two", vec![change(0, 4, 7, "2"), change(1, 0, 1, "O")]).unwrap();
        assert_eq!(undo("One 2", &edits).unwrap(), "one two");
        for other in ["", "One 3", "Onee 2", "one 2", "Oné 2"] {
            assert!(
                matches!(undo(other, &edits), Err(EditError::Foreign { .. })),
                "{other}"
            );
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn undo_gives_back_the_text(
            parts in proptest::collection::vec((".{0,6}", ".{0,6}", proptest::bool::ANY), 0..12)
        ) {
            let mut text = String::new();
            let mut changes = Vec::new();
            for (part, new, changed) in &parts {
                let start = text.len();
                text.push_str(part);
                if *changed {
                    changes.insert(0, change(changes.len(), start, text.len(), new));
                }
            }
            let asked = changes.len();
            let (edited, edits) = apply(&text, changes).unwrap();
            prop_assert_eq!(edits.len(), asked);
            prop_assert!(edits.windows(2).all(|pair| pair[0].after.end <= pair[1].after.start));
            prop_assert_eq!(undo(&edited, &edits).unwrap(), text);
        }
    }
}
