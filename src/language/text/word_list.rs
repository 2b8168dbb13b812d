//! Lists of words and names that are part of the program.

use std::sync::OnceLock;

/// A list in which words are looked up; sorted when first asked for.
pub(crate) struct WordList {
    written: &'static str,
    between: fn(char) -> bool,
    sorted: OnceLock<Vec<&'static str>>,
}

impl WordList {
    /// Words with blanks between.
    pub(crate) const fn new(words: &'static str) -> Self {
        Self::parted(words, char::is_whitespace)
    }

    /// Names of one word or several, one a line.
    pub(crate) const fn lines(names: &'static str) -> Self {
        Self::parted(names, |letter| letter == '\n')
    }

    const fn parted(written: &'static str, between: fn(char) -> bool) -> Self {
        Self {
            written,
            between,
            sorted: OnceLock::new(),
        }
    }

    /// Whether a word is in it, written exactly so.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.all().binary_search(&word).is_ok()
    }

    /// All words, in order.
    pub(crate) fn all(&self) -> &[&'static str] {
        self.sorted.get_or_init(|| {
            let words = self.written.split(self.between).map(str::trim);
            let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            words.sort_unstable();
            words
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_stands_between_them() {
        static WORDS: WordList = WordList::new("two one\n    three");
        static NAMES: WordList = WordList::lines("the end\r\nfinis\n");
        assert!(["one", "two", "three"].iter().all(|word| WORDS.has(word)));
        assert!(!WORDS.has("") && !WORDS.has("One"));
        assert_eq!(NAMES.all(), ["finis", "the end"]);
    }
}
