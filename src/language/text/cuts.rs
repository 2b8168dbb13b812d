//! Where a text may be cut, and how far a number of tokens reaches.

use super::{Span, Tokenizer, TokenizerError};

/// A text with the places where it may be cut.
pub(super) struct Cuts<'t> {
    text: &'t str,
    tokenizer: &'t Tokenizer,
    /// Where the tokens of the whole text end.
    ends: Vec<usize>,
    /// Where it may be cut, in order.
    places: Vec<usize>,
}

impl<'t> Cuts<'t> {
    /// # Errors
    /// When the tokenizer cannot read the text.
    pub(super) fn new(
        text: &'t str,
        tokenizer: &'t Tokenizer,
        places: Vec<usize>,
    ) -> Result<Self, TokenizerError> {
        Ok(Self {
            text,
            tokenizer,
            ends: tokenizer.ends(text)?,
            places,
        })
    }

    /// The places, in order.
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }

    /// The last place, counted from `first`, up to which the text from `start` on has at most `limit`
    /// tokens, counted on just that text without the blanks at its end; or `first`.
    ///
    /// Tokens at an edge may differ from those of the whole text, whose number up to a place is
    /// therefore only where the search begins: a token too many takes it back by a sentence, and it goes
    /// on for as long as the next sentence fits.
    pub(super) fn within(
        &self,
        start: usize,
        first: usize,
        limit: usize,
    ) -> Result<usize, TokenizerError> {
        let last = self.reaching(start, first, limit.saturating_add(1));
        let mut place = last.saturating_sub(1).max(first);
        if self.fits(start, place, limit)? {
            while place + 1 < self.places.len() && self.fits(start, place + 1, limit)? {
                place += 1;
            }
            return Ok(place);
        }
        while place > first && !self.fits(start, place, limit)? {
            place -= 1;
        }
        Ok(place)
    }

    /// The first place, counted from `first`, up to which the text from `start` on holds at least
    /// `tokens` tokens of the whole text; the number of places where there is none.
    pub(super) fn reaching(&self, start: usize, first: usize, tokens: usize) -> usize {
        let before = self.tokens_up_to(start);
        let rest = self.places.get(first..).unwrap_or_default();
        first + rest.partition_point(|&place| self.tokens_up_to(place) - before < tokens)
    }

    fn tokens_up_to(&self, place: usize) -> usize {
        self.ends.partition_point(|&end| end <= place)
    }

    fn fits(&self, start: usize, place: usize, limit: usize) -> Result<bool, TokenizerError> {
        let Some(&end) = self.places.get(place) else {
            return Ok(false);
        };
        let part = Span::new(start, end).of(self.text).trim_end();
        Ok(self.tokenizer.count(part)? <= limit)
    }
}
