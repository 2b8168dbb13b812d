//! Abbreviations, and what the stop behind one means.
//!
//! There is one table, `data/abbreviations.txt`: a line is an abbreviation as it is usually written and a letter for
//! each question that it answers with yes. The questions differ because the texts and the prices of a mistake do:
//! cleaning joins the lines of raw books, the word division keeps to the treebank that the tagger learned from, the finder of
//! names must not run two sentences together, and the heuristic judge would rather pass over a mistake than see one
//! where there is none. Whoever adds a word asks all of them, and raises the versions of those whose answers change.

use std::sync::OnceLock;

const TABLE: &str = include_str!("data/abbreviations.txt");

/// A question to the table.
pub(crate) struct Abbreviations {
    letter: char,
    words: OnceLock<Vec<&'static str>>,
}

/// In a raw book, a name must follow: `Mr.`
pub(crate) static TITLES: Abbreviations = Abbreviations::asked('t');
/// In a raw book, the sentence usually goes on, even with a capital: `Nov.`
pub(crate) static GOING_ON: Abbreviations = Abbreviations::asked('o');
/// A paragraph of a clean book that ends so breaks off before a name.
pub(crate) static CUT_SHORT: Abbreviations = Abbreviations::asked('c');
/// For finding names, the stop ends no sentence when a capital follows.
pub(crate) static IN_NAMES: Abbreviations = Abbreviations::asked('e');
/// Where names are replaced, it is none: it may have a vowel, or lack its stop (`Geo`, `Co`).
pub(crate) static NO_NAMES: Abbreviations = Abbreviations::asked('n');
/// The word keeps its stop wherever it stands, however it is written. Initials (`J.`) and letters with stops between them
/// (`U.S.`, `p.m.`) need no entry.
pub(crate) static WITH_STOP: Abbreviations = Abbreviations::asked('w');
/// For the heuristic judge, the stop ends no sentence, however the word is written.
pub(crate) static JUDGED: Abbreviations = Abbreviations::asked('j');

impl Abbreviations {
    const fn asked(letter: char) -> Self {
        Self {
            letter,
            words: OnceLock::new(),
        }
    }

    fn words(&self) -> &[&'static str] {
        self.words.get_or_init(|| {
            let entries = TABLE.lines().filter_map(|line| line.split_once(' '));
            let yes = entries.filter(|(_, letters)| letters.contains(self.letter));
            yes.map(|(word, _)| word).collect()
        })
    }

    /// Whether a word is one, written exactly so.
    pub(crate) fn have(&self, word: &str) -> bool {
        self.words().contains(&word)
    }

    /// Whether a word is one in capitals or small letters.
    pub(crate) fn have_however_written(&self, word: &str) -> bool {
        let mut words = self.words().iter();
        words.any(|known| known.eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_known_letters_only() {
        let mut before = (String::new(), "");
        for line in TABLE.lines() {
            let (word, letters) = line.split_once(' ').unwrap();
            let next = (word.to_lowercase(), word);
            assert!(before < next && !letters.is_empty(), "{line}");
            before = next;
            assert!(
                letters.chars().all(|letter| "tocenwj".contains(letter)),
                "{line}"
            );
        }
    }

    #[test]
    fn how_a_word_is_written_matters_to_those_who_ask_so() {
        assert!(TITLES.have("Mr") && !TITLES.have("mr") && !TITLES.have("MR"));
        assert!(IN_NAMES.have("MR") && GOING_ON.have("MS") && TITLES.have("Ms"));
        assert!(WITH_STOP.have_however_written("MR") && JUDGED.have_however_written("mr"));
        assert!(!WITH_STOP.have_however_written("me"));
    }
}
