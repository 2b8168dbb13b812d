//! What shows in the words of a name themselves: titles and first names, `St.`, heads such as `Street`
//! or `Lake`, and names that the lists hold.

use super::candidate::{Candidate, Cutter};
use super::census::Entry;
use super::cue::Cue;
use super::list::LISTS;
use super::token::{Case, Gap};
use crate::language::text::EntityKind;

impl Cutter<'_> {
    /// Two or more tokens that stand in the lists together.
    pub(super) fn phrase(&self, at: usize) -> Option<Candidate> {
        /// No listed name has more tokens.
        const LONGEST: usize = 5;
        let mut name = String::new();
        let mut best = None;
        for last in at..self.end.min(at + LONGEST) {
            if last > at {
                name.push(' ');
            }
            match self.census.entry(last) {
                Some(entry) => name.push_str(&entry.name),
                None => name.push_str(self.reading.word(last)),
            }
            if self.reading.tokens[last].possessive {
                let with_ending = format!("{name}'s");
                if let Some(kind) = LISTS.place(&with_ending) {
                    best = Some(Candidate {
                        listed: true,
                        whole: true,
                        ..self.several(at, last, Some(kind))
                    });
                }
                name.push_str("'s");
                continue;
            }
            if last > at
                && let Some(kind) = LISTS.place(&name)
            {
                best = Some(Candidate {
                    listed: true,
                    ..self.several(at, last, Some(kind))
                });
            }
        }
        best
    }

    /// `St. George` is somebody, `St. Martin’s` and `St. Peter’s Church` are buildings.
    pub(super) fn saint(
        &self,
        at: usize,
        entry: &Entry,
        phrase: Option<Candidate>,
    ) -> Option<Candidate> {
        if !matches!(entry.name.as_str(), "St" | "Saint" | "Ste" | "Sainte") || at + 1 >= self.end {
            return None;
        }
        let headed = self.head(at);
        if let Some(phrase) = phrase
            && headed.is_none_or(|headed| headed.last <= phrase.last)
        {
            return Some(phrase);
        }
        if headed.is_some() {
            return headed;
        }
        let last = at + 1;
        self.census.entry(last).filter(|entry| !entry.function)?;
        if self.reading.tokens[last].possessive {
            return Some(Candidate {
                whole: true,
                ..self.several(at, last, Some(EntityKind::Fac))
            });
        }
        Some(self.several(at, last, None))
    }

    /// What follows a title, or the titles themselves where they belong to a street or the like.
    pub(super) fn titled(&self, at: usize) -> Option<Candidate> {
        let mut name = at;
        while name < self.end
            && self
                .census
                .entry(name)
                .is_none_or(|entry| entry.title && !entry.given && name + 1 < self.end)
        {
            name += 1;
        }
        if name >= self.end {
            return None;
        }
        if let Some(head) = self.head(at) {
            let of = self.reading.word(head.last.min(name + 1)) == "of";
            let person = !of
                && (head.last == name && (self.is_family(name) || self.is_personal(at))
                    || head.last > name && self.is_family(head.last) && self.is_personal(at));
            let owned = (name..head.last).any(|token| self.reading.tokens[token].possessive);
            if !person {
                let first = if owned { name } else { at };
                return Some(self.several(first, head.last, head.kind));
            }
        }
        let entry = self.census.entry(name)?;
        if entry.function || entry.title || (entry.people && !entry.surname && !entry.given) {
            return None;
        }
        let last = self.name_end(name);
        Some(Candidate {
            titled: true,
            ..self.several(name, last, Some(EntityKind::Person))
        })
    }

    /// Whether a title never starts the name of a street or an office.
    pub(super) fn is_personal(&self, at: usize) -> bool {
        self.reading.tokens[at].dotted
            || matches!(
                self.reading.word(at),
                "Mr" | "Mrs"
                    | "Miss"
                    | "Dr"
                    | "Sir"
                    | "Captain"
                    | "Colonel"
                    | "Monsieur"
                    | "Madame"
            )
    }

    /// A name that starts with a first name or an initial.
    pub(super) fn person(&self, at: usize, entry: &Entry) -> Option<Candidate> {
        let initial = self.reading.tokens[at].is_initial(self.reading.text);
        let surname_follows = entry.surname
            && self
                .reading
                .tokens
                .get(at + 1)
                .is_some_and(|next| next.is_initial(self.reading.text));
        if entry.common && !entry.given
            || !(entry.given || initial || surname_follows)
            || self.reading.tokens[at].possessive
        {
            return None;
        }
        let last = self.name_end(at);
        if last == at || entry.place.is_some() && !self.is_name(at + 1) {
            return None;
        }
        let names = (at..=last)
            .filter(|&token| !self.reading.tokens[token].is_initial(self.reading.text))
            .filter_map(|token| self.census.entry(token))
            .filter(|entry| !entry.numeral)
            .count();
        (names > 0 && (names > 1 || initial || entry.given))
            .then(|| self.several(at, last, Some(EntityKind::Person)))
    }

    /// The last token of a person’s name that starts at a token.
    pub(super) fn name_end(&self, first: usize) -> usize {
        /// No name has more tokens.
        const LONGEST: usize = 6;
        let mut last = first;
        for at in first + 1..self.end.min(first + LONGEST) {
            let Some(entry) = self.census.entry(at) else {
                continue;
            };
            if self.reading.tokens[at - 1].possessive {
                break;
            }
            let epithet = self.reading.word(at - 1) == "the";
            let surname = entry.surname || entry.given;
            let stops = entry.function || entry.people || entry.title || entry.common;
            if stops && !surname && !epithet {
                break;
            }
            last = at;
        }
        last
    }

    /// Whether a token is a family name, a first name or an initial.
    pub(super) fn is_name(&self, at: usize) -> bool {
        self.reading
            .tokens
            .get(at)
            .is_some_and(|token| token.is_initial(self.reading.text))
            || self
                .census
                .entry(at)
                .is_some_and(|entry| entry.surname || entry.given)
    }

    /// Whether a first name is one rather than the beginning of a place: `Mary Hill`, `Anatole de
    /// la Forge`, but `Albert Hall` where the lists know it, and `Charlotte Street`.
    pub(super) fn is_rather(&self, person: &Candidate, place: &Candidate) -> bool {
        let family = self.is_family(place.last) && place.last == person.first + 1;
        let foreign =
            (person.first..person.last).any(|token| self.reading.tokens[token].case == Case::Lower);
        !place.listed
            && (person.last > place.last || person.last == place.last && (family || foreign))
    }

    pub(super) fn is_family(&self, at: usize) -> bool {
        self.census.entry(at).is_some_and(|entry| entry.surname)
    }

    /// A name that ends with a word such as `Street`, or goes on with `of` after one.
    pub(super) fn head(&self, at: usize) -> Option<Candidate> {
        let mut best = None;
        for token in at..self.end {
            let Some(entry) = self.census.entry(token) else {
                continue;
            };
            let Some(kind) = entry.head else {
                continue;
            };
            if self.reading.word(token + 1) == "of" && token + 2 < self.end {
                return Some(self.several(at, self.end - 1, Some(kind)));
            }
            if token > at {
                best = Some((token, kind));
            }
        }
        let (last, kind) = best?;
        let names_something = (at..last).any(|token| {
            self.census.entry(token).is_some_and(|entry| {
                if self.census.noun_capitals {
                    !entry.is_plain() && entry.lower == 0
                } else {
                    !entry.function
                        || (Cue::Adjective.is(&entry.name) && !self.reading.tokens[token].start)
                }
            })
        });
        names_something.then(|| self.several(at, last, Some(kind)))
    }

    /// A name that starts with a word such as `Lake`.
    pub(super) fn head_first(&self, at: usize, entry: &Entry) -> Option<Candidate> {
        let kind = entry.head_first?;
        if self.reading.tokens[at].possessive || (self.census.noun_capitals && entry.lower > 0) {
            return None;
        }
        let mut last = (at + 1..self.end).find(|&next| self.reading.tokens[next].is_capital())?;
        let mut next = self.census.entry(last)?;
        if matches!(entry.name.as_str(), "Co" | "Company" | "Battery" | "Troop") {
            let letter = self.reading.word(last).len() == 1 && next.name != "I";
            return letter.then(|| self.several(at, last, Some(kind)));
        }
        if matches!(next.name.as_str(), "St" | "Saint" | "Sainte") && last + 1 < self.end {
            last += 1;
            next = self.census.entry(last)?;
        }
        let known = next.lower == 0 || next.place.is_some() || next.surname;
        (known && !next.function && !next.title).then(|| self.several(at, last, Some(kind)))
    }

    /// An American state in short, as it stands after a town: `Elizabethtown, Ky.`
    pub(super) fn state(&self, at: usize) -> Option<Candidate> {
        let token = &self.reading.tokens[at];
        let name = self.reading.word(at);
        if !token.dotted || name.chars().count() > 5 || LISTS.place(name) != Some(EntityKind::Gpe) {
            return None;
        }
        let after_town =
            token.gap == Gap::Comma && at > 0 && self.reading.tokens[at - 1].is_capital();
        (after_town || name.contains('.')).then(|| Candidate {
            whole: true,
            listed: true,
            ..self.single(at, Some(EntityKind::Gpe))
        })
    }
}
