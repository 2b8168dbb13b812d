//! Cuts a stretch of capitals into candidates: the tokens that name one thing together, and what
//! they name where that shows in the words themselves (`Mr. Hall`, `Town Hall`, `Lake Erie`).
//!
//! What a candidate without such a sign is, or whether it is anything, is decided in `decide`.

use std::ops::Range;

use super::census::{Census, Entry};
use super::cue::Cue;
use super::reading::Reading;
use super::token::Case;
use crate::language::text::EntityKind;

/// Tokens that may name something together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// First token.
    pub(super) first: usize,
    /// Last token.
    pub(super) last: usize,
    /// What its words say that it is.
    pub(super) kind: Option<EntityKind>,
    /// A title stands before it.
    pub(super) titled: bool,
    /// The ending of its last token belongs to the name: `St. Martin’s`, `Ky.`.
    pub(super) whole: bool,
    /// It stands in the lists as it is.
    pub(super) listed: bool,
}

/// The candidates in a stretch.
pub(super) fn candidates(
    reading: Reading<'_>,
    census: &Census,
    run: Range<usize>,
    found: &mut Vec<Candidate>,
) {
    let cutter = Cutter {
        reading,
        census,
        end: run.end,
    };
    let mut at = run.start;
    while at < run.end {
        match cutter.cut(at) {
            Some(candidate) => {
                at = candidate.last + 1;
                found.push(candidate);
            }
            None => at += 1,
        }
    }
}

/// A document, read from one stretch.
pub(super) struct Cutter<'a> {
    pub(super) reading: Reading<'a>,
    pub(super) census: &'a Census,
    /// End of the stretch.
    pub(super) end: usize,
}

impl Cutter<'_> {
    /// The candidate that starts at a token.
    fn cut(&self, at: usize) -> Option<Candidate> {
        let entry = self.census.entry(at)?;
        let phrase = self.phrase(at);
        if phrase.is_none() && self.is_filler(at, entry) {
            return None;
        }
        if let Some(saint) = self.saint(at, entry, phrase) {
            return Some(saint);
        }
        if entry.title && at + 1 < self.end && (self.reading.tokens[at].dotted || entry.name != "M")
        {
            return self.titled(at);
        }
        if let Some(firm) = self.firm(at) {
            return Some(firm);
        }
        let part = if phrase.is_none() {
            self.part(at)
        } else {
            None
        };
        let head = self.head(at);
        let first_word = self.head_first(at, entry);
        let longest = [phrase, part, head, first_word]
            .into_iter()
            .flatten()
            .reduce(|best, other| if other.last > best.last { other } else { best });
        if let Some(best) = longest {
            return match self.person(at, entry) {
                Some(person) if self.is_rather(&person, &best) => Some(person),
                _ => Some(best),
            };
        }
        if let Some(person) = self.person(at, entry) {
            return Some(person);
        }
        if let Some(short) = self.state(at) {
            return Some(short);
        }
        if entry.place.is_some() {
            return Some(self.single(at, None));
        }
        if entry.is_plain() || entry.title {
            return self.alone(at, entry);
        }
        self.unknown(at)
    }

    /// `Western Asia`, `East Texas`: a part of a place that the lists have.
    fn part(&self, at: usize) -> Option<Candidate> {
        if !Cue::Part.is(self.reading.word(at)) || at + 1 >= self.end {
            return None;
        }
        let place = match self.phrase(at + 1) {
            Some(phrase) => phrase.last,
            None => {
                self.census.entry(at + 1)?.place?;
                at + 1
            }
        };
        Some(Candidate {
            listed: true,
            ..self.several(at, place, Some(EntityKind::Loc))
        })
    }

    /// `Lyon & Healy`: what stands before `&` and what stands after it.
    fn firm(&self, at: usize) -> Option<Candidate> {
        let and = (at + 1..self.end.min(at + 4))
            .find(|&token| self.reading.tokens[token].case == Case::And)?;
        let named = |token: usize| {
            self.census
                .entry(token)
                .is_some_and(|entry| !entry.function && !entry.title)
        };
        let mut last = and + 1;
        if !(at..and).all(named) || last >= self.end || !named(last) {
            return None;
        }
        let headed = |token: usize| {
            self.census
                .entry(token)
                .is_some_and(|entry| entry.head.is_some())
        };
        while last + 1 < self.end
            && !self.reading.tokens[last].possessive
            && (named(last + 1) && !headed(last) || self.reading.tokens[last + 1].case == Case::And)
        {
            last += 1;
        }
        Some(self.several(at, last, Some(EntityKind::Org)))
    }

    pub(super) fn single(&self, at: usize, kind: Option<EntityKind>) -> Candidate {
        self.several(at, at, kind)
    }

    pub(super) fn several(&self, first: usize, last: usize, kind: Option<EntityKind>) -> Candidate {
        debug_assert!(first <= last && last < self.end.max(last + 1));
        Candidate {
            first,
            last,
            kind,
            titled: false,
            whole: false,
            listed: false,
        }
    }

    /// Whether a word only has its capital because of where it stands.
    fn is_filler(&self, at: usize, entry: &Entry) -> bool {
        let token = &self.reading.tokens[at];
        let adjective = Cue::Adjective.is(&entry.name);
        let headed = self
            .census
            .entry(at + 1)
            .is_some_and(|next| at + 1 < self.end && next.head.is_some());
        if entry.function {
            return !adjective || (token.start && !headed);
        }
        let known =
            entry.title || entry.given || entry.place.is_some() || entry.head_first.is_some();
        if known || entry.people {
            return false;
        }
        if token.heading {
            return !entry.behaves() && !headed;
        }
        token.start
            && (entry.lower > 0 && !entry.behaves()
                || (entry.middle == 0 && entry.name.ends_with("ly")))
    }

    /// `the Abbey`, `the South`: a common word that names one thing in this document.
    fn alone(&self, at: usize, entry: &Entry) -> Option<Candidate> {
        let kind = entry.alone?;
        let token = &self.reading.tokens[at];
        let names = !token.start
            && !self.census.noun_capitals
            && self.reading.before(at, 1).eq_ignore_ascii_case("the")
            && at + 1 >= self.end
            && self.reading.word(at + 1) != "of"
            && (entry.lower <= entry.middle || kind == EntityKind::Loc);
        names.then(|| self.single(at, Some(kind)))
    }

    /// Words that no list knows, up to one that belongs to no name.
    fn unknown(&self, at: usize) -> Option<Candidate> {
        let first = self.census.entry(at)?;
        if let Some(alone) = self.alone(at, first) {
            return Some(alone);
        }
        let mut last = at;
        let mut family = false;
        for token in at + 1..self.end {
            let Some(entry) = self.census.entry(token) else {
                continue;
            };
            if self.reading.tokens[token - 1].possessive
                || entry.is_plain() && !entry.surname
                || entry.title
                || entry.place.is_some()
                || entry.head_first.is_some()
            {
                break;
            }
            family = entry.surname;
            last = token;
        }
        let numeral = self.reading.tokens[at].case == Case::Capitals && first.numeral;
        let head = first.head.is_some() || first.head_first.is_some();
        let letters = self.reading.word(at).split('.').count();
        let the = self.reading.before(at, 1).eq_ignore_ascii_case("the");
        if last == at && letters > 2 && the && self.reading.tokens[at].is_initial(self.reading.text)
        {
            return Some(self.single(at, Some(EntityKind::Org)));
        }
        if last == at && (numeral || head && !first.surname && !first.given) {
            return None;
        }
        // `Civil War`: an adjective, whatever else it may be.
        let followed = (last + 1 < self.end && !self.reading.tokens[last].possessive)
            .then(|| self.census.entry(last + 1))
            .flatten()
            .is_some_and(|next| next.common && !next.surname && !next.title);
        let particle = matches!(
            first.name.as_str(),
            "De" | "Van" | "Von" | "Della" | "Di" | "Da"
        );
        if last == at && (followed || particle) {
            return None;
        }
        let person = particle || family && first.lower == 0;
        let kind = (person && last > at).then_some(EntityKind::Person);
        Some(self.several(at, last, kind))
    }
}
