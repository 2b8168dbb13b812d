//! What every manipulation keeps to, on random and on hostile texts.

mod fixed;
mod whole;

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use proptest::prelude::*;

use super::anachronism::anachronism;
use super::density::{Density, region_characters};
use super::donor::Donor;
use super::edit::{Change, Edit, NotApplicable, apply};
use super::exchange::exchange;
use super::insert::insert;
use super::punctuation::{Marks, marks, remove_punctuation};
use super::remove::remove;
use super::repeat::repeat;
use super::statements::modern;
use super::swap::swap;
use super::typos::typos;
use super::word_order::{Shuffle, word_order};
use super::word_removal::remove_words;
use super::words::whole_words;
use super::{Layer, Manipulation};
use crate::base::draw::Draw;
use crate::language::manipulate::testing::{paragraphs, sentences};
use crate::language::text::Span;

/// Every manipulation, by its number in the thesis.
const ALL: [u8; 10] = [11, 12, 13, 14, 17, 24, 41, 43, 44, 45];

/// What random texts are put together from.
const PIECES: [&str; 26] = [
    "\n\n",
    "\n\n\n",
    "\n",
    "\r\n\r\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "\t",
    "\u{a0}",
    "word",
    "He came, very late, home. ",
    "“Who is it?” ",
    "* * *",
    "CHAPTER I",
    "é",
    "e\u{301}",
    "👩\u{200d}🚀",
    "…",
    "—",
    "\u{feff}",
    "\0",
    "漢字。",
    "(",
    ")",
    "Mr. ",
];

fn random_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES.as_slice()), 0..60)
        .prop_map(|pieces| pieces.concat())
}

/// What is asked of a manipulation besides the text.
#[derive(Clone, Copy, Debug)]
struct Ask {
    operations: usize,
    density: Density,
    shuffle: Shuffle,
    marks: Marks,
    seed: u64,
}

fn ask() -> impl Strategy<Value = Ask> {
    (
        0usize..9,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<u64>(),
    )
        .prop_map(|(operations, dense, whole, typographic, seed)| Ask {
            operations,
            density: if dense {
                Density::Dense
            } else {
                Density::Widespread
            },
            shuffle: if whole {
                Shuffle::Sentence
            } else {
                Shuffle::Pair
            },
            marks: if typographic {
                Marks::Typographic
            } else {
                Marks::Ascii
            },
            seed,
        })
}

fn donors() -> Vec<Donor<'static>> {
    ["d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"]
        .into_iter()
        .map(|id| Donor {
            id,
            units: &[
                "One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven.", "Eight.",
            ],
        })
        .collect()
}

fn manipulate(number: u8, text: &str, ask: Ask) -> Result<Vec<Change>, NotApplicable> {
    let Ask {
        operations,
        density,
        ..
    } = ask;
    let draw = &mut Draw::new(ask.seed, &["document"]);
    let units = paragraphs(text);
    match number {
        11 => swap(text, &units, operations, draw),
        12 => remove(text, &units, operations, draw),
        13 => insert(text, &units, operations, donors()[0], draw),
        14 => repeat(text, &units, operations, NonZeroU8::MIN, draw),
        17 => {
            let seeded = |donor: &str| Draw::new(ask.seed, &["document", donor]);
            exchange(text, &units, operations, &donors(), seeded, draw)
        }
        24 => anachronism(text, &units, operations, &modern(), draw),
        41 => typos(text, operations, density, draw),
        43 => word_order(
            text,
            &sentences(text, &units),
            operations,
            ask.shuffle,
            density,
            draw,
        ),
        44 => remove_punctuation(text, &marks(text, ask.marks), operations, density, draw),
        _ => remove_words(text, operations, density, draw),
    }
}

/// The text after the manipulation and its edits, where it applies.
fn manipulated(number: u8, text: &str, ask: Ask) -> Option<(String, Vec<Edit>)> {
    let changes = manipulate(number, text, ask).ok()?;
    Some(apply(text, changes).unwrap())
}

/// Checks what holds for every manipulation.
fn check_edits(number: u8, text: &str, ask: Ask) {
    let Some((result, edits)) = manipulated(number, text, ask) else {
        return;
    };
    let both = (text, result.as_str());
    let layer = Layer::new(Manipulation::Typos, ask.operations, edits.clone(), both).unwrap();
    assert_eq!(layer.undo(&result).unwrap(), text, "[{number}]");
    assert_eq!(
        manipulated(number, text, ask),
        Some((result.clone(), edits.clone())),
        "[{number}]"
    );
    let mut operations: Vec<usize> = edits.iter().map(|edit| edit.operation).collect();
    operations.sort_unstable();
    operations.dedup();
    assert_eq!(
        operations,
        (0..ask.operations).collect::<Vec<_>>(),
        "[{number}]"
    );
    assert!(
        edits.iter().all(|edit| edit.original != edit.new),
        "[{number}]"
    );
    let (mut before, mut after) = (0, 0);
    for edit in &edits {
        assert_eq!(
            text[before..edit.before.start],
            result[after..edit.after.start],
            "[{number}]"
        );
        (before, after) = (edit.before.end, edit.after.end);
    }
    assert_eq!(text[before..], result[after..], "[{number}]");
}

/// The texts of the paragraphs.
fn blocks(text: &str) -> Vec<&str> {
    paragraphs(text).iter().map(|span| span.of(text)).collect()
}

/// How often each thing is there.
fn counted<T: Ord>(things: impl IntoIterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}

/// The longest run of line feeds.
fn tallest_gap(text: &str) -> usize {
    text.split(|letter| letter != '\n')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

/// Whether the shorter row is the longer one with things left out.
fn is_part<T: PartialEq>(part: &[T], whole: &[T]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|thing| whole.any(|other| other == thing))
}

fn word_texts(text: &str, within: Span) -> Vec<String> {
    whole_words(text, within)
        .iter()
        .map(|word| word.of(text).to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn edits_are_disjoint_recorded_and_can_be_taken_back(text in random_text(), ask in ask()) {
        for number in ALL {
            check_edits(number, &text, ask);
        }
    }

    #[test]
    fn units_are_moved_removed_and_added_whole(text in random_text(), ask in ask()) {
        let before = blocks(&text);
        if let Some((result, _)) = manipulated(11, &text, ask) {
            let after = blocks(&result);
            let moved = before.iter().zip(&after).filter(|(one, other)| one != other).count();
            prop_assert_eq!(moved, 2 * ask.operations);
            prop_assert_eq!(counted(&after), counted(&before));
        }
        if let Some((result, _)) = manipulated(12, &text, ask) {
            let after = blocks(&result);
            prop_assert_eq!(after.len() + ask.operations, before.len());
            prop_assert!(is_part(&after, &before));
            prop_assert!(tallest_gap(&result) <= tallest_gap(&text));
        }
        for number in [13, 14] {
            if let Some((result, _)) = manipulated(number, &text, ask) {
                let after = blocks(&result);
                prop_assert_eq!(after.len(), before.len() + ask.operations);
                prop_assert!(is_part(&before, &after));
            }
        }
        if let Some((result, edits)) = manipulated(17, &text, ask) {
            prop_assert_eq!(blocks(&result).len(), before.len());
            prop_assert!(edits.iter().all(|edit| before.contains(&edit.original.as_str())));
            prop_assert_eq!(counted(edits.iter().map(|edit| &edit.source)).len(), edits.len());
        }
        if let Some((result, _)) = manipulated(24, &text, ask) {
            let after = blocks(&result);
            prop_assert_eq!(after.len(), before.len());
            let longer = before.iter().zip(&after).filter(|(one, other)| one.len() < other.len());
            prop_assert_eq!(longer.count(), ask.operations);
        }
    }

    #[test]
    fn typos_replace_letters_by_letters(text in random_text(), ask in ask()) {
        if let Some((result, edits)) = manipulated(41, &text, ask) {
            prop_assert_eq!(result.len(), text.len());
            let one_letter = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
            prop_assert!(edits.iter().all(|edit| one_letter(&edit.original) && one_letter(&edit.new)));
            if ask.density == Density::Dense && ask.operations > 0 {
                let stretch = edits[0].before.start..edits[edits.len() - 1].before.end;
                let letters = text[stretch.clone()].chars().count();
                let neighbours = text[stretch].matches(|letter: char| letter.is_ascii_alphabetic()).count();
                prop_assert!(letters <= region_characters(ask.operations) || neighbours == edits.len());
            }
        }
    }

    #[test]
    fn sentences_keep_their_words_and_their_punctuation(text in random_text(), ask in ask()) {
        if let Some((result, edits)) = manipulated(43, &text, ask) {
            let mut changed = 0;
            for sentence in sentences(&text, &paragraphs(&text)) {
                // A sentence keeps its words, so its length, so its place.
                let (before, after) = (word_texts(&text, sentence), word_texts(&result, sentence));
                prop_assert_eq!(counted(&before), counted(&after));
                prop_assert_eq!((before.first(), before.last()), (after.first(), after.last()));
                changed += usize::from(before.concat().to_lowercase() != after.concat().to_lowercase());
            }
            prop_assert!(changed <= ask.operations);
            prop_assert!(edits.iter().all(|edit| !edit.new.contains(char::is_whitespace)));
        }
    }

    #[test]
    fn removed_marks_and_words_leave_the_rest(text in random_text(), ask in ask()) {
        if let Some((result, edits)) = manipulated(44, &text, ask) {
            let punctuation = |letter: char| letter.is_ascii_punctuation() || "“”…—。".contains(letter);
            prop_assert!(edits.iter().all(|edit| edit.original.chars().all(punctuation)));
            prop_assert_eq!(result.chars().count() + ask.operations, text.chars().count());
        }
        if let Some((result, _)) = manipulated(45, &text, ask) {
            let before: Vec<&str> = text.split_whitespace().collect();
            let after: Vec<&str> = result.split_whitespace().collect();
            prop_assert_eq!(after.len() + ask.operations, before.len());
            prop_assert!(is_part(&after, &before));
            prop_assert!(result.matches("  ").count() <= text.matches("  ").count());
            prop_assert!(tallest_gap(&result) <= tallest_gap(&text));
        }
    }
}
