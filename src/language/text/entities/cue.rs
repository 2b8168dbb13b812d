//! Words that say something about the names, dates and languages beside them.
//!
//! They stand in `data/cues.txt`, one kind per line: its name, a tab, and the words with blanks
//! between, sorted by bytes.

use std::sync::LazyLock;

use crate::language::text::word_list::Sorted;

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cue {
    /// It also starts the names of streets and towns: `New`, `Five`.
    Adjective,
    /// A verb that says little about its subject: `was`.
    Auxiliary,
    /// What one has of a language, before `of`: `knowledge`.
    BeforeOfLanguage,
    /// What towns and countries have, before `of`: `mayor`.
    BeforeOfPlace,
    /// It stands before months: `since`.
    BeforeMonth,
    /// It stands before years: `in`.
    BeforeYear,
    /// What only persons have: `voice`.
    Belonging,
    /// Which part of a century: `early`.
    CenturyPart,
    /// What is counted in numbers that look like years: `men`.
    Counted,
    /// Names seldom follow it: `a`, `my`.
    Determiner,
    /// Before a stretch of time, though it may be something else: `that`.
    Each,
    /// A day of feasts: `Easter`.
    Feast,
    /// What places are: `town`.
    Land,
    /// It makes the name before it a language: `tongue`.
    LanguageNoun,
    /// How a language is spoken: `broken`.
    LanguageQuality,
    /// What one does with a language: `speak`.
    LanguageUse,
    /// After a stretch of time: `ago`.
    Later,
    /// A month.
    Month,
    /// It stands where a way leads: `road`, before `to`.
    Movement,
    /// No noun follows it: `and`.
    NoNoun,
    /// A number in words: `two`.
    Number,
    /// What persons are: `painter`.
    Occupation,
    /// `first` to `thirtieth`.
    Ordinal,
    /// Which part of a place: `Western`.
    Part,
    /// What towns and countries have, right behind their names: `government`.
    Public,
    /// A season.
    Season,
    /// `today` and its neighbours.
    Today,
    /// What time is counted in: `years`.
    Unit,
    /// A month that is also another word: `May`.
    VerbMonth,
    /// A day of the week.
    Weekday,
    /// Before a stretch of time: `last`.
    Which,
}

impl Cue {
    const ALL: [(Self, &'static str); 31] = [
        (Self::Adjective, "adjective"),
        (Self::Auxiliary, "auxiliary"),
        (Self::BeforeOfLanguage, "before-of-language"),
        (Self::BeforeOfPlace, "before-of-place"),
        (Self::BeforeMonth, "before-month"),
        (Self::BeforeYear, "before-year"),
        (Self::Belonging, "belonging"),
        (Self::CenturyPart, "century-part"),
        (Self::Counted, "counted"),
        (Self::Determiner, "determiner"),
        (Self::Each, "each"),
        (Self::Feast, "feast"),
        (Self::Land, "land"),
        (Self::LanguageNoun, "language-noun"),
        (Self::LanguageQuality, "language-quality"),
        (Self::LanguageUse, "language-use"),
        (Self::Later, "later"),
        (Self::Month, "month"),
        (Self::Movement, "movement"),
        (Self::NoNoun, "no-noun"),
        (Self::Number, "number"),
        (Self::Occupation, "occupation"),
        (Self::Ordinal, "ordinal"),
        (Self::Part, "part"),
        (Self::Public, "public"),
        (Self::Season, "season"),
        (Self::Today, "today"),
        (Self::Unit, "unit"),
        (Self::VerbMonth, "verb-month"),
        (Self::Weekday, "weekday"),
        (Self::Which, "which"),
    ];

    /// Whether a word, written exactly so, says this.
    pub(super) fn is(self, word: &str) -> bool {
        let words = WORDS.get(self as usize);
        words.is_some_and(|words| words.has(word))
    }
}

impl Cue {
    /// Whether a date may start with a word, or with a word that goes on with a hyphen.
    pub(super) fn starts_date(word: &str) -> bool {
        (1..=LONGEST_START).contains(&word.len()) && DATE_STARTS.has(word)
    }
}

/// No first word of a date is longer, in bytes.
const LONGEST_START: usize = 13;

/// The first words of dates.
static DATE_STARTS: LazyLock<Sorted> = LazyLock::new(|| {
    let cues = [
        Cue::CenturyPart,
        Cue::Each,
        Cue::Feast,
        Cue::Month,
        Cue::Number,
        Cue::Ordinal,
        Cue::Season,
        Cue::Today,
        Cue::Weekday,
        Cue::Which,
    ];
    let others = [
        "A", "A.D", "An", "Dark", "Middle", "New", "The", "a", "an", "the", "year", "years",
    ];
    let words = cues.iter().filter_map(|&cue| WORDS.get(cue as usize));
    let words = words.flat_map(Sorted::all).copied();
    words.chain(others).collect()
});

static FILE: &str = include_str!("data/cues.txt");

/// The words of each cue, in the order of [`Cue`].
static WORDS: LazyLock<Vec<Sorted>> = LazyLock::new(|| {
    Cue::ALL
        .iter()
        .map(|(_, name)| {
            FILE.lines()
                .filter_map(|line| line.split_once('\t'))
                .filter(|(other, _)| other == name)
                .flat_map(|(_, words)| words.split(' '))
                .collect()
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cue_has_sorted_words_and_no_line_is_unused() {
        assert_eq!(FILE.lines().count(), Cue::ALL.len());
        for (at, (cue, name)) in Cue::ALL.into_iter().enumerate() {
            assert_eq!(cue as usize, at, "{name}");
            assert!(!WORDS[at].all().is_empty(), "{name}");
            let line = FILE
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'));
            let words = line.unwrap_or_default().split(' ');
            assert!(words.is_sorted_by(|a, b| a < b), "{name}");
        }
    }

    #[test]
    fn no_start_of_a_date_is_overlooked_for_its_length() {
        assert!(
            DATE_STARTS
                .all()
                .iter()
                .all(|word| word.len() <= LONGEST_START)
        );
        assert!(Cue::starts_date("Christmastide") && Cue::starts_date("the"));
    }

    #[test]
    fn words_are_compared_as_they_are_written() {
        assert!(Cue::Month.is("May"));
        assert!(!Cue::Month.is("may"));
        assert!(!Cue::Land.is(""));
    }
}
