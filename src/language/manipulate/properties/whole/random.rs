//! Random documents and random recipes.

use proptest::prelude::*;
use proptest::sample::select;

use crate::language::manipulate::anachronism::TemporalInconsistencies;
use crate::language::manipulate::entities::{EntityToTerm, SwapEntities};
use crate::language::manipulate::punctuation::PunctuationRemoval;
use crate::language::manipulate::repeat::RepeatContent;
use crate::language::manipulate::word_order::WordOrder;
use crate::language::manipulate::{
    Article, Density, Entities, Hay, Intensity, Letters, Manipulation, Marks, Mentions,
    NeedlePlace, NegationAfter, Passages, Recipe, Settings, Shuffle, Takes,
};
use crate::language::text::{EntityKind, Scope};

/// Whether it changes one sentence among others that are counted off around it.
pub(super) fn is_needle(manipulation: Manipulation) -> bool {
    manipulation.about().takes == Takes::Hay
}

const PIECES: [&str; 30] = [
    "\n\n",
    "\n\n",
    "\r\n\r\n",
    "\n \n\n",
    "\n",
    "\r\n",
    " ",
    "\u{a0}",
    "\u{feff}",
    "CHAPTER I\n\n",
    "CHAPTER II\n\n",
    "CHAPTER III\n\n",
    "Anna came to London in the spring. ",
    "“I walked from Paris,” she said, and Thomas or Clara wept. ",
    "He has gone; they were late — and cold.\n",
    "On Friday Mr. Bell wrote to the Thames Company.\r\n",
    "THE RIVER AND THE SEA WERE OLD. ",
    "    A verse walks alone,\n    and sings or sleeps.\n\n",
    "Zoë's café in Köln isn't open. ",
    "Can't you see? ",
    "Not one of us knew where Rome was. ",
    "(It rained all day.) ",
    "e\u{301}t\u{301}h\u{323} ",
    "👩\u{200d}🚀 ",
    "漢字を書く。",
    "…",
    "'",
    "--",
    "J. S. Mill of Bristol and George met Anna in Berlin on 3 May 1848. ",
    "It is 10,000 miles, i.e. far. ",
];

pub(super) fn document() -> impl Strategy<Value = String> {
    prop::collection::vec(select(PIECES.as_slice()), 0..30).prop_map(|pieces| pieces.concat())
}

fn intensity() -> impl Strategy<Value = Intensity> {
    prop_oneof![
        (0_usize..5).prop_map(Intensity::Count),
        (0_u32..60, 0_u32..40).prop_map(|(start, more)| Intensity::Percent {
            start,
            end: start + more
        }),
        (0_u32..50, 0_u64..4).prop_map(|(per, bias)| Intensity::PerThousand {
            per_thousand: f64::from(per),
            bias
        }),
    ]
}

/// Any recipe for a manipulation.
fn recipe(manipulation: Manipulation) -> impl Strategy<Value = Recipe> {
    let scope = select(vec![
        Scope::Paragraph,
        Scope::Paragraph,
        Scope::Section,
        Scope::Chapter,
    ]);
    let density = select(vec![Density::Widespread, Density::Dense]);
    let places = (0_usize..3, 0_usize..3, 0_usize..2, 0_usize..6);
    (
        intensity(),
        scope,
        density,
        1_usize..80,
        any::<[bool; 4]>(),
        places,
    )
        .prop_map(
            move |(
                intensity,
                scope,
                density,
                least,
                [one, two, three, four],
                (before, after, wider, reach),
            )| {
                let kinds = if one {
                    EntityKind::ALL.to_vec()
                } else {
                    EntityKind::NOT_PERSONS.to_vec()
                };
                let passages = Passages {
                    scope,
                    min_characters: least,
                    times: 1 + usize::from(three),
                };
                let letters = Letters { density };
                let place = NeedlePlace {
                    before: vec![before],
                    after: vec![after],
                    hay: if one { Hay::Random } else { Hay::Original },
                    room: before.max(after) + wider,
                    reach,
                    not_after: two.then_some(NegationAfter::Auxiliary),
                };
                let settings = match manipulation {
                    Manipulation::SwapContent => Settings::SwapContent(passages),
                    Manipulation::RemoveContent => Settings::RemoveContent(passages),
                    Manipulation::InsertContent => Settings::InsertContent(passages),
                    Manipulation::RepeatContent => Settings::RepeatContent(RepeatContent(passages)),
                    Manipulation::ExchangeContent => Settings::ExchangeContent(passages),
                    Manipulation::TemporalInconsistencies => {
                        Settings::TemporalInconsistencies(TemporalInconsistencies {
                            min_characters: least,
                            statements: None,
                        })
                    }
                    Manipulation::SwapEntities => Settings::SwapEntities(SwapEntities {
                        kinds: EntityKind::ALL.to_vec(),
                        mentions: if two { Mentions::All } else { Mentions::One },
                    }),
                    Manipulation::ExchangeEntities => {
                        Settings::ExchangeEntities(Entities { kinds })
                    }
                    Manipulation::EntityToPronoun => Settings::EntityToPronoun(Entities { kinds }),
                    Manipulation::EntityToTerm => Settings::EntityToTerm(EntityToTerm {
                        kinds,
                        terms: vec!["idea".to_owned(), "stuff".to_owned()],
                        article: [
                            [Article::Either, Article::Drawn],
                            [Article::The, Article::Bare],
                        ][usize::from(two)][usize::from(three)],
                    }),
                    Manipulation::Typos => Settings::Typos(letters),
                    Manipulation::VerbTenses => Settings::VerbTenses(letters),
                    Manipulation::WordRemoval => Settings::WordRemoval(letters),
                    Manipulation::WordOrder => {
                        let shuffle = [Shuffle::Sentence, Shuffle::Pair][usize::from(three)];
                        Settings::WordOrder(WordOrder { density, shuffle })
                    }
                    Manipulation::PunctuationRemoval => {
                        let marks = [Marks::Typographic, Marks::Ascii][usize::from(four)];
                        Settings::PunctuationRemoval(PunctuationRemoval { density, marks })
                    }
                    Manipulation::Negation => Settings::Negation(place),
                    Manipulation::ConjunctionSwap => Settings::ConjunctionSwap(place),
                    Manipulation::EntityReplacement => Settings::EntityReplacement(place),
                };
                let intensity = (!is_needle(manipulation)).then_some(intensity);
                Recipe {
                    intensity,
                    settings,
                }
            },
        )
}

/// A recipe of every manipulation.
pub(super) fn recipes() -> impl Strategy<Value = Vec<Recipe>> {
    Manipulation::ALL
        .into_iter()
        .map(recipe)
        .collect::<Vec<_>>()
}
