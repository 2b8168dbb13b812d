//! Edits as the column `edits` holds them: JSON, with places counted in characters, so that other
//! programs can slice texts with them.

use serde::{Deserialize, Serialize};

use super::{Edit, Manipulation};
use crate::language::text::{Characters, Span};

/// What one manipulation did to a document. Of a document that was manipulated several times, the
/// column holds a list of them, the last one last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// The manipulation's name.
    pub manipulation: String,
    /// How many operations were made; an operation can be several edits.
    pub operations: usize,
    /// The edits, in the order of the text: places are start, and end excluded, in characters.
    pub edits: Vec<Edit<[usize; 2]>>,
}

/// An edit as it is shown: where its new text stands, in bytes of the text after all edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<'l> {
    /// Where the new text begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stood there before.
    pub original: &'l str,
    /// What stands there now.
    pub new: &'l str,
    /// The document that the new text comes from, if it is another.
    pub source: Option<&'l str>,
}

/// Why edits cannot be taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    /// The column is not what `manipulate` writes.
    #[error("`edits` cannot be read: {0}")]
    Unreadable(String),
    /// The edits belong to another text.
    #[error("the edits of `{manipulation}` do not fit the text at character {place}")]
    DoesNotFit {
        /// The manipulation whose edits were being taken back.
        manipulation: String,
        /// The first place that does not fit.
        place: usize,
    },
}

impl Layer {
    /// The layer of edits made to `before` that gave `after`.
    ///
    /// # Errors
    /// When the edits belong to other texts.
    pub fn new(
        manipulation: Manipulation,
        operations: usize,
        edits: Vec<Edit>,
        (before, after): (&str, &str),
    ) -> Result<Self, UndoError> {
        let (mut in_before, mut in_after) = (Characters::new(before), Characters::new(after));
        let record = |edit: Edit| {
            let recorded = |characters: &mut Characters<'_>, span: Span| {
                let place = |byte: Option<usize>| {
                    byte.ok_or_else(|| UndoError::DoesNotFit {
                        manipulation: manipulation.name().to_owned(),
                        place: span.start,
                    })
                };
                let start = place(characters.before(span.start))?;
                Ok([start, place(characters.before(span.end))?])
            };
            Ok(Edit {
                operation: edit.operation,
                before: recorded(&mut in_before, edit.before)?,
                after: recorded(&mut in_after, edit.after)?,
                original: edit.original,
                new: edit.new,
                source: edit.source,
            })
        };
        Ok(Self {
            manipulation: manipulation.name().to_owned(),
            operations,
            edits: edits.into_iter().map(record).collect::<Result<_, _>>()?,
        })
    }

    /// The text as it was before this layer: byte for byte.
    ///
    /// # Errors
    /// When the edits belong to another text.
    pub fn undo(&self, text: &str) -> Result<String, UndoError> {
        let mut original = String::with_capacity(text.len());
        let mut at = 0;
        for edit in self.placed(text)? {
            original.push_str(&text[at..edit.start]);
            original.push_str(edit.original);
            at = edit.end;
        }
        original.push_str(&text[at..]);
        Ok(original)
    }

    /// The edits with the places of the new texts, in bytes of the text after them.
    ///
    /// # Errors
    /// When the edits belong to another text.
    pub fn placed(&self, text: &str) -> Result<Vec<Placed<'_>>, UndoError> {
        let mut characters = Characters::new(text);
        let mut last = 0;
        self.edits
            .iter()
            .map(|edit| {
                let [start, end] = edit.after;
                match (characters.byte(start), characters.byte(end)) {
                    (Some(from), Some(to))
                        if from >= last && text.get(from..to) == Some(edit.new.as_str()) =>
                    {
                        last = to;
                        Ok(Placed {
                            start: from,
                            end: to,
                            original: &edit.original,
                            new: &edit.new,
                            source: edit.source.as_deref(),
                        })
                    }
                    _ => Err(UndoError::DoesNotFit {
                        manipulation: self.manipulation.clone(),
                        place: start,
                    }),
                }
            })
            .collect()
    }
}

/// The layers that a cell of the column `edits` holds.
///
/// # Errors
/// When it is not what `manipulate` writes.
pub fn layers(cell: &str) -> Result<Vec<Layer>, UndoError> {
    serde_json::from_str(cell).map_err(|error| UndoError::Unreadable(error.to_string()))
}

/// The text as it was before all its layers: byte for byte.
///
/// # Errors
/// When the edits belong to another text.
pub fn undo(text: &str, layers: &[Layer]) -> Result<String, UndoError> {
    let mut text = text.to_owned();
    for layer in layers.iter().rev() {
        text = layer.undo(&text)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::language::manipulate::edit::{Change, apply};

    fn change(operation: usize, start: usize, end: usize, new: &str) -> Change {
        Change::new(operation, Span::new(start, end), new)
    }

    fn layer(places: &[[usize; 2]]) -> Layer {
        let edit = |&after: &[usize; 2]| Edit {
            operation: 0,
            before: after,
            after,
            original: "o".to_owned(),
            new: "é".to_owned(),
            source: None,
        };
        Layer {
            manipulation: "typos".to_owned(),
            operations: 1,
            edits: places.iter().map(edit).collect(),
        }
    }

    #[test]
    fn edits_are_taken_back_by_characters() {
        assert_eq!(layer(&[[1, 2], [3, 4]]).undo("aébé").unwrap(), "aobo");
        assert_eq!(layer(&[]).undo("aé").unwrap(), "aé");
    }

    #[test]
    fn edits_that_are_not_in_order_or_not_in_the_text_fit_no_text() {
        for places in [
            [[3, 4], [1, 2]],
            [[1, 2], [1, 2]],
            [[1, 2], [4, 5]],
            [[1, 2], [4, 3]],
            [[1, 2], [2, 3]],
        ] {
            assert!(layer(&places).undo("aébé").is_err(), "{places:?}");
        }
    }

    #[test]
    fn edits_of_another_text_are_not_taken_back() {
        let changes = vec![change(0, 4, 7, "2"), change(1, 0, 1, "O")];
        let (edited, edits) = apply("one two", changes).unwrap();
        let layer = Layer::new(Manipulation::Typos, 2, edits, ("one two", &edited)).unwrap();
        assert_eq!(layer.undo("One 2").unwrap(), "one two");
        for other in ["", "One 3", "Onee 2", "one 2"] {
            assert!(layer.undo(other).is_err(), "{other}");
        }
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
            let layer = Layer::new(Manipulation::Typos, asked, edits, (&text, &edited)).unwrap();
            prop_assert_eq!(layer.undo(&edited).unwrap(), text);
        }
    }
}
