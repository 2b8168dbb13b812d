//! A text with its tokens, and a look at the neighbours of each.

use super::token::{Gap, Token};

/// A text and its tokens.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
}

impl<'a> Reading<'a> {
    /// A token’s letters; nothing past the last.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.tokens
            .get(at)
            .map_or("", |token| token.span.of(self.text))
    }

    /// A token’s letters, where only blanks stand before it.
    pub(super) fn joined(&self, at: usize) -> &'a str {
        match self.tokens.get(at) {
            Some(token) if token.gap == Gap::Joined => token.span.of(self.text),
            _ => "",
        }
    }

    /// The word so many tokens before one, where only blanks stand between all of them.
    pub(super) fn before(&self, at: usize, back: usize) -> &'a str {
        if back > at || (at + 1 - back..=at).any(|token| self.joined(token).is_empty()) {
            return "";
        }
        self.word(at - back)
    }

    /// The word so many tokens after one, where only blanks stand between all of them.
    pub(super) fn after(&self, at: usize, on: usize) -> &'a str {
        if (at + 1..at + on).any(|token| self.joined(token).is_empty()) {
            return "";
        }
        self.joined(at + on)
    }

    /// Whether a comma stands before a token.
    pub(super) fn comma(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.gap == Gap::Comma)
    }
}
