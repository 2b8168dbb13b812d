//! Lists of words and names that are part of the program.

use std::sync::OnceLock;

/// A list in which words are looked up; sorted when first asked for.
pub(crate) struct WordList {
    written: &'static str,
    between: fn(char) -> bool,
    sorted: OnceLock<Sorted>,
}

/// Words in order. With each stands its beginning as a number, by which nearly all searches are over.
pub(crate) struct Sorted {
    beginnings: Vec<u64>,
    words: Vec<&'static str>,
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
        self.sorted().has(word)
    }

    /// All words, in order.
    pub(crate) fn all(&self) -> &[&'static str] {
        self.sorted().all()
    }

    fn sorted(&self) -> &Sorted {
        self.sorted.get_or_init(|| {
            let words = self.written.split(self.between).map(str::trim);
            words.filter(|word| !word.is_empty()).collect()
        })
    }
}

impl FromIterator<&'static str> for Sorted {
    fn from_iter<W: IntoIterator<Item = &'static str>>(words: W) -> Self {
        let mut words: Vec<_> = words.into_iter().collect();
        words.sort_unstable();
        let beginnings = words.iter().map(|word| beginning(word)).collect();
        Self { beginnings, words }
    }
}

impl Sorted {
    /// Whether a word is among them, written exactly so.
    pub(crate) fn has(&self, word: &str) -> bool {
        let wanted = beginning(word);
        let first = self.beginnings.partition_point(|&other| other < wanted);
        let same = self.beginnings[first..].iter();
        let same = same.take_while(|&&other| other == wanted);
        let mut same = self.words[first..].iter().zip(same);
        same.any(|(other, _)| *other == word)
    }

    /// All words, in order.
    pub(crate) fn all(&self) -> &[&'static str] {
        &self.words
    }
}

/// The first eight bytes of a word, as a number whose order is theirs.
fn beginning(word: &str) -> u64 {
    let mut first = [0; 8];
    let length = word.len().min(8);
    first[..length].copy_from_slice(&word.as_bytes()[..length]);
    u64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_stands_between_them() {
        static WORDS: WordList = WordList::new("two one\n    three");
        static LONG: WordList = WordList::new("nineteenth nineteen nineteenths");
        static NAMES: WordList = WordList::lines("the end\r\nfinis\n");
        assert!(["one", "two", "three"].iter().all(|word| WORDS.has(word)));
        assert!(!WORDS.has("") && !WORDS.has("One"));
        assert!(LONG.all().iter().all(|word| LONG.has(word)));
        assert!(
            !["nineteent", "nineteeneth", "nineteenth\0"]
                .iter()
                .any(|word| LONG.has(word))
        );
        assert_eq!(NAMES.all(), ["finis", "the end"]);
    }
}
