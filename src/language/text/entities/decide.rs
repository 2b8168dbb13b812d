//! Decides what each candidate is. A name is the same throughout a document: what is said around
//! all its mentions counts for each of them.

use indexmap::IndexMap;

use super::candidate::Candidate;
use super::census::{Census, Entry};
use super::evidence::{Points, Surroundings};
use super::reading::Reading;
use super::token::Token;
use crate::language::text::EntityKind;

/// A name needs so many points, in tenths, where no list knows it.
const ENOUGH: i64 = 8;

/// The same for a place: fewer words stand before persons and places alike.
const ENOUGH_FOR_PLACE: i64 = 7;

/// The same for words that are in no dictionary and have a capital within sentences. With nothing asked
/// of them a point more of the labelled names would be found and two points more be wrong, and there
/// would be 37 % more persons in Table 3.5 than the thesis counts.
const STRANGE: i64 = 6;
const STRANGE_PLACE: i64 = 1;

/// The same where the word is one of the language, and for each of its mentions.
const PLENTY: i64 = 15;
const PER_MENTION: i64 = 2;

/// What a strange word is, is said by its surroundings if they say so much more for one than for the other.
const DECISIVE: i64 = 5;

/// What a name that is surely a person's says for each of its parts.
const NAMED: i64 = 30;

/// What the mentions of a name say together.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    points: Points,
    /// How many mentions there are.
    mentions: i64,
    /// It is somewhere written with a capital that says something.
    informative: bool,
}

/// What each candidate is; nothing for those that are no entity.
pub(super) fn decide(
    reading: Reading<'_>,
    census: &Census,
    candidates: &[Candidate],
) -> Vec<Option<EntityKind>> {
    let surroundings = Surroundings { reading, census };
    let local: Vec<Points> = candidates
        .iter()
        .map(|candidate| surroundings.points(candidate))
        .collect();
    let mut names = Names::new(census);
    for (candidate, points) in candidates.iter().zip(&local) {
        names.count(reading, candidate, *points);
    }
    for candidate in candidates {
        names.spread(reading, candidate);
    }
    names.incline();
    candidates
        .iter()
        .zip(&local)
        .map(|(candidate, points)| names.kind(reading, candidate, *points))
        .collect()
}

/// The names of a document: words by their number, and those of several words by their letters.
struct Names<'a> {
    census: &'a Census,
    words: Vec<Record>,
    phrases: IndexMap<String, Record>,
    /// Of the strange words that something speaks for, more are places than persons.
    inclined_to_places: bool,
}

impl<'a> Names<'a> {
    fn new(census: &'a Census) -> Self {
        Self {
            census,
            words: vec![Record::default(); census.len()],
            phrases: IndexMap::new(),
            inclined_to_places: false,
        }
    }

    /// What names are in this document that nothing speaks for: what most others are.
    fn incline(&mut self) {
        let strange = self.census.entries().zip(&self.words);
        let (mut persons, mut places) = (0, 0);
        for (_, record) in strange.filter(|(entry, _)| entry.strange && entry.place.is_none()) {
            let Points { person, place } = record.points;
            persons += u32::from(person >= ENOUGH && person > place);
            places += u32::from(place >= ENOUGH_FOR_PLACE && place > person);
        }
        self.inclined_to_places = places > persons;
    }

    fn count(&mut self, reading: Reading<'_>, candidate: &Candidate, points: Points) {
        let informative = is_informative(reading, candidate);
        let mut points = points;
        if candidate.kind == Some(EntityKind::Person) {
            points.person = points.person.max(NAMED);
            self.credit_parts(candidate);
        }
        if candidate.first == candidate.last {
            if let Some(at) = self.census.number(candidate.first) {
                let record = &mut self.words[at];
                record.points = record.points.plus(points);
                record.mentions += 1;
                record.informative |= informative;
            }
            return;
        }
        let record = self.phrases.entry(key(reading, candidate)).or_default();
        record.points = record.points.plus(points);
        record.mentions += 1;
        record.informative |= informative;
    }

    /// Each part of a person’s name may stand for the person elsewhere.
    fn credit_parts(&mut self, candidate: &Candidate) {
        for token in [candidate.first, candidate.last] {
            let part = self.census.entry(token);
            if part.is_some_and(|part| !part.is_plain())
                && let Some(at) = self.census.number(token)
            {
                self.words[at].points.person += NAMED;
            }
        }
    }

    /// The same for names of several words that only the words around them show to be persons’.
    fn spread(&mut self, reading: Reading<'_>, candidate: &Candidate) {
        let unknown = candidate.kind.is_none() && candidate.first < candidate.last;
        if unknown && self.several(reading, candidate) == Some(EntityKind::Person) {
            self.credit_parts(candidate);
        }
    }

    fn kind(
        &self,
        reading: Reading<'_>,
        candidate: &Candidate,
        local: Points,
    ) -> Option<EntityKind> {
        if candidate.first < candidate.last {
            return self.several(reading, candidate);
        }
        let entry = self.census.entry(candidate.first)?;
        let record = *self.words.get(self.census.number(candidate.first)?)?;
        if candidate.kind.is_some() {
            let certain = candidate.titled || candidate.whole || record.informative;
            return candidate.kind.filter(|_| certain);
        }
        self.single(entry, &reading.tokens[candidate.first], record, local)
    }

    /// A name of one word, by all its mentions and by this one.
    fn single(
        &self,
        entry: &Entry,
        token: &Token,
        record: Record,
        local: Points,
    ) -> Option<EntityKind> {
        let points = record.points;
        // `Hall`, `Rose`, `Reading`: a name only where the document has no other use for the word.
        let rare = entry.lower * 4 <= entry.middle;
        let given = entry.given && rare;
        let surname = entry.surname && rare && entry.head.is_none() && !entry.common;
        let listed = entry.place.is_some() && rare || given || surname;
        let certain = if token.start {
            entry.behaves() || ((listed || entry.strange) && entry.lower == 0)
        } else {
            entry.lower <= entry.middle
        };
        let determined = entry.determined * 2 > entry.middle && !listed;
        if !certain || determined {
            return None;
        }
        if self.census.noun_capitals && !listed && (entry.lower > 0 || points.person < 40) {
            return None;
        }
        let article = entry.after_the * 2 > entry.middle;
        if !listed && (article || has_abstract_ending(&entry.name)) {
            return None;
        }
        let prior = Points {
            person: if given {
                30
            } else if surname {
                25
            } else {
                0
            },
            // `Lincoln` and `Florence` are as often persons: the document decides.
            place: if entry.place.is_some() && given {
                30
            } else if entry.place.is_some() && surname {
                25
            } else if entry.place.is_some() {
                40
            } else if has_town_ending(&entry.name) {
                10
            } else {
                0
            },
        };
        let sum = points.plus(prior);
        let (enough, enough_for_place) = needed(entry, record, listed);
        let (fewer, more) = (sum.person.min(sum.place), sum.person.max(sum.place));
        let doubtful = entry.place.is_some() && fewer * 3 > more;
        let person = if entry.place.is_some() && !entry.given && !entry.surname {
            // Countries act like persons (`Germany wanted`), so much more must speak for one.
            sum.person > 3 * sum.place
        } else if doubtful && (local.person - local.place).abs() >= ENOUGH {
            local.person > local.place
        } else if enough == STRANGE && more - fewer < DECISIVE {
            !self.inclined_to_places
        } else {
            sum.person >= sum.place
        };
        if person {
            return (sum.person >= enough).then_some(EntityKind::Person);
        }
        let kind = entry.place.or(entry.alone).or(entry.head);
        (sum.place >= enough_for_place).then(|| kind.unwrap_or(EntityKind::Gpe))
    }

    fn several(&self, reading: Reading<'_>, candidate: &Candidate) -> Option<EntityKind> {
        let record = self
            .phrases
            .get(&key(reading, candidate))
            .copied()
            .unwrap_or_default();
        if candidate.kind.is_some() {
            let person = candidate.kind == Some(EntityKind::Person);
            let certain = record.informative || candidate.listed || person;
            return candidate.kind.filter(|_| certain);
        }
        if !record.informative || self.census.noun_capitals {
            return None;
        }
        // `Hugh Vereker` and then `Vereker`: the last word's mentions count too.
        let part = self
            .census
            .number(candidate.last)
            .and_then(|at| self.words.get(at))
            .map_or(Points::default(), |record| record.points);
        let sum = record.points.plus(part);
        let first = self.census.entry(candidate.first)?;
        if matches!(first.name.as_str(), "St" | "Saint" | "Ste" | "Sainte") {
            return Some(if record.points.place > record.points.person {
                EntityKind::Gpe
            } else {
                EntityKind::Person
            });
        }
        let words = || (candidate.first..=candidate.last).filter_map(|at| self.census.entry(at));
        let named = |entry: &Entry| entry.strange || entry.given || entry.surname;
        let (sum, enough) = if words().all(named) {
            (sum, 0)
        } else if words().any(|entry| named(entry) || entry.place.is_some()) {
            (sum, ENOUGH)
        } else {
            // `Universal Suffrage`: the words alone say nothing, however often they stand.
            (record.points, PLENTY.max(PER_MENTION * record.mentions))
        };
        if sum.person.max(sum.place) < enough {
            return None;
        }
        Some(if sum.person >= sum.place {
            EntityKind::Person
        } else {
            EntityKind::Gpe
        })
    }
}

/// How much must speak for a person and for a place. Less for a word that is in no dictionary and behaves
/// as a name; for one that is in it more than a word beside one of its mentions.
fn needed(entry: &Entry, record: Record, listed: bool) -> (i64, i64) {
    let strange = entry.strange
        && entry.lower == 0
        && entry.before_noun * 3 <= entry.middle
        && entry.foreign * 2 < entry.middle;
    if listed {
        (ENOUGH, ENOUGH_FOR_PLACE)
    } else if strange {
        (STRANGE, STRANGE_PLACE)
    } else if !entry.known || entry.alone.is_some() {
        (ENOUGH, ENOUGH_FOR_PLACE)
    } else {
        let most = PLENTY.max(PER_MENTION * record.mentions);
        (most, most.min(2 * PLENTY))
    }
}

/// Whether a name ends as those of towns do.
fn has_town_ending(name: &str) -> bool {
    [
        "burg", "burgh", "bury", "chester", "grad", "minster", "mouth", "polis", "port", "shire",
        "stadt", "town", "ville", "wich",
    ]
    .iter()
    .any(|ending| name.len() > ending.len() + 2 && name.ends_with(ending))
}

/// Whether a name ends as those of doctrines and their followers do.
fn has_abstract_ending(name: &str) -> bool {
    ["ism", "ist", "ists", "ian", "ians", "ean", "eans", "ites"]
        .iter()
        .any(|ending| name.len() > ending.len() + 2 && name.ends_with(ending))
}

/// Whether a capital in it says something.
fn is_informative(reading: Reading<'_>, candidate: &Candidate) -> bool {
    reading.tokens[candidate.first..=candidate.last]
        .iter()
        .any(|token| token.is_capital() && !token.start)
}

/// A name's letters, the same for all its spellings.
fn key(reading: Reading<'_>, candidate: &Candidate) -> String {
    let words: Vec<String> = reading.tokens[candidate.first..=candidate.last]
        .iter()
        .map(|token| token.span.of(reading.text).to_lowercase())
        .collect();
    words.join(" ")
}
