//! The annotator that is built in: sentences, words with their tags, and entities of one text.

use super::external::Want;
use super::{Annotations, TaggerError, entities, sentences, tag};

/// Counts up when the built-in annotator finds something else in some text; it is in the keys of all
/// that is made with it.
pub const ANNOTATOR_VERSION: u32 = 2;

/// What is wanted of a text.
///
/// # Errors
/// When the tagger's weights cannot be read, which no release has.
pub fn annotate(text: &str, want: Want) -> Result<Annotations, TaggerError> {
    let mut annotations = Annotations::default();
    if want.sentences || want.words {
        annotations.sentences = sentences(text);
    }
    if want.words {
        annotations.words = tag(text, &annotations.sentences)?;
    }
    if want.entities {
        annotations.entities = entities(text);
    }
    Ok(annotations)
}
