//! The annotator that is built in: sentences, words with their tags, and entities of one text.

use std::sync::Arc;

use super::external::Want;
use super::memo::Memo;
use super::{Annotations, Entity, Span, TaggerError, Word, entities, sentences, tag};

/// Counts up when the built-in annotator finds something else in some text; it is in the keys of all
/// that is made with it.
pub const ANNOTATOR_VERSION: u32 = 2;

/// What is wanted of a text.
///
/// # Errors
/// When the tagger's weights cannot be read, which no release has.
pub fn annotate(text: &str, want: Want) -> Result<Annotations, TaggerError> {
    let mut annotations = Annotations::default();
    if want.words {
        let tagged = tagged(text)?;
        annotations.sentences.clone_from(&tagged.sentences);
        annotations.words.clone_from(&tagged.words);
    } else if want.sentences {
        annotations.sentences = sentences(text);
    }
    if want.entities {
        annotations.entities = mentions(text).to_vec();
    }
    Ok(annotations)
}

/// The sentences of a text, and the words in them with their tags.
#[derive(Debug)]
pub struct Tagged {
    /// As [`sentences`] finds them.
    pub sentences: Vec<Span>,
    /// As [`tag`] finds them.
    pub words: Vec<Word>,
}

/// So many bytes are kept of what was found in texts: those of some two million letters.
const KEPT: usize = 16 << 20;

/// The sentences and words of a text, which are remembered for a while.
///
/// # Errors
/// As [`annotate`].
pub fn tagged(text: &str) -> Result<Arc<Tagged>, TaggerError> {
    static MEMO: Memo<Result<Arc<Tagged>, TaggerError>> = Memo::new(KEPT);
    let look = || {
        let sentences = sentences(text);
        let words = tag(text, &sentences)?;
        Ok(Arc::new(Tagged { sentences, words }))
    };
    MEMO.of(text, look, |found| {
        found.as_ref().map_or(0, |found| {
            size_of_val(&*found.sentences) + size_of_val(&*found.words)
        })
    })
}

/// The entities of a text, which are remembered for a while.
fn mentions(text: &str) -> Arc<[Entity]> {
    static MEMO: Memo<Arc<[Entity]>> = Memo::new(KEPT / 4);
    MEMO.of(
        text,
        || entities(text).into(),
        |found| size_of_val(&**found),
    )
}
