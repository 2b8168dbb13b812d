//! The lists that entities are recognised by, compiled in.
//!
//! One entry per line, sorted by bytes; the lists of heads have the kind behind a tab. Apostrophes
//! are straight and full stops only inside (`St Paul's`, `N.Y`): that is how [`spelled`] writes a
//! name. The lists are facts collected for this program: they are short and cannot be complete.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::language::text::{EntityKind, WordList};

/// A sorted list of words that say what a name of several words names.
pub(super) struct Heads(Vec<(&'static str, EntityKind)>);

impl Heads {
    fn new(file: &'static str) -> Self {
        let kind = |name| match name {
            "fac" => EntityKind::Fac,
            "gpe" => EntityKind::Gpe,
            "org" => EntityKind::Org,
            _ => EntityKind::Loc,
        };
        Self(
            file.lines()
                .filter_map(|line| line.split_once('\t'))
                .map(|(word, name)| (word, kind(name)))
                .collect(),
        )
    }

    /// What names with this word name.
    pub(super) fn kind(&self, word: &str) -> Option<EntityKind> {
        let at = self.0.binary_search_by_key(&word, |&(head, _)| head).ok()?;
        self.0.get(at).map(|&(_, kind)| kind)
    }
}

/// Every list.
pub(super) struct Lists {
    /// Countries, states, counties, cities.
    pub(super) geopolitical: WordList,
    /// Waters, mountains, islands, regions, continents.
    pub(super) locations: WordList,
    /// Buildings, streets, bridges that are known by name.
    pub(super) facilities: WordList,
    /// Institutions, papers, parties that are known by name.
    pub(super) organizations: WordList,
    /// First names of women.
    pub(super) given_female: WordList,
    /// First names of men.
    pub(super) given_male: WordList,
    /// Frequent family names, and single names by which somebody is known (`Dante`).
    pub(super) surnames: WordList,
    /// Peoples, faiths, parties and their adjectives: no entity of ours.
    pub(super) peoples: WordList,
    /// Languages.
    pub(super) languages: WordList,
    /// Words that often carry a capital without naming anything (`Captain`, `Nature`, `Tuesday`).
    pub(super) common: WordList,
    /// Words that start sentences and name nothing, in small letters.
    pub(super) function: WordList,
    /// Titles and ranks in front of a person's name.
    pub(super) titles: WordList,
    /// Verbs that mostly have a person for a subject.
    pub(super) verbs: WordList,
    /// Verbs that stand before or after a speaker.
    pub(super) speech: WordList,
    /// Last words of names: `Street`, `River`, `Company`.
    pub(super) heads: Heads,
    /// First words of names: `Lake`, `Fort`, `Rue`.
    pub(super) heads_first: Heads,
    /// Heads that are a name by themselves after `the`: `the Abbey`.
    pub(super) alone: Heads,
}

/// The lists, read when first asked for.
pub(super) static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    geopolitical: WordList::lines(include_str!("data/geopolitical.txt")),
    locations: WordList::lines(include_str!("data/locations.txt")),
    facilities: WordList::lines(include_str!("data/facilities.txt")),
    organizations: WordList::lines(include_str!("data/organizations.txt")),
    given_female: WordList::lines(include_str!("data/given_female.txt")),
    given_male: WordList::lines(include_str!("data/given_male.txt")),
    surnames: WordList::lines(include_str!("data/surnames.txt")),
    peoples: WordList::lines(include_str!("data/peoples.txt")),
    languages: WordList::lines(include_str!("data/languages.txt")),
    common: WordList::lines(include_str!("data/common.txt")),
    function: WordList::lines(include_str!("data/function.txt")),
    titles: WordList::lines(include_str!("data/titles.txt")),
    verbs: WordList::lines(include_str!("data/verbs.txt")),
    speech: WordList::lines(include_str!("data/speech.txt")),
    heads: Heads::new(include_str!("data/heads.txt")),
    heads_first: Heads::new(include_str!("data/heads_first.txt")),
    alone: Heads::new(include_str!("data/alone.txt")),
});

impl Lists {
    /// What a place or institution of this name is.
    pub(super) fn place(&self, name: &str) -> Option<EntityKind> {
        if self.geopolitical.has(name) {
            Some(EntityKind::Gpe)
        } else if self.locations.has(name) {
            Some(EntityKind::Loc)
        } else if self.facilities.has(name) {
            Some(EntityKind::Fac)
        } else if self.organizations.has(name) {
            Some(EntityKind::Org)
        } else {
            None
        }
    }

    /// Whether it is a first name.
    pub(super) fn given(&self, name: &str) -> bool {
        self.given_female.has(name) || self.given_male.has(name)
    }
}

/// A word as the lists write it: straight apostrophes, and a capital and small letters where it
/// stands in capitals.
pub(super) fn spelled(word: &str, capitals: bool) -> Cow<'_, str> {
    let shouted = capitals && word.chars().nth(1).is_some_and(char::is_alphabetic);
    if !shouted && !word.contains('’') {
        return Cow::Borrowed(word);
    }
    let word = word.replace('’', "'");
    if !shouted {
        return Cow::Owned(word);
    }
    let mut letters = word.chars();
    let first = letters.next().into_iter();
    Cow::Owned(first.chain(letters.flat_map(char::to_lowercase)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_hold_nothing_twice() {
        let lists = &*LISTS;
        let names = [
            &lists.geopolitical,
            &lists.locations,
            &lists.facilities,
            &lists.organizations,
            &lists.given_female,
            &lists.given_male,
            &lists.surnames,
            &lists.peoples,
            &lists.languages,
            &lists.common,
            &lists.function,
            &lists.titles,
            &lists.verbs,
            &lists.speech,
        ];
        for list in names {
            assert!(
                list.all().is_sorted_by(|a, b| a < b),
                "{:?}",
                list.all().first()
            );
        }
        for list in [&lists.heads, &lists.heads_first, &lists.alone] {
            assert!(
                list.0.is_sorted_by(|a, b| a.0 < b.0),
                "{:?}",
                list.0.first()
            );
        }
    }

    #[test]
    fn names_are_written_as_they_are_looked_up() {
        let lists = &*LISTS;
        let places = [
            &lists.geopolitical,
            &lists.locations,
            &lists.facilities,
            &lists.organizations,
        ];
        for name in places.into_iter().flat_map(WordList::all) {
            assert!(!name.contains('\u{2019}') && !name.ends_with('.'), "{name}");
            assert!(name.starts_with(char::is_alphabetic), "{name}");
        }
        for word in lists.function.all() {
            assert_eq!(*word, word.to_lowercase());
        }
    }

    #[test]
    fn a_place_is_in_one_list_only() {
        let lists = &*LISTS;
        for name in lists.locations.all() {
            assert!(!lists.geopolitical.has(name), "{name}");
        }
        for name in lists.facilities.all() {
            assert!(
                !lists.geopolitical.has(name) && !lists.locations.has(name),
                "{name}"
            );
        }
        for name in lists.organizations.all() {
            assert!(
                !lists.geopolitical.has(name) && !lists.facilities.has(name),
                "{name}"
            );
        }
    }

    #[test]
    fn capitals_and_apostrophes_are_spelled_as_in_the_lists() {
        assert_eq!(spelled("LONDON", true), "London");
        assert_eq!(spelled("U.S.A", true), "U.S.A");
        assert_eq!(spelled("D’Arcy", false), "D'Arcy");
    }
}
