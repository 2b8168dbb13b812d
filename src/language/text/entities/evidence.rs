//! What the words around a candidate say about it: persons speak and have hands, places are arrived
//! at.
//!
//! The points are tenths, set by hand; the rules they stand for are named beside them.

use super::candidate::Candidate;
use super::census::Census;
use super::cue::Cue;
use super::list::LISTS;
use super::reading::Reading;
use super::token::Case;

/// Points for a person and for a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Points {
    /// For a person.
    pub(super) person: i64,
    /// For a place or an institution.
    pub(super) place: i64,
}

impl Points {
    /// The sum of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            person: self.person + other.person,
            place: self.place + other.place,
        }
    }
}

/// A document, with a look at the neighbours of a candidate.
pub(super) struct Surroundings<'a> {
    pub(super) reading: Reading<'a>,
    pub(super) census: &'a Census,
}

impl Surroundings<'_> {
    /// What stands around one mention.
    pub(super) fn points(&self, candidate: &Candidate) -> Points {
        let mut points = Points::default();
        if candidate.titled {
            points.person += 40;
        }
        self.subject(candidate, &mut points);
        if !self.reading.tokens[candidate.last].possessive {
            self.preposition(candidate, &mut points);
        }
        self.neighbours(candidate, &mut points);
        self.apposition(candidate, &mut points);
        points
    }

    /// Persons say, think, own and are written about.
    fn subject(&self, candidate: &Candidate, points: &mut Points) {
        let last = candidate.last;
        let possessive = self.reading.tokens[last].possessive;
        let next = self.reading.after(last, 1);
        if possessive {
            points.person += if Cue::Belonging.is(next) { 20 } else { 0 };
        } else if LISTS.speech.has(next) {
            points.person += 20;
        } else if LISTS.verbs.has(next) {
            points.person += 8;
        } else if Cue::Auxiliary.is(next) {
            points.person += 2;
        } else if Cue::Public.is(next) {
            points.place += 10;
        } else if matches!(next, "himself" | "herself") {
            points.person += 30;
        } else if next == "who" || next == "whose" {
            points.person += 15;
        }
        if self.reading.comma(last + 1)
            && matches!(self.reading.word(last + 1), "who" | "whose" | "whom")
        {
            points.person += 15;
        }
        let before = self.reading.before(candidate.first, 1);
        if LISTS.speech.has(before) && before != "called" {
            points.person += 15;
        }
        if matches!(
            before,
            "poor" | "little" | "dear" | "Poor" | "Dear" | "Little"
        ) {
            points.person += 10;
        }
        if Cue::Occupation.is(before) {
            points.person += 12;
        }
        if matches!(before, "with" | "by" | "than" | "young" | "old") {
            points.person += 3;
        }
    }

    /// One is in, at and near places.
    fn preposition(&self, candidate: &Candidate, points: &mut Points) {
        let first = candidate.first;
        let mut before = self.reading.before(first, 1);
        let mut further = self.reading.before(first, 2);
        if before.eq_ignore_ascii_case("the") {
            before = further;
            further = self.reading.before(first, 3);
        }
        let looked = matches!(
            further,
            "looked" | "look" | "looking" | "glanced" | "gazed" | "stared" | "smiled" | "laughed"
        );
        points.place += match before {
            "in" | "In" | "near" | "Near" | "throughout" | "outside" | "beyond" => 15,
            "at" | "At" if looked => 0,
            "at" | "At" => 12,
            "into" | "through" | "across" | "around" | "toward" | "towards" | "via" | "within" => 7,
            "from" | "From" | "reached" | "visited" | "entering" | "leaving" => 5,
            "to" | "for" if Cue::Movement.is(further) => 12,
            "of" if Cue::BeforeOfPlace.is(further) => 20,
            "of" => 1,
            "on" => 3,
            "as" if further == "far" => 15,
            "north" | "south" | "east" | "west" => 20,
            _ => 0,
        };
        if looked && before == "at" {
            points.person += 10;
        }
    }

    /// `Capiz, a small town`, `Lecky, the great historian`, `the Scioto river`.
    fn apposition(&self, candidate: &Candidate, points: &mut Points) {
        let last = candidate.last;
        if Cue::Land.is(self.reading.after(last, 1)) {
            points.place += 20;
        }
        let article = matches!(
            self.reading.word(last + 1),
            "a" | "an" | "the" | "his" | "her"
        );
        if !self.reading.comma(last + 1) || !article {
            return;
        }
        for on in 2..=4 {
            let word = self.reading.after(last + 1, on - 1);
            if word.is_empty() {
                break;
            }
            if Cue::Land.is(word) {
                points.place += 20;
                break;
            }
            if Cue::Occupation.is(word) {
                points.person += 10;
                break;
            }
        }
    }

    /// Places stand beside places: `Vienna, Austria`, `London and Paris`.
    fn neighbours(&self, candidate: &Candidate, points: &mut Points) {
        let place = |at: Option<usize>| {
            at.and_then(|at| self.census.entry(at))
                .is_some_and(|entry| entry.place.is_some() && !entry.given && !entry.surname)
        };
        let person = |at: Option<usize>| {
            at.and_then(|at| self.census.entry(at))
                .is_some_and(|entry| entry.place.is_none() && (entry.given || entry.surname))
        };
        let (first, last) = (candidate.first, candidate.last);
        let and_before = matches!(self.reading.before(first, 1), "and" | "or");
        let and_after = matches!(self.reading.after(last, 1), "and" | "or");
        if self.reading.comma(first) && person(first.checked_sub(1))
            || self.reading.comma(last + 1) && person(Some(last + 1))
            || and_before && person(first.checked_sub(2))
            || and_after && person(Some(last + 2))
        {
            points.person += 6;
        }
        if self.reading.comma(first) && place(first.checked_sub(1)) {
            points.place += 12;
        }
        if self.reading.comma(last + 1) && place(Some(last + 1)) {
            points.place += 15;
        }
        if self.reading.after(last, 1) == "and"
            && place(Some(last + 2))
            && !self.reading.after(last, 2).is_empty()
        {
            points.place += 8;
        }
        if self.reading.before(first, 1) == "and" && place(first.checked_sub(2)) {
            points.place += 8;
        }
        let company = self.reading.tokens.get(last + 1);
        if company.is_some_and(|next| next.case == Case::And) {
            points.place += 5;
        }
    }
}
