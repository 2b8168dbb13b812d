//! What tests of manipulations divide texts with.

use crate::language::text::{Span, with_indentation};

/// Every paragraph with its indentation, headings too.
pub(super) fn paragraphs(text: &str) -> Vec<Span> {
    let paragraphs = crate::language::text::paragraphs(text).into_iter();
    paragraphs
        .map(|paragraph| with_indentation(text, paragraph.span))
        .collect()
}

/// Every sentence.
pub(super) fn sentences(text: &str, _paragraphs: &[Span]) -> Vec<Span> {
    crate::language::text::sentences(text)
}
