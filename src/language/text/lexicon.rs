//! The embedded English word list: which words exist, how common they are, what they can be.
//!
//! 118,000 lower-case words from SCOWL (sizes 10 to 70, American, British, Canadian and Australian
//! spelling with variants), tagged from `WordNet` 3.0; notices in `data/NOTICE.md`. The list must not
//! be asked about names: capitalised entries were left out.

use std::sync::LazyLock;

const PACKED: &[u8] = include_bytes!("data/lexicon.zst");

/// What the list knows of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    bits: u8,
    /// 0 and 1 everyday, 2 common, 3 usual, 4 rare.
    pub(crate) rarity: u8,
}

impl Entry {
    const BASE: u8 = 1;
    const PAST: u8 = 2;
    const NOUN: u8 = 4;
    const ADJECTIVE: u8 = 8;
    const ADVERB: u8 = 16;
    const EVER_NOUN: u8 = 32;

    /// Base form of a verb in a good share of its uses.
    pub(crate) fn is_base(self) -> bool {
        self.bits & Self::BASE != 0
    }
    /// Past tense or past participle, regular or not.
    pub(crate) fn is_past(self) -> bool {
        self.bits & Self::PAST != 0
    }
    /// Noun in a good share of its uses.
    pub(crate) fn is_noun(self) -> bool {
        self.bits & Self::NOUN != 0
    }
    /// Noun in any use, however rare.
    pub(crate) fn ever_noun(self) -> bool {
        self.bits & Self::EVER_NOUN != 0
    }
    /// Adjective in a good share of its uses.
    pub(crate) fn is_adjective(self) -> bool {
        self.bits & Self::ADJECTIVE != 0
    }
    /// Adverb in a good share of its uses.
    pub(crate) fn is_adverb(self) -> bool {
        self.bits & Self::ADVERB != 0
    }
    /// A verb base and nothing else, not even in rare uses (`beware`, `qualify`).
    pub(crate) fn only_base(self) -> bool {
        self.bits == Self::BASE
    }
    /// A past form and nothing else (`told`, `regretted`).
    pub(crate) fn only_past(self) -> bool {
        self.bits & !Self::EVER_NOUN == Self::PAST
    }
    /// A noun and nothing else (`house`-like words that are also verbs do not count).
    pub(crate) fn only_noun(self) -> bool {
        self.bits & !Self::EVER_NOUN == Self::NOUN
    }
}

/// The unpacked list: words in order, cut from one string.
pub(crate) struct Lexicon {
    letters: String,
    ends: Vec<u32>,
    entries: Vec<Entry>,
    /// First word of each three-letter beginning; narrows the binary search.
    buckets: Vec<u32>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::unpack);

/// The list, unpacked at first use.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

const LETTERS: usize = 28;

/// Bucket of a word: its first three letters; the apostrophe and missing letters sort first.
fn bucket(word: &[u8]) -> usize {
    let rank = |b: Option<&u8>| match b {
        None => 0,
        Some(b) if b.is_ascii_lowercase() => usize::from(b - b'a') + 2,
        Some(_) => 1,
    };
    let letters = word.iter().map(Some).chain([None; 3]).take(3);
    letters.fold(0, |at, letter| at * LETTERS + rank(letter))
}

impl Lexicon {
    /// Undoes the front coding. A line is: letters shared with the word before (`a` = 0), the rest of
    /// the word, the rarity digit, the tag letter.
    fn unpack() -> Self {
        let bytes =
            zstd::decode_all(PACKED).expect("the embedded list is whole; a test reads all of it");
        let mut list = Self {
            letters: String::with_capacity(1_300_000),
            ends: Vec::with_capacity(120_000),
            entries: Vec::with_capacity(120_000),
            buckets: vec![0; LETTERS.pow(3) + 1],
        };
        let mut from = 0;
        let text = String::from_utf8(bytes).expect("the embedded list is ASCII");
        for line in text.split('\n') {
            let bytes = line.as_bytes();
            let [shared, .., rarity, tag] = bytes else {
                continue;
            };
            let shared = usize::from(shared.saturating_sub(b'a'));
            let start = list.letters.len();
            list.letters.extend_from_within_or_nothing(from, shared);
            list.letters.push_str(&line[1..line.len() - 2]);
            from = start;
            list.ends.push(list.letters.len() as u32);
            list.entries.push(Entry {
                bits: tag.saturating_sub(b'0'),
                rarity: rarity.saturating_sub(b'0'),
            });
            let at = bucket(&list.letters.as_bytes()[start..]);
            list.buckets[at + 1] = list.ends.len() as u32;
        }
        for at in 1..list.buckets.len() {
            list.buckets[at] = list.buckets[at].max(list.buckets[at - 1]);
        }
        list
    }

    fn word(&self, at: usize) -> &[u8] {
        let start = if at == 0 {
            0
        } else {
            self.ends[at - 1] as usize
        };
        &self.letters.as_bytes()[start..self.ends[at] as usize]
    }

    /// All words, in order.
    #[cfg(test)]
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|at| std::str::from_utf8(self.word(at)).ok())
    }

    /// The entry of a lower-case word, if the list has it exactly so.
    pub(crate) fn get(&self, word: &[u8]) -> Option<Entry> {
        let at = bucket(word);
        let (mut low, mut high) = (self.buckets[at] as usize, self.buckets[at + 1] as usize);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(self.entries[middle]),
            }
        }
        None
    }
}

/// Copying the shared letters without a second buffer.
trait ExtendFromWithin {
    fn extend_from_within_or_nothing(&mut self, from: usize, count: usize);
}

impl ExtendFromWithin for String {
    fn extend_from_within_or_nothing(&mut self, from: usize, count: usize) {
        for at in from..from + count {
            let letter = self.as_bytes().get(at).copied().unwrap_or(b'\'');
            self.push(char::from(letter));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lexicon;

    #[test]
    fn everyday_words_are_known_and_tagged() {
        let told = lexicon().get(b"told").expect("told");
        assert!(told.only_past() && told.rarity <= 2);
        assert!(
            lexicon()
                .get(b"qualify")
                .is_some_and(super::Entry::only_base)
        );
        assert!(lexicon().get(b"colour").is_some() && lexicon().get(b"color").is_some());
    }

    #[test]
    fn nonsense_and_the_empty_word_are_unknown() {
        for word in ["thwir", "", "zzzz", "'", "a'a"] {
            assert!(lexicon().get(word.as_bytes()).is_none(), "{word}");
        }
    }

    #[test]
    fn the_list_is_sorted_and_whole() {
        let list = lexicon();
        assert_eq!(list.ends.len(), 117_945);
        for at in 1..list.ends.len() {
            assert!(list.word(at - 1) < list.word(at));
            assert!(list.get(list.word(at)).is_some());
        }
    }
}
