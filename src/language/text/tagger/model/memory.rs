//! What the tagger knows of words that it met before. Forgetting any of it changes nothing but the time.

use indexmap::IndexMap;

use super::known::Known;

/// Words that are remembered at most: a text of ever new words takes no more memory than one of few.
pub(super) const MOST_KNOWN: usize = 1 << 13;

/// The words that were looked up already.
#[derive(Debug, Default)]
pub(in super::super) struct Memory {
    pub(super) places: IndexMap<String, usize>,
    pub(super) known: Vec<Known>,
    /// For each word what its own letters say for every tag.
    letters: Vec<f32>,
}

impl Memory {
    pub(super) fn make_room(&mut self) {
        if self.known.len() > MOST_KNOWN {
            self.places.clear();
            self.known.clear();
            self.letters.clear();
        }
    }

    /// Where a word is remembered; `learn` says the first time what is to be known of it, and adds what its letters say.
    pub(super) fn place(
        &mut self,
        word: &str,
        learn: impl FnOnce(&str, &mut Vec<f32>) -> Known,
    ) -> usize {
        if let Some(&place) = self.places.get(word) {
            return place;
        }
        let place = self.known.len();
        self.known.push(learn(word, &mut self.letters));
        self.places.insert(word.to_owned(), place);
        place
    }

    /// What the letters of a word say for every tag.
    pub(super) fn letters(&self, place: usize) -> &[f32] {
        let tags = self.letters.len() / self.known.len();
        &self.letters[place * tags..(place + 1) * tags]
    }
}
