//! Needle and hay put together: the altered document and the one it is compared with.

use serde::{Deserialize, Serialize};

use super::{Found, Source, prose};
use crate::base::wording::count;
use crate::language::manipulate::edit::{Change, Edit, NotApplicable, apply};
use crate::language::text::Span;

/// How many sentences stand before the needle and after it (the paper's (i, j)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Sentences before it (i).
    pub before: usize,
    /// Sentences after it (j).
    pub after: usize,
}

/// Two documents of `before + 1 + after` sentences that differ in the needle and in nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Haystack {
    /// With the sentence as it was: the paper's d(∅, H, P).
    pub unaltered: String,
    /// With the needle: d(N, H, P).
    pub altered: String,
    /// From `unaltered` to `altered`.
    pub edits: Vec<Edit>,
    /// Which sentence of its own document the needle is, counted from 1 (m).
    pub index: usize,
    /// Which document the hay is from; none where it is the needle's own.
    pub donor: Option<String>,
}

/// Lays a needle between the sentences around the m'th of its own document, or of a donor.
///
/// Sentences stand as they are (with the line breaks inside them) and are joined by single blanks,
/// also in hay of the same document: so hay from here and hay from elsewhere look alike, and no
/// paragraph break gives away where one ends.
///
/// # Errors
/// When the document that gives the hay is too short for the position. For positions within the
/// [`Room`](super::Room) with which needle and donor were chosen it is not.
pub fn lay(
    text: &str,
    sentences: &[Span],
    found: &Found,
    position: Position,
    donor: Option<&Source<'_>>,
) -> Result<Haystack, NotApplicable> {
    lay_among(text, &prose(text, sentences), found, position, donor)
}

/// The same where the sentences without the headings are known.
pub(super) fn lay_among(
    text: &str,
    sentences: &[Span],
    found: &Found,
    position: Position,
    donor: Option<&Source<'_>>,
) -> Result<Haystack, NotApplicable> {
    let (hay, around) = donor.map_or((text, sentences), |donor| {
        (donor.text, donor.sentences.as_slice())
    });
    let index = found.index;
    let needle = index.checked_sub(1).and_then(|at| sentences.get(at));
    let first = index.saturating_sub(position.before.saturating_add(1));
    let before = around.get(first..index.saturating_sub(1));
    let after = around.get(index..index.saturating_add(position.after));
    let (Some(needle), Some(before), Some(after)) = (needle, before, after) else {
        return Err(too_short(index, position, around.len()));
    };
    if before.len() < position.before {
        return Err(too_short(index, position, around.len()));
    }
    let mut unaltered = String::new();
    for sentence in before {
        unaltered.push_str(sentence.of(hay));
        unaltered.push(' ');
    }
    let place = unaltered.len();
    unaltered.push_str(needle.of(text));
    for sentence in after {
        unaltered.push(' ');
        unaltered.push_str(sentence.of(hay));
    }
    let changes = found.changes.iter().map(|change| Change {
        span: Span::new(
            change.span.start - needle.start + place,
            change.span.end - needle.start + place,
        ),
        ..change.clone()
    });
    let (altered, edits) =
        apply(&unaltered, changes.collect()).map_err(|error| NotApplicable(error.to_string()))?;
    Ok(Haystack {
        unaltered,
        altered,
        edits,
        index,
        donor: donor.map(|donor| donor.id.to_owned()),
    })
}

fn too_short(index: usize, position: Position, sentences: usize) -> NotApplicable {
    NotApplicable(format!(
        "{} before sentence {index} and {} after it are more than a document of {} has",
        count(position.before, "sentence"),
        count(position.after, "sentence"),
        count(sentences, "sentence"),
    ))
}
