//! What the tagger knows of words and sentences that it met before. Forgetting any of it changes nothing but the time.

use indexmap::IndexMap;

use super::known::Known;

/// Words that are remembered at most: a text of ever new words takes no more memory than one of few.
pub(super) const MOST_KNOWN: usize = 1 << 13;

/// Sentences that are remembered at most, and how many words they have at most.
const MOST_SENTENCES: usize = 1 << 16;
pub(super) const LONGEST: usize = 1 << 8;

/// The words and sentences that were looked up already.
#[derive(Debug, Default)]
pub(in super::super) struct Memory {
    pub(super) places: IndexMap<String, usize>,
    pub(super) known: Vec<Known>,
    /// For each word what its own letters say for every tag.
    letters: Vec<f32>,
    /// Sentences and the tags of their words: a text that was damaged here and there, or under several settings, is the same
    /// elsewhere.
    pub(super) sentences: IndexMap<Sentence, Box<[u8]>>,
}

/// What a sentence is known by.
pub(super) type Sentence = [u8; 16];

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

    /// Remembers the tags of a sentence.
    pub(super) fn remember(&mut self, sentence: Sentence, tags: Vec<u8>) {
        if self.sentences.len() == MOST_SENTENCES {
            self.sentences.clear();
        }
        self.sentences.insert(sentence, tags.into());
    }
}

/// What a sentence of these words is known by, unless it is too long to be remembered.
pub(super) fn sentence(words: &[&str]) -> Option<Sentence> {
    if words.len() > LONGEST {
        return None;
    }
    let mut digesting = blake3::Hasher::new();
    for word in words {
        digesting.update(&word.len().to_le_bytes());
        digesting.update(word.as_bytes());
    }
    digesting.finalize().as_bytes().first_chunk().copied()
}
