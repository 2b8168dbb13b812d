//! What a step did to a text: the new text and every replacement that led to it.

use std::borrow::Cow;

use crate::language::text::Span;

/// One replacement that a step made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What was replaced, in the text the step was given; empty for an insertion.
    pub span: Span,
    /// What stands there now; empty for a removal.
    pub new: Cow<'static, str>,
}

/// A text after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned<'t> {
    /// The text; the one that the step was given, where it changed nothing.
    pub text: Cow<'t, str>,
    /// What was replaced, in the order of the text and without overlaps.
    pub changes: Vec<Change>,
    /// What a reader should look at: sentences such as "1 bracket has no partner, …".
    pub notes: Vec<String>,
}

/// Collects the replacements of one step and copies what lies between them.
pub(super) struct Rewrite<'t> {
    text: &'t str,
    copied: usize,
    new: String,
    changes: Vec<Change>,
    notes: Vec<String>,
}

impl<'t> Rewrite<'t> {
    /// Nothing replaced yet.
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            copied: 0,
            new: String::new(),
            changes: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Puts `new` where `span` stood. Replacements come in the order of the text; what an earlier one
    /// has taken is left out, and one that changes nothing is not recorded.
    pub(super) fn replace(&mut self, span: Span, new: impl Into<Cow<'static, str>>) {
        let new = new.into();
        let span = Span::new(span.start.max(self.copied), span.end.max(self.copied));
        if span.of(self.text) == new {
            return;
        }
        if self.changes.is_empty() {
            self.new.reserve(self.text.len());
        }
        self.new.push_str(&self.text[self.copied..span.start]);
        self.new.push_str(&new);
        self.copied = span.end;
        self.changes.push(Change { span, new });
    }

    /// Takes out what stands at `span`.
    pub(super) fn remove(&mut self, span: Span) {
        self.replace(span, "");
    }

    /// Adds something a reader should look at.
    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// The text with all replacements made.
    pub(super) fn finish(mut self) -> Cleaned<'t> {
        let text = if self.changes.is_empty() {
            Cow::Borrowed(self.text)
        } else {
            self.new.push_str(&self.text[self.copied..]);
            Cow::Owned(self.new)
        };
        Cleaned {
            text,
            changes: self.changes,
            notes: self.notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_are_made_and_recorded_in_order() {
        let mut rewrite = Rewrite::of("one two three");
        rewrite.remove(Span::new(0, 4));
        rewrite.replace(Span::new(8, 8), "and ");
        rewrite.replace(Span::new(8, 13), "four");
        let cleaned = rewrite.finish();
        assert_eq!(cleaned.text, "two and four");
        assert_eq!(cleaned.changes.len(), 3);
    }

    #[test]
    fn what_an_earlier_replacement_took_is_left_out() {
        let mut rewrite = Rewrite::of("abcdef");
        rewrite.remove(Span::new(1, 4));
        rewrite.remove(Span::new(2, 5));
        rewrite.remove(Span::new(2, 5));
        let cleaned = rewrite.finish();
        assert_eq!(cleaned.text, "af");
        assert_eq!(cleaned.changes[1].span, Span::new(4, 5));
        assert_eq!(cleaned.changes.len(), 2);
    }

    #[test]
    fn a_replacement_by_the_same_is_none() {
        let mut rewrite = Rewrite::of("abc");
        rewrite.replace(Span::new(0, 3), "abc");
        assert!(rewrite.finish().changes.is_empty());
    }
}
