//! Edits as the column `edits` holds them: JSON, with places counted in characters, so that other
//! programs can slice texts with them.

use serde::{Deserialize, Serialize};

use crate::manipulate::{Edit, Manipulation};
use crate::text::Characters;

/// What one manipulation did to a document. Of a document that was manipulated several times, the
/// column holds a list of them, the last one last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// The manipulation's name.
    pub manipulation: String,
    /// How many operations were made; an operation can be several edits.
    pub operations: usize,
    /// The edits, in the order of the text.
    pub edits: Vec<Recorded>,
}

/// One replacement, with places in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Which operation it belongs to, counted from 0.
    pub operation: usize,
    /// Where the replaced text stood: start, and end excluded.
    pub before: [usize; 2],
    /// Where the new text stands.
    pub after: [usize; 2],
    /// What stood there.
    pub original: String,
    /// What stands there now.
    pub new: String,
    /// The document that the new text comes from, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
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
    pub(super) fn new(
        manipulation: Manipulation,
        operations: usize,
        edits: Vec<Edit>,
        (before, after): (&str, &str),
    ) -> Self {
        let (mut in_before, mut in_after) = (Characters::new(before), Characters::new(after));
        let mut places = |span: crate::text::Span, new: bool| {
            let characters = if new { &mut in_after } else { &mut in_before };
            [characters.before(span.start), characters.before(span.end)]
        };
        Self {
            manipulation: manipulation.name().to_owned(),
            operations,
            edits: edits
                .into_iter()
                .map(|edit| Recorded {
                    operation: edit.operation,
                    before: places(edit.before, false),
                    after: places(edit.after, true),
                    original: edit.original,
                    new: edit.new,
                    source: edit.source,
                })
                .collect(),
        }
    }

    /// The text as it was before this layer: byte for byte.
    ///
    /// # Errors
    /// When the edits belong to another text.
    pub fn undo(&self, text: &str) -> Result<String, UndoError> {
        let mut original = String::with_capacity(text.len());
        let mut at = 0;
        for (edit, (start, end)) in self.edits.iter().zip(self.places(text)?) {
            original.push_str(&text[at..start]);
            original.push_str(&edit.original);
            at = end;
        }
        original.push_str(&text[at..]);
        Ok(original)
    }

    /// Where the new texts stand, in bytes of the text after the edits.
    ///
    /// # Errors
    /// When the edits belong to another text.
    pub fn places(&self, text: &str) -> Result<Vec<(usize, usize)>, UndoError> {
        let mut indices = text
            .char_indices()
            .map(|(byte, _)| byte)
            .chain([text.len()])
            .enumerate()
            .peekable();
        let mut byte_of = |character: usize| {
            while indices.next_if(|(at, _)| *at < character).is_some() {}
            indices
                .peek()
                .filter(|(at, _)| *at == character)
                .map(|(_, byte)| *byte)
        };
        self.edits
            .iter()
            .map(|edit| {
                let [start, end] = edit.after;
                match (byte_of(start), byte_of(end)) {
                    (Some(start), Some(end)) if text.get(start..end) == Some(edit.new.as_str()) => {
                        Ok((start, end))
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
