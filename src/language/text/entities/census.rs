//! Counts, for each word that is somewhere written with a capital, how the document writes it
//! elsewhere, and looks it up in the lists once.
//!
//! A word that also stands in small letters is seldom a name; one that carries its capital in the
//! middle of sentences often is. Which it is, is decided in `decide`.

use indexmap::IndexMap;

use super::cue::Cue;
use super::list::{LISTS, spelled};
use super::strange::{is_known, is_strange};
use super::token::{Case, Gap, Token};
use crate::language::text::EntityKind;
use crate::language::text::lexicon::{self, lexicon};

/// What is known about a word.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether the word stands in one of the lists"
)]
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    /// How the lists would write it.
    pub(super) name: String,
    /// How often it stands in small letters.
    pub(super) lower: u32,
    /// How often it has a capital where that says something.
    pub(super) middle: u32,
    /// How often, of these, after `a`, `my`, `every` and the like and before a small letter.
    pub(super) determined: u32,
    /// How often, of these, after `the` and before a small letter.
    pub(super) after_the: u32,
    /// It names nothing at the start of a sentence.
    pub(super) function: bool,
    /// It often has a capital without naming anything.
    pub(super) common: bool,
    /// It names a people or belongs to one.
    pub(super) people: bool,
    /// It stands before persons' names.
    pub(super) title: bool,
    /// It is a first name.
    pub(super) given: bool,
    /// It is a family name.
    pub(super) surname: bool,
    /// It is a Roman number.
    pub(super) numeral: bool,
    /// What place or institution has this name.
    pub(super) place: Option<EntityKind>,
    /// What a name that ends with it names.
    pub(super) head: Option<EntityKind>,
    /// What a name that starts with it names.
    pub(super) head_first: Option<EntityKind>,
    /// What it names by itself after `the`.
    pub(super) alone: Option<EntityKind>,
    /// It is in the dictionary of English words.
    pub(super) known: bool,
    /// English has no such word: nothing but a name is written so.
    pub(super) strange: bool,
    /// How often, of such a word, a small noun follows: `Irwadian ships`.
    pub(super) before_noun: u32,
    /// How often such a word stands beside a small one that is no English either: `das Buch der Natur`.
    pub(super) foreign: u32,
}

impl Entry {
    fn new(name: String, small: &str) -> Self {
        let lists = &*LISTS;
        let mut entry = Self {
            function: lists.function.has(small),
            common: lists.common.has(&name),
            people: lists.peoples.has(&name),
            title: lists.titles.has(&name),
            given: lists.given(&name),
            surname: lists.surnames.has(&name),
            numeral: small.len() <= 6
                && small
                    .chars()
                    .all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c')),
            place: lists.place(&name),
            head: lists.heads.kind(&name),
            head_first: lists.heads_first.kind(&name),
            alone: lists.alone.kind(&name),
            name,
            ..Self::default()
        };
        entry.strange = !entry.is_plain()
            && !entry.title
            && !entry.numeral
            && !lists.languages.has(&entry.name)
            && !Cue::Month.is(&entry.name)
            && is_strange(small);
        entry.known = !entry.strange && is_known(small);
        entry
    }

    /// Whether the document writes it as a name writes itself: with a capital in the middle of
    /// sentences, and hardly ever without.
    pub(super) fn behaves(&self) -> bool {
        self.middle > 0 && self.lower * 4 <= self.middle
    }

    /// Whether it is no part of a name by itself: it starts sentences, carries its capital out of
    /// respect or names a people.
    pub(super) fn is_plain(&self) -> bool {
        self.function || self.common || self.people
    }
}

/// The words of a document that have a capital somewhere.
pub(super) struct Census {
    entries: IndexMap<String, Entry>,
    of_token: Vec<Option<u32>>,
    /// The document writes all nouns with capitals, as the eighteenth century did.
    pub(super) noun_capitals: bool,
}

impl Census {
    /// Counts a document.
    pub(super) fn new(text: &str, tokens: &[Token]) -> Self {
        let mut entries: IndexMap<String, Entry> = IndexMap::new();
        let mut of_token: Vec<Option<u32>> = vec![None; tokens.len()];
        for (token, slot) in tokens.iter().zip(&mut of_token) {
            if !token.is_capital() {
                continue;
            }
            let word = token.span.of(text);
            let small = small(word);
            let at = match entries.get_index_of(&small) {
                Some(at) => at,
                None => {
                    let name = spelled(word, token.case == Case::Capitals).into_owned();
                    let entry = Entry::new(name, &small);
                    entries.insert_full(small, entry).0
                }
            };
            *slot = u32::try_from(at).ok();
        }
        let mut census = Self {
            entries,
            of_token,
            noun_capitals: false,
        };
        census.count(text, tokens);
        census
    }

    fn count(&mut self, text: &str, tokens: &[Token]) {
        let mut middle = 0_u32;
        let mut determined = 0_u32;
        for (at, token) in tokens.iter().enumerate() {
            if token.case == Case::Lower {
                if let Some(entry) = self.entries.get_mut(&*spelled(token.span.of(text), false)) {
                    entry.lower += 1;
                }
                continue;
            }
            let Some(slot) = self.of_token[at] else {
                continue;
            };
            if token.start {
                continue;
            }
            let alone = token.gap == Gap::Joined
                && tokens
                    .get(at + 1)
                    .is_none_or(|next| !next.is_capital() || next.gap != Gap::Joined);
            let before = match at.checked_sub(1).and_then(|before| tokens.get(before)) {
                Some(before) if alone => before.span.of(text),
                _ => "",
            };
            let Some((_, entry)) = self.entries.get_index_mut(slot as usize) else {
                continue;
            };
            entry.middle += 1;
            middle += 1;
            if entry.strange {
                let beside = [
                    at.checked_sub(1).map(|before| (before, at)),
                    Some((at + 1, at + 1)),
                ];
                entry.foreign += u32::from(beside.into_iter().flatten().any(|(small, right)| {
                    tokens
                        .get(right)
                        .is_some_and(|right| right.gap == Gap::Joined)
                        && tokens
                            .get(small)
                            .is_some_and(|small| is_foreign(text, small))
                }));
            }
            if entry.strange && alone && !token.possessive {
                entry.before_noun += u32::from(is_noun_before(text, tokens.get(at + 1)));
            }
            if Cue::Determiner.is(before) {
                entry.determined += 1;
                determined += u32::from(!entry.people && !entry.title);
            } else if before.eq_ignore_ascii_case("the") {
                entry.after_the += 1;
            }
        }
        // Of 65 books the one with capital nouns has a share of 0.23, the others at most 0.16.
        self.noun_capitals = middle > 50 && determined * 6 > middle;
    }

    /// What is known about the word of a token; nothing where it has no capital.
    pub(super) fn entry(&self, token: usize) -> Option<&Entry> {
        let at = (*self.of_token.get(token)?)?;
        self.entries.get_index(at as usize).map(|(_, entry)| entry)
    }

    /// The number of a token's word, below [`Self::len`].
    pub(super) fn number(&self, token: usize) -> Option<usize> {
        (*self.of_token.get(token)?).map(|at| at as usize)
    }

    /// What is known about each word, by its number.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// A word in small letters with straight apostrophes: the same for all its spellings.
fn small(word: &str) -> String {
    spelled(word, false).to_lowercase()
}

/// Whether a small word that follows at once is a noun and nothing that could follow a name.
fn is_noun_before(text: &str, next: Option<&Token>) -> bool {
    next.filter(|next| next.gap == Gap::Joined && next.case == Case::Lower)
        .and_then(|next| lexicon().get(next.span.of(text).as_bytes()))
        .is_some_and(lexicon::Entry::only_noun)
}

/// Whether a small word is no English, but for those that stand in front of names.
fn is_foreign(text: &str, token: &Token) -> bool {
    let word = token.span.of(text);
    token.case == Case::Lower
        && !matches!(
            word,
            "de" | "du" | "la" | "le" | "von" | "van" | "di" | "da" | "del" | "della"
        )
        && !is_known(&spelled(word, false))
}
