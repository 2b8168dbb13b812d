//! Every manipulation over the gold texts at both lengths: as many operations as its equation says of what is counted here,
//! seen in the text and not only in the record; a refusal only where there is too little, with the number that was
//! asked for; dense edits in the span of Eq. 3.3.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use tribunal::draw::Draw;
use tribunal::manipulate::edit::undo;
use tribunal::manipulate::{
    Article, Damaged, Density, Donor, Intensity, Manipulation, Marks, Mentions, Others, Passages,
    Recipe, Refusal, Settings, Shuffle, Subject,
};
use tribunal::text::{
    Annotations, EntityKind, Scope, Span, Tag, Want, annotate, chapters, paragraphs, sections,
};

use super::corpus::nearest;
use super::data::{Data, or_skip};
use super::published::documents;

const PLACES: [EntityKind; 4] = [
    EntityKind::Org,
    EntityKind::Gpe,
    EntityKind::Loc,
    EntityKind::Fac,
];

/// Python's `string.punctuation`.
const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// The intensities that are tried: a count, a percentage, a range of percentages, so many per thousand tokens.
const INTENSITIES: [Intensity; 4] = [
    Intensity::Count(3),
    Intensity::Percent { start: 7, end: 7 },
    Intensity::Percent { start: 4, end: 9 },
    Intensity::PerThousand {
        per_thousand: 1.5,
        bias: 2,
    },
];

struct Text {
    id: String,
    length: String,
    text: String,
    annotations: Annotations,
}

/// The gold texts at both lengths, as published.
fn texts(data: &Data) -> Vec<Text> {
    let mut gold = documents(data);
    gold.retain(|document| document.task == "gold");
    assert_eq!(gold.len(), 130);
    let want = Want {
        sentences: true,
        words: true,
        entities: true,
    };
    gold.into_par_iter()
        .map(|document| Text {
            annotations: annotate(&document.text, want).unwrap(),
            id: document.id,
            length: document.length,
            text: document.text,
        })
        .collect()
}

impl Text {
    fn tokens(&self) -> usize {
        self.text.split_whitespace().count()
    }

    /// The passages of a scope, with their length in characters where that is asked for; none where the text has no
    /// reliable chapters.
    fn passages(&self, scope: Scope) -> Option<Vec<Span>> {
        Some(match scope {
            Scope::Paragraph => {
                let mut found = paragraphs(&self.text);
                found.retain(|it| !it.heading && it.span.of(&self.text).chars().count() >= 50);
                found.into_iter().map(|it| it.span).collect()
            }
            Scope::Section => sections(&self.text, 3000),
            Scope::Chapter => chapters(&self.text).ok()?,
        })
    }

    fn mentions(&self, kinds: &[EntityKind]) -> usize {
        let entities = self.annotations.entities.iter();
        entities
            .filter(|entity| kinds.contains(&entity.kind))
            .count()
    }

    /// Mentions of persons that are one word and no abbreviation, and whether there are any about which one may differ.
    fn persons(&self) -> (Vec<&str>, bool) {
        let one_word = |entity: &&tribunal::text::Entity| {
            entity.kind == EntityKind::Person
                && !entity.span.of(&self.text).contains(char::is_whitespace)
        };
        let all: Vec<Span> = self
            .annotations
            .entities
            .iter()
            .filter(one_word)
            .map(|entity| entity.span)
            .collect();
        let doubtful = all.iter().any(|span| {
            let name = span.of(&self.text);
            name.contains('.') || name.chars().count() < 4 || self.text[span.end..].starts_with('.')
        });
        (
            all.into_iter().map(|span| span.of(&self.text)).collect(),
            doubtful,
        )
    }

    /// What an intensity is counted on, by definition (Eq. 3.2, 3.12, 3.15, 3.18, 3.20, A.4); none where nobody can say
    /// it but the manipulation, or where there is nothing to count on.
    fn pool(&self, manipulation: Manipulation, scope: Scope) -> Option<usize> {
        Some(match manipulation {
            Manipulation::TemporalInconsistencies => self.passages(Scope::Paragraph)?.len(),
            Manipulation::SwapEntities => match self.persons() {
                (_, true) => return None,
                (names, false) => {
                    let cased = names
                        .into_iter()
                        .filter(|name| name.contains(char::is_lowercase));
                    cased.collect::<BTreeSet<_>>().len()
                }
            },
            Manipulation::ExchangeEntities => match self.persons() {
                (_, true) => return None,
                (names, false) => names
                    .into_iter()
                    .filter(|name| name.starts_with(char::is_uppercase))
                    .count(),
            },
            Manipulation::EntityToPronoun | Manipulation::EntityToTerm => self.mentions(&PLACES),
            Manipulation::Typos | Manipulation::WordRemoval => self.tokens(),
            Manipulation::VerbTenses => {
                let is_verb = |tag| {
                    matches!(
                        tag,
                        Tag::Vb | Tag::Vbd | Tag::Vbg | Tag::Vbn | Tag::Vbp | Tag::Vbz | Tag::Md
                    )
                };
                self.annotations
                    .words
                    .iter()
                    .filter(|word| is_verb(word.tag))
                    .count()
            }
            Manipulation::WordOrder => self.annotations.sentences.len(),
            Manipulation::PunctuationRemoval => self
                .text
                .chars()
                .filter(|letter| PUNCTUATION.contains(*letter))
                .count(),
            _ => self.passages(scope)?.len(),
        })
    }

    /// All that the equation allows: of a range of percentages, every one gives a number.
    fn asked_for(&self, intensity: Intensity, pool: usize) -> BTreeSet<usize> {
        match intensity {
            Intensity::Count(count) => [count].into(),
            Intensity::Percent { start, end } => (start..=end)
                .map(|percent| nearest(percent as usize * pool, 100))
                .collect(),
            // The one above: 1.5 per thousand and 2.
            Intensity::PerThousand { .. } => [nearest(3 * self.tokens() + 4000, 2000)].into(),
        }
    }
}

/// What is tried: each manipulation of Table A.3 at each of its scopes or densities.
fn variants() -> Vec<(Manipulation, Scope, Density)> {
    let mut all = Vec::new();
    for manipulation in Manipulation::ALL {
        match manipulation.number() {
            None => {}
            Some(11 | 12 | 13 | 14 | 17) => {
                for scope in [Scope::Paragraph, Scope::Section, Scope::Chapter] {
                    all.push((manipulation, scope, Density::Widespread));
                }
            }
            Some(41..=45) => {
                for density in [Density::Widespread, Density::Dense] {
                    all.push((manipulation, Scope::Paragraph, density));
                }
            }
            Some(_) => all.push((manipulation, Scope::Paragraph, Density::Widespread)),
        }
    }
    assert_eq!(all.len(), 15 + 10 + 5);
    all
}

fn recipe(
    (manipulation, scope, density): (Manipulation, Scope, Density),
    intensity: Intensity,
) -> Recipe {
    let settings = match manipulation {
        Manipulation::TemporalInconsistencies => Settings::Statements {
            min_characters: 50,
            statements: None,
        },
        Manipulation::SwapEntities => Settings::Swap {
            kinds: vec![EntityKind::Person],
            mentions: Mentions::All,
        },
        Manipulation::ExchangeEntities => Settings::Entities {
            kinds: vec![EntityKind::Person],
        },
        Manipulation::EntityToPronoun => Settings::Entities {
            kinds: PLACES.to_vec(),
        },
        Manipulation::EntityToTerm => Settings::Terms {
            kinds: PLACES.to_vec(),
            terms: vec!["thing".to_owned(), "stuff".to_owned()],
            article: Article::Either,
        },
        Manipulation::Typos | Manipulation::VerbTenses | Manipulation::WordRemoval => {
            Settings::Letters { density }
        }
        Manipulation::WordOrder => Settings::WordOrder {
            density,
            shuffle: Shuffle::Pair,
        },
        Manipulation::PunctuationRemoval => Settings::Punctuation {
            density,
            marks: Marks::Ascii,
        },
        _ => Settings::Passages(Passages {
            scope,
            min_characters: scope.default_chars(),
            times: 1,
        }),
    };
    Recipe {
        manipulation,
        intensity: Some(intensity),
        settings,
    }
}

/// The whole texts' passages of every scope, as donors.
fn donors(texts: &[Text], scope: Scope) -> Vec<(&str, Vec<&str>)> {
    let whole = texts.iter().filter(|text| text.length == "full");
    let passages = |text: &'_ Text| text.passages(scope).unwrap_or_default();
    whole
        .map(|text| {
            (
                text.id.as_str(),
                passages(text)
                    .into_iter()
                    .map(|span| span.of(&text.text))
                    .collect(),
            )
        })
        .collect()
}

fn perform(recipe: &Recipe, text: &Text, donors: &[(&str, Vec<&str>)]) -> Result<Damaged, String> {
    let others = if recipe.needs_donors() {
        Others::Passages(
            donors
                .iter()
                .map(|(id, units)| Donor { id, units })
                .collect(),
        )
    } else {
        Others::Nothing
    };
    let subject = Subject {
        id: &text.id,
        text: &text.text,
        annotations: &text.annotations,
        tokens: text.tokens(),
        whole: None,
        others: &others,
    };
    let seeded = |parts: &[&str]| {
        Draw::new(
            11,
            &[&[text.id.as_str(), text.length.as_str()], parts].concat(),
        )
    };
    recipe
        .perform(&subject, &seeded)
        .map_err(|refusal| match refusal {
            Refusal::NotApplicable(why) => why.to_string(),
            Refusal::Broken(why) => panic!("{why}"),
        })
}

/// How many operations can be seen by comparing the two texts, or in what was replaced where that tells more.
fn seen(manipulation: Manipulation, text: &Text, damaged: &Damaged) -> usize {
    let (before, after, edits) = (&text.text, &damaged.text, &damaged.edits);
    let lost = |count: fn(&str) -> usize| count(before) - count(after);
    let all = |holds: bool| {
        assert!(holds, "{} {}: {edits:?}", text.id, text.length);
        edits.len()
    };
    match manipulation {
        // Every passage that left a place stands in another.
        Manipulation::SwapContent => {
            let gone: BTreeSet<&str> = edits
                .iter()
                .map(|edit| edit.original.trim_start())
                .collect();
            let come: BTreeSet<&str> = edits.iter().map(|edit| edit.new.trim_start()).collect();
            all(gone == come) / 2
        }
        Manipulation::RemoveContent => all(edits.iter().all(|edit| edit.new.is_empty())),
        Manipulation::InsertContent => {
            let sources: BTreeSet<_> = edits.iter().map(|edit| &edit.source).collect();
            let inserted = edits.iter().all(|edit| edit.original.is_empty());
            all(inserted
                && sources.len() == edits.len().min(1)
                && !sources.contains(&Some(text.id.clone())))
        }
        Manipulation::RepeatContent => all(edits.iter().all(|edit| {
            edit.original.is_empty() && before[..edit.before.end].ends_with(edit.new.trim_start())
        })),
        Manipulation::ExchangeContent => {
            let sources: BTreeSet<_> = edits.iter().map(|edit| &edit.source).collect();
            all(sources.len() == edits.len() && !sources.contains(&Some(text.id.clone())))
        }
        Manipulation::SwapEntities => {
            let map: BTreeMap<&str, &str> = edits
                .iter()
                .map(|edit| (edit.original.as_str(), edit.new.as_str()))
                .collect();
            // One circle: whoever follows the names comes round after all of them.
            let first = *map.keys().next().unwrap();
            let (mut name, mut steps) = (map[first], 1);
            while name != first {
                (name, steps) = (map[name], steps + 1);
            }
            assert_eq!(steps, map.len(), "{map:?}");
            steps
        }
        Manipulation::ExchangeEntities => {
            let new: BTreeSet<_> = edits.iter().map(|edit| edit.new.as_str()).collect();
            let known: BTreeSet<&str> = before
                .split(|letter: char| !letter.is_alphabetic())
                .collect();
            all(new.len() == edits.len() && new.is_disjoint(&known))
        }
        Manipulation::TemporalInconsistencies => {
            let pairs = paragraphs(before).into_iter().zip(paragraphs(after));
            pairs
                .filter(|(one, other)| one.span.of(before) != other.span.of(after))
                .count()
        }
        Manipulation::EntityToPronoun => all(edits
            .iter()
            .all(|edit| matches!(edit.new.as_str(), "it" | "It" | "its" | "Its"))),
        Manipulation::EntityToTerm => all(edits.iter().all(|edit| {
            ["thing", "things", "stuff"]
                .iter()
                .any(|term| edit.new.to_lowercase().ends_with(term))
        })),
        Manipulation::Typos => {
            let pairs = before
                .chars()
                .zip(after.chars())
                .filter(|(one, other)| one != other);
            let letters = |letter: char| letter.is_ascii_alphabetic();
            pairs
                .inspect(|(one, other)| {
                    assert!(letters(*one) && letters(*other));
                    assert_eq!(one.is_uppercase(), other.is_uppercase());
                })
                .count()
        }
        Manipulation::VerbTenses => all(edits.iter().all(|edit| edit.original != edit.new)),
        Manipulation::WordOrder => {
            assert_eq!(before.len(), after.len());
            let sentences = &text.annotations.sentences;
            sentences
                .iter()
                .filter(|sentence| sentence.of(before) != sentence.of(after))
                .count()
        }
        Manipulation::PunctuationRemoval => lost(|text| text.chars().count()),
        _ => lost(|text| text.split_whitespace().count()),
    }
}

/// At least as many as could be changed: what would have had to be too few for a refusal to be right.
fn enough(manipulation: Manipulation, text: &Text, scope: Scope, pool: usize) -> usize {
    match manipulation {
        Manipulation::SwapContent => {
            let passages = text.passages(scope).unwrap_or_default();
            let different: BTreeSet<&str> =
                passages.iter().map(|span| span.of(&text.text)).collect();
            different.len() / 2
        }
        // The last passage may be all there is.
        Manipulation::RemoveContent => pool.saturating_sub(1),
        Manipulation::TemporalInconsistencies => {
            let passages = text.passages(Scope::Paragraph).unwrap_or_default();
            let closed = |span: &&Span| {
                span.of(&text.text)
                    .ends_with(|end: char| ".!?".contains(end))
            };
            passages.iter().filter(closed).count()
        }
        Manipulation::VerbTenses => {
            let known = |word: &&tribunal::text::Word| matches!(word.tag, Tag::Vbz);
            text.annotations.words.iter().filter(known).count()
        }
        Manipulation::WordOrder => {
            let long = |span: &&Span| {
                let words = span
                    .of(&text.text)
                    .split_whitespace()
                    .filter(|word| word.len() > 3);
                words.map(str::to_lowercase).collect::<BTreeSet<_>>().len() > 5
            };
            let headings: Vec<Span> = paragraphs(&text.text)
                .into_iter()
                .filter(|it| it.heading)
                .map(|it| it.span)
                .collect();
            let prose = |span: &&Span| !headings.iter().any(|heading| heading.contains(**span));
            text.annotations
                .sentences
                .iter()
                .filter(long)
                .filter(prose)
                .count()
        }
        _ => pool,
    }
}

#[test]
fn every_manipulation_makes_as_many_operations_as_its_equation_says_or_says_what_is_lacking() {
    let Some(data) = or_skip() else { return };
    let texts = texts(&data);
    let donors: BTreeMap<Scope, _> = [Scope::Paragraph, Scope::Section, Scope::Chapter]
        .map(|scope| (scope, donors(&texts, scope)))
        .into();
    let tries: Vec<(usize, usize)> = (0..texts.len())
        .flat_map(|text| (0..30).map(move |at| (text, at)))
        .collect();
    let done: Vec<(Manipulation, usize, bool)> = tries
        .into_par_iter()
        .map(|(at, variant)| {
            let (text, tried) = (&texts[at], variants()[variant]);
            // Every variant meets every intensity, at both lengths.
            let which = (at / 2 + variant) % INTENSITIES.len();
            let (manipulation, scope, _) = tried;
            let recipe = recipe(tried, INTENSITIES[which]);
            let context = format!("{} {} {recipe:?}", text.id, text.length);
            let pool = text.pool(manipulation, scope);
            match perform(&recipe, text, &donors[&scope]) {
                Ok(damaged) => {
                    let pool = pool.unwrap_or(damaged.candidates);
                    assert_eq!(damaged.candidates, pool, "{context}");
                    let two = matches!(
                        manipulation,
                        Manipulation::SwapEntities | Manipulation::ExchangeEntities
                    );
                    let asked: BTreeSet<usize> = text
                        .asked_for(INTENSITIES[which], pool)
                        .into_iter()
                        .map(|n| if two { n.max(2) } else { n })
                        .collect();
                    assert!(
                        asked.contains(&damaged.operations),
                        "{context}: {} of {asked:?}",
                        damaged.operations
                    );
                    assert_eq!(
                        seen(manipulation, text, &damaged),
                        damaged.operations,
                        "{context}"
                    );
                    let recorded: BTreeSet<usize> =
                        damaged.edits.iter().map(|edit| edit.operation).collect();
                    assert!(recorded.into_iter().eq(0..damaged.operations), "{context}");
                    assert!(
                        undo(&damaged.text, &damaged.edits).unwrap() == text.text,
                        "{context}"
                    );
                    (manipulation, which, true)
                }
                Err(why) => {
                    let Some(pool) = pool.filter(|_| !why.contains("no reliable chapters")) else {
                        assert!(
                            pool.is_none() || why.contains("chapters"),
                            "{context}: {why}"
                        );
                        return (manipulation, which, false);
                    };
                    let asked = text.asked_for(INTENSITIES[which], pool);
                    let least = *asked.iter().next().unwrap();
                    let most = asked.into_iter().max().unwrap().max(2);
                    assert!(
                        (least..=most).any(|n| why.contains(&n.to_string()))
                            && why.contains("there ")
                            || why.contains("no other document"),
                        "{context}: {why}"
                    );
                    let donated = donors[&scope]
                        .iter()
                        .filter(|(id, _)| *id != text.id)
                        .map(|(_, units)| units.len());
                    let enough = match manipulation {
                        Manipulation::InsertContent => donated.max().unwrap_or(0).min(pool + 1),
                        Manipulation::ExchangeContent => {
                            donated.filter(|n| *n > 0).count().min(pool)
                        }
                        _ => enough(manipulation, text, scope, pool),
                    };
                    assert!(most > enough, "{context}: {why}, and there are {enough}");
                    (manipulation, which, false)
                }
            }
        })
        .collect();
    for manipulation in Manipulation::ALL
        .into_iter()
        .filter(|one| one.number().is_some())
    {
        for which in 0..INTENSITIES.len() {
            let made = done
                .iter()
                .filter(|one| **one == (manipulation, which, true))
                .count();
            assert!(
                made >= 12,
                "{manipulation} {:?}: {made}",
                INTENSITIES[which]
            );
        }
    }
    let refused = done.iter().filter(|(_, _, made)| !made).count();
    assert!(
        refused > 100 && refused < done.len() / 3,
        "{refused} of {}",
        done.len()
    );
}

/// Where a manipulation could change something: what it changes when it is asked for as much as there is.
fn candidates(manipulation: Manipulation, text: &Text) -> Vec<Span> {
    let variant = (manipulation, Scope::Paragraph, Density::Widespread);
    let why = perform(&recipe(variant, Intensity::Count(1_000_000)), text, &[]).unwrap_err();
    let number: String = why.rsplit(' ').next().unwrap().to_owned();
    let all = perform(
        &recipe(variant, Intensity::Count(number.parse().unwrap())),
        text,
        &[],
    )
    .unwrap();
    let mut places: BTreeMap<usize, Span> = BTreeMap::new();
    for edit in all.edits {
        let place = places.entry(edit.operation).or_insert(edit.before);
        place.end = place.end.max(edit.before.end);
    }
    places.into_values().collect()
}

#[test]
fn dense_edits_lie_in_the_span_of_equation_3_3() {
    let Some(data) = or_skip() else { return };
    let texts = texts(&data);
    let numbers = [41, 42, 43, 44, 45];
    let tries: Vec<(usize, u8)> = (0..texts.len())
        .flat_map(|text| numbers.map(|number| (text, number)))
        .collect();
    let widened: Vec<(u8, bool)> = tries
        .into_par_iter()
        .filter_map(|(at, number)| {
            let text = &texts[at];
            let manipulation = Manipulation::find(&number.to_string()).unwrap();
            let percent = if number < 42 { 2 } else { 5 };
            let intensity = Intensity::Percent {
                start: percent,
                end: percent,
            };
            let recipe = recipe((manipulation, Scope::Paragraph, Density::Dense), intensity);
            let damaged = perform(&recipe, text, &[]).unwrap();
            let context = format!("{} {} [{number}]", text.id, text.length);
            let (n, edits) = (damaged.operations, &damaged.edits);
            let (first, last) = (edits.first()?.before.start, edits.last()?.before.end);
            if let 42 | 43 = number {
                // A window of whole sentences with 2.5 times as many that could be changed: without its last sentence
                // with one, there are fewer.
                let all = candidates(manipulation, text);
                let within = all
                    .iter()
                    .filter(|place| place.start >= first && place.end <= last);
                let sentences = &text.annotations.sentences;
                let close = sentences
                    .iter()
                    .filter(|sentence| sentence.start < last)
                    .next_back()
                    .unwrap();
                let without = within.filter(|place| place.end <= close.start).count();
                assert!(2 * without < 5 * n, "{context}: {without} for {n}");
                return None;
            }
            // n · 5 · 2.5 characters. A removed word takes a blank beside it along, which is not of the region.
            let span = text.text[first..last].trim().chars().count();
            let fits = 2 * span <= 25 * n + 1;
            let letters = |letter: char| match number {
                41 => letter.is_ascii_alphabetic(),
                _ => PUNCTUATION.contains(letter),
            };
            let neighbours = text.text[first..last]
                .chars()
                .filter(|letter| letters(*letter))
                .count()
                == n;
            assert!(
                fits || number != 45 && neighbours,
                "{context}: {span} characters for {n}"
            );
            Some((number, !fits))
        })
        .collect();
    let count = |number, wide| widened.iter().filter(|one| **one == (number, wide)).count();
    // Letters and words are everywhere; marks are so rare that the region nearly always has to be longer.
    assert_eq!((count(41, false), count(41, true)), (130, 0));
    assert_eq!((count(45, false), count(45, true)), (130, 0));
    assert!(count(44, true) > 100, "{}", count(44, true));
}
