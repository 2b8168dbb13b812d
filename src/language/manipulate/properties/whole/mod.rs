//! All fifteen manipulations and the needles as recipes do them, on random texts as the built-in annotation reads
//! them: with other documents, and with every setting.

mod random;

use proptest::prelude::*;

use self::random::{document, is_needle, recipes};
use crate::base::draw::Draw;
use crate::language::manipulate::density::region_characters;
use crate::language::manipulate::{
    Damaged, Density, Donor, Edit, Hay, HayDonor, HayDonors, Layer, Manipulation, Others, Recipe,
    Refusal, Settings, Subject,
};
use crate::language::text::{Annotations, Span, Want, annotate, paragraphs, sentences};

fn annotated(text: &str) -> Annotations {
    let want = Want {
        sentences: true,
        words: true,
        entities: true,
    };
    annotate(text, want).unwrap()
}

/// Does what a recipe says to the document `own`, with the others as donors and with `rest` to fill up from.
fn perform(
    recipe: &Recipe,
    text: &str,
    annotations: &Annotations,
    others: &[(String, String)],
    rest: &str,
    seed: u64,
) -> Option<Damaged> {
    let spans: Vec<Vec<Span>> = others
        .iter()
        .map(|(_, text)| recipe.settings.gives(text))
        .collect();
    let units: Vec<Vec<&str>> = others
        .iter()
        .zip(&spans)
        .map(|((_, text), spans)| spans.iter().map(|span| span.of(text)).collect())
        .collect();
    let giving = if is_needle(recipe.manipulation()) {
        let hay = others.iter().zip(&spans);
        let hay = hay.map(|((id, text), sentences)| HayDonor {
            id,
            text,
            sentences,
        });
        Others::Hay(HayDonors::new(hay.collect()))
    } else {
        let donors = others.iter().zip(&units);
        Others::Passages(donors.map(|((id, _), units)| Donor { id, units }).collect())
    };
    let whole = format!("{text}{rest}");
    let subject = Subject {
        id: "own",
        text,
        annotations,
        tokens: text.split_whitespace().count(),
        whole: Some(&whole),
        others: &giving,
    };
    let seeded = |parts: &[&str]| Draw::new(seed, &[&["stage", "own"], parts].concat());
    match recipe.perform(&subject, &seeded) {
        Ok(damaged) => Some(damaged),
        Err(Refusal::NotApplicable(why)) => {
            assert!(!why.0.is_empty());
            None
        }
        Err(Refusal::Broken(why)) => panic!("{why}"),
    }
}

/// Three other documents, all of whose passages and sentences can be told apart from the document's own.
fn others() -> Vec<(String, String)> {
    (0..3)
        .map(|n| {
            let paragraph = |at: usize| {
                format!("Donor{n} says Foreign{at} at some length, so that it may be given. Foreign{at} stays.")
            };
            let text = (0..12).map(paragraph).collect::<Vec<_>>().join("\n\n");
            (format!("d{n}"), format!("CHAPTER I\n\n{text}\n\nCHAPTER II\n\n{text}"))
        })
        .collect()
}

/// What an edit of each manipulation may be.
fn is_in_scope(recipe: &Recipe, text: &str, annotations: &Annotations, edit: &Edit) -> bool {
    let (old, new) = (edit.original.as_str(), edit.new.as_str());
    let cuts = |place: usize| {
        let sentences = &annotations.sentences;
        sentences
            .iter()
            .any(|sentence| sentence.start < place && place < sentence.end)
    };
    let heading = || {
        let headings = paragraphs(text).into_iter().filter(|it| it.heading);
        headings
            .map(|it| it.span)
            .any(|heading| heading.start < edit.before.end && edit.before.start < heading.end)
    };
    let in_entity = || {
        annotations
            .entities
            .iter()
            .any(|entity| edit.before.contains(entity.span))
    };
    let one_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    match recipe.manipulation().number() {
        Some(11 | 12 | 13 | 14 | 17) => {
            !cuts(edit.before.start) && !cuts(edit.before.end) && !heading()
        }
        // A statement may stand before the bracket that closes its paragraph.
        Some(24) => old.is_empty() && new.starts_with(' ') && new.ends_with('.') && !heading(),
        Some(21 | 22) => in_entity() && one_word(old) && one_word(new),
        Some(31 | 32) => in_entity(),
        Some(41) => {
            let letter =
                |text: &str| text.len() == 1 && text.chars().all(|one| one.is_ascii_alphabetic());
            let large = |text: &str| text.chars().all(char::is_uppercase);
            letter(old) && letter(new) && large(old) == large(new)
        }
        Some(42) => {
            let verb = annotations
                .words
                .iter()
                .any(|word| word.span == edit.before && word.tag.is_verb());
            // `'m` becomes ` was`.
            verb && one_word(new.trim_start()) && !heading()
        }
        Some(43) => one_word(old) && one_word(new) && !heading(),
        Some(44) => {
            new.is_empty() && old.chars().count() == 1 && !old.contains(char::is_alphanumeric)
        }
        Some(45) => new.is_empty() && old.trim().chars().all(char::is_alphanumeric),
        _ => true,
    }
}

/// Checks one damaged text against the one before.
fn check(recipe: &Recipe, text: &str, annotations: &Annotations, damaged: &Damaged) {
    let before = damaged.unaltered.as_deref().unwrap_or(text);
    let edits = &damaged.edits;
    let (manipulation, both) = (recipe.manipulation(), (before, damaged.text.as_str()));
    let layer = Layer::new(manipulation, damaged.operations, edits.clone(), both).unwrap();
    assert_eq!(layer.undo(&damaged.text).unwrap(), before, "{recipe:?}");
    for pair in edits.windows(2) {
        assert!(
            pair[0].before.end <= pair[1].before.start,
            "{recipe:?} {pair:?}"
        );
        assert!(
            pair[0].after.end <= pair[1].after.start,
            "{recipe:?} {pair:?}"
        );
    }
    let filled = recipe.manipulation() == Manipulation::RemoveContent
        && edits.iter().any(|edit| !edit.new.is_empty());
    let mut operations: Vec<usize> = edits.iter().map(|edit| edit.operation).collect();
    operations.sort_unstable();
    operations.dedup();
    assert!(
        operations
            .into_iter()
            .eq(0..damaged.operations + usize::from(filled)),
        "{recipe:?}: {} of {edits:?}",
        damaged.operations
    );
    for edit in edits {
        assert_ne!(edit.original, edit.new, "{recipe:?}");
        assert!(
            damaged.unaltered.is_some() || is_in_scope(recipe, text, annotations, edit),
            "{recipe:?} {edit:?}"
        );
    }
    let dense = match &recipe.settings {
        Settings::Typos(letters)
        | Settings::VerbTenses(letters)
        | Settings::WordRemoval(letters) => letters.density == Density::Dense,
        Settings::PunctuationRemoval(settings) => settings.density == Density::Dense,
        _ => false,
    };
    if let (true, [first, .., last]) = (dense, edits.as_slice()) {
        let stretch = text[first.before.start..last.before.end].trim();
        let fits = stretch.chars().count() <= region_characters(damaged.operations);
        let kind = recipe.manipulation();
        let touching = match kind {
            Manipulation::Typos => stretch
                .matches(|one: char| one.is_ascii_alphabetic())
                .count(),
            Manipulation::PunctuationRemoval => {
                stretch.matches(|one: char| !one.is_alphanumeric()).count()
            }
            // Whole sentences; and words in a thin text.
            _ => 0,
        };
        assert!(
            fits || touching >= edits.len()
                || matches!(kind, Manipulation::VerbTenses | Manipulation::WordRemoval),
            "{recipe:?} {stretch:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_recipe_does_to_every_text_what_it_says_and_can_be_taken_back(
        text in document(),
        recipes in recipes(),
        seed: u64,
    ) {
        let annotations = annotated(&text);
        let others = others();
        for recipe in recipes {
            let Some(damaged) = perform(&recipe, &text, &annotations, &others, " And so on. It ends.", seed) else {
                continue;
            };
            check(&recipe, &text, &annotations, &damaged);
            // The order of the other documents, and the document's own place among them, do not matter.
            let mut turned = others.clone();
            turned.reverse();
            turned.insert(1, ("own".to_owned(), text.clone()));
            let again = perform(&recipe, &text, &annotations, &turned, " And so on. It ends.", seed);
            prop_assert_eq!(again, Some(damaged));
        }
    }

    #[test]
    fn a_needle_lies_among_whole_sentences(
        text in document(),
        recipes in recipes(),
        seed: u64,
    ) {
        let annotations = annotated(&text);
        let others = others();
        for recipe in recipes.iter().filter(|recipe| is_needle(recipe.manipulation())) {
            let Some(damaged) = perform(recipe, &text, &annotations, &others, "", seed) else { continue };
            let (Settings::Negation(place) | Settings::ConjunctionSwap(place) | Settings::EntityReplacement(place)) =
                &recipe.settings
            else {
                panic!("{recipe:?}");
            };
            let hay: Vec<String> = match place.hay {
                Hay::Original => sentences(&text).iter().map(|span| span.of(&text).to_owned()).collect(),
                Hay::Random => others
                    .iter()
                    .flat_map(|(_, text)| sentences(text).into_iter().map(|span| span.of(text).to_owned()))
                    .collect(),
            };
            let unaltered = damaged.unaltered.unwrap();
            let own: Vec<&str> = annotations.sentences.iter().map(|span| span.of(&text)).collect();
            // What stands before and after the needle is made of whole sentences, as many as were asked for.
            let found = own.iter().any(|needle| {
                unaltered.match_indices(needle).any(|(at, _)| {
                    let (before, after) = (&unaltered[..at], &unaltered[at + needle.len()..]);
                    consists_of(before.trim_end_matches(' '), &hay, place.before[0])
                        && consists_of(after.trim_start_matches(' '), &hay, place.after[0])
                })
            });
            prop_assert!(found, "{:?} in {:?}", place, unaltered);
        }
    }
}

/// Whether a text is `count` of the sentences, with single blanks between.
fn consists_of(text: &str, sentences: &[String], count: usize) -> bool {
    if count == 0 {
        return text.is_empty();
    }
    sentences.iter().any(|sentence| {
        text.strip_prefix(sentence.as_str()).is_some_and(|rest| {
            let rest = if count > 1 {
                rest.strip_prefix(' ')
            } else {
                Some(rest)
            };
            rest.is_some_and(|rest| consists_of(rest, sentences, count - 1))
        })
    })
}

/// So that the properties above say something: nearly every manipulation applies to a good part of the texts.
#[test]
fn random_texts_are_worth_trying() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut applied = [0; Manipulation::ALL.len()];
    let mut changed = [0; Manipulation::ALL.len()];
    for seed in 0..60 {
        let text = document().new_tree(&mut runner).unwrap().current();
        let recipes = recipes().new_tree(&mut runner).unwrap().current();
        let annotations = annotated(&text);
        for (at, recipe) in recipes.iter().enumerate() {
            if let Some(damaged) = perform(recipe, &text, &annotations, &others(), "", seed) {
                applied[at] += 1;
                changed[at] += usize::from(!damaged.edits.is_empty());
            }
        }
    }
    assert!(
        changed.iter().all(|&times| times >= 8),
        "{applied:?} {changed:?}"
    );
}
