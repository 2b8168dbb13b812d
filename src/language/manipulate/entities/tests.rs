use proptest::prelude::*;

use super::*;
use crate::base::draw::Draw;
use crate::language::manipulate::edit::Change;
use crate::language::text::{Entity, EntityKind, Span};

const STORY: &str = "Alice met Bob in London. “The Thames is wide,” said Clara. London's bridges \
     crossed it. Alice saw the Alps and old Paris, and Bob laughed. Alice Brown wrote to Clara.";

fn draw(seed: u64) -> Draw {
    Draw::new(seed, &["test"])
}

/// The entities that these names are, wherever they stand in the text.
fn mark(text: &str, names: &[(&str, EntityKind)]) -> Vec<Entity> {
    let mut found: Vec<Entity> = Vec::new();
    for (name, kind) in names {
        for (start, _) in text.match_indices(name) {
            let span = Span::new(start, start + name.len());
            if found.iter().all(|other| !other.span.overlaps(span)) {
                found.push(Entity { span, kind: *kind });
            }
        }
    }
    found.sort_by_key(|entity| entity.span);
    found
}

fn story() -> Vec<Entity> {
    let names = [
        ("Alice Brown", EntityKind::Person),
        ("Alice", EntityKind::Person),
        ("Bob", EntityKind::Person),
        ("Clara", EntityKind::Person),
        ("London", EntityKind::Gpe),
        ("Paris", EntityKind::Gpe),
        ("Thames", EntityKind::Loc),
        ("Alps", EntityKind::Loc),
    ];
    mark(STORY, &names)
}

/// Sentences, cut at full stops: good enough here.
fn sentences(text: &str) -> Vec<Span> {
    let mut start = 0;
    let mut spans = Vec::new();
    for (end, _) in text.match_indices(". ") {
        spans.push(Span::new(start, end + 1));
        start = end + 2;
    }
    spans.push(Span::new(start, text.len()));
    spans
}

fn apply(text: &str, changes: &[Change]) -> String {
    let mut new = String::new();
    let mut at = 0;
    for change in changes {
        new.push_str(&text[at..change.span.start]);
        new.push_str(&change.new);
        at = change.span.end;
    }
    new + &text[at..]
}

fn things(words: &[&str], article: Article) -> Terms {
    Terms {
        words: words.iter().map(|word| Term::new(word)).collect(),
        article,
    }
}

#[test]
fn a_swap_is_a_cycle_over_every_mention_of_the_names() {
    let changes = swap_entities(
        STORY,
        &story(),
        &[EntityKind::Person],
        Mentions::All,
        3,
        &mut draw(1),
    )
    .unwrap();
    // Two mentions each of Alice, Bob and Clara; `Alice Brown` is no single word.
    assert_eq!(changes.len(), 6);
    for name in ["Alice", "Bob", "Clara"] {
        let new: Vec<&str> = changes
            .iter()
            .filter(|change| change.span.of(STORY) == name)
            .map(|change| change.new.as_str())
            .collect();
        assert_eq!(new.len(), 2);
        assert_eq!(new[0], new[1]);
        assert_ne!(new[0], name);
    }
    assert!(apply(STORY, &changes).contains("Alice Brown wrote"));
}

#[test]
fn a_swap_of_one_mention_each_leaves_the_others() {
    let changes = swap_entities(
        STORY,
        &story(),
        &[EntityKind::Person],
        Mentions::One,
        3,
        &mut draw(1),
    )
    .unwrap();
    assert_eq!(changes.len(), 3);
}

#[test]
fn a_swap_needs_two_names() {
    let bob = mark(STORY, &[("Bob", EntityKind::Person)]);
    assert_eq!(swappable(STORY, &bob, &[EntityKind::Person]), 1);
    let failed = swap_entities(
        STORY,
        &bob,
        &[EntityKind::Person],
        Mentions::All,
        2,
        &mut draw(1),
    );
    assert_eq!(
        failed.unwrap_err().to_string(),
        "cannot swap 2 different names of one word: there is 1"
    );
}

#[test]
fn names_in_capitals_are_not_swapped() {
    let text = "TOM\n\nTom met Ann.";
    let kinds = [EntityKind::Person];
    let names = [
        ("TOM", EntityKind::Person),
        ("Tom", EntityKind::Person),
        ("Ann", EntityKind::Person),
    ];
    assert_eq!(swappable(text, &mark(text, &names), &kinds), 2);
}

#[test]
fn one_name_cannot_be_swapped() {
    let kinds = [EntityKind::Person];
    let failed = swap_entities(STORY, &story(), &kinds, Mentions::All, 1, &mut draw(1));
    assert_eq!(
        failed.unwrap_err().to_string(),
        "a swap needs at least 2 names, not 1"
    );
}

#[test]
fn exchanged_names_are_new_to_the_document_and_different() {
    let kinds = [EntityKind::Person, EntityKind::Gpe];
    let pool = exchangeable(STORY, &story(), &kinds);
    assert_eq!(pool, 9);
    let changes = exchange_entities(STORY, &story(), &kinds, pool, &mut draw(2)).unwrap();
    let mut new: Vec<&str> = changes.iter().map(|change| change.new.as_str()).collect();
    assert!(new.iter().all(|name| !STORY.contains(name)));
    new.sort_unstable();
    new.dedup();
    assert_eq!(new.len(), 9);
}

#[test]
fn a_name_in_capitals_is_exchanged_for_one_in_capitals() {
    let text = "LONDON CALLING";
    let london = mark(text, &[("LONDON", EntityKind::Gpe)]);
    let changes =
        exchange_entities(text, &london, &EntityKind::NOT_PERSONS, 1, &mut draw(3)).unwrap();
    assert_eq!(changes[0].new, changes[0].new.to_uppercase());
}

#[test]
fn small_letters_are_not_exchanged() {
    let text = "He read d'Artagnan aloud.";
    let name = mark(text, &[("d'Artagnan", EntityKind::Person)]);
    assert_eq!(exchangeable(text, &name, &[EntityKind::Person]), 0);
}

#[test]
fn dates_have_no_substitutes() {
    let text = "It was Monday.";
    let date = mark(text, &[("Monday", EntityKind::Date)]);
    let failed = exchange_entities(text, &date, &[EntityKind::Date], 1, &mut draw(1));
    assert_eq!(
        failed.unwrap_err().to_string(),
        "cannot exchange 1 name of kind `DATE`: 0 names of that kind known here are not in the document"
    );
}

#[test]
fn a_pronoun_takes_article_and_possessive_with_it() {
    let pool = replaceable(&story(), &EntityKind::NOT_PERSONS);
    assert_eq!(pool, 5);
    let changes = entities_to_pronouns(
        STORY,
        &sentences(STORY),
        &story(),
        &EntityKind::NOT_PERSONS,
        pool,
        &mut draw(1),
    )
    .unwrap();
    assert_eq!(
        apply(STORY, &changes),
        "Alice met Bob in it. “It is wide,” said Clara. Its bridges crossed it. Alice saw it and \
         old it, and Bob laughed. Alice Brown wrote to Clara."
    );
}

#[test]
fn a_term_keeps_article_and_possessive_and_agrees_in_number() {
    let changes = entities_to_terms(
        STORY,
        &sentences(STORY),
        &story(),
        &EntityKind::NOT_PERSONS,
        &things(&["thing"], Article::The),
        5,
        &mut draw(1),
    )
    .unwrap();
    assert_eq!(
        apply(STORY, &changes),
        "Alice met Bob in the thing. “The thing is wide,” said Clara. The thing's bridges crossed \
         it. Alice saw the things and old thing, and Bob laughed. Alice Brown wrote to Clara."
    );
}

#[test]
fn a_term_may_stand_bare() {
    let changes = entities_to_terms(
        STORY,
        &sentences(STORY),
        &story(),
        &EntityKind::NOT_PERSONS,
        &things(&["stuff"], Article::Bare),
        5,
        &mut draw(1),
    )
    .unwrap();
    let text = apply(STORY, &changes);
    assert!(text.starts_with("Alice met Bob in stuff."));
    assert!(text.contains("Stuff's bridges"));
    assert!(text.contains("saw the stuff"));
}

#[test]
fn both_articles_are_drawn() {
    let text = "He went to Rome, to Rome, to Rome, to Rome, to Rome, to Rome, to Rome.";
    let rome = mark(text, &[("Rome", EntityKind::Gpe)]);
    let terms = things(&["object"], Article::Either);
    let changes = entities_to_terms(
        text,
        &sentences(text),
        &rome,
        &EntityKind::NOT_PERSONS,
        &terms,
        7,
        &mut draw(1),
    )
    .unwrap();
    let new = apply(text, &changes);
    assert!(new.contains("an object") && new.contains("the object"));
}

#[test]
fn a_term_without_a_plural_has_no_indefinite_article_unless_the_data_is_followed() {
    let text = "He went to Rome, to Rome, to Rome, to Rome, to Rome, to Rome, to Rome.";
    let rome = mark(text, &[("Rome", EntityKind::Gpe)]);
    let replaced = |words: &[&str], article| {
        let terms = things(words, article);
        let spans = sentences(text);
        let changes = entities_to_terms(
            text,
            &spans,
            &rome,
            &EntityKind::NOT_PERSONS,
            &terms,
            7,
            &mut draw(1),
        );
        apply(text, &changes.unwrap())
    };
    let both = ["thing", "stuff"];
    let either = replaced(&both, Article::Either);
    assert!(
        either.contains("the stuff") && either.contains("a thing"),
        "{either}"
    );
    assert!(!either.contains("a stuff"), "{either}");
    let drawn = replaced(&both, Article::Drawn);
    assert!(
        drawn.contains("a stuff") && drawn.contains("the stuff"),
        "{drawn}"
    );
    // What is drawn is the same; only the word before `stuff` differs.
    assert_eq!(drawn.replace("a stuff", "the stuff"), either);
}

#[test]
fn an_article_is_made_to_fit() {
    let text = "It was an Abbey, a Castle.";
    let places = mark(
        text,
        &[("Abbey", EntityKind::Fac), ("Castle", EntityKind::Fac)],
    );
    let terms = things(&["thing"], Article::The);
    let spans = sentences(text);
    let changes = entities_to_terms(
        text,
        &spans,
        &places,
        &EntityKind::NOT_PERSONS,
        &terms,
        2,
        &mut draw(1),
    )
    .unwrap();
    assert_eq!(apply(text, &changes), "It was a thing, a thing.");
}

#[test]
fn too_few_mentions_are_named() {
    let failed = entities_to_pronouns(
        STORY,
        &sentences(STORY),
        &story(),
        &EntityKind::NOT_PERSONS,
        6,
        &mut draw(1),
    );
    assert_eq!(
        failed.unwrap_err().to_string(),
        "cannot replace 6 mentions of entities: there are 5"
    );
}

/// A text of names, articles, marks and other letters, with entities where the names stand.
fn texts() -> impl Strategy<Value = (String, Vec<Entity>)> {
    let piece = prop::sample::select(vec![
        "London", "Alps", "Ann", "Müller", "ROME", "東京", "the", "The", "a", "an", "'s", "’s",
        "s’ ", "house", ". ", ", ", " ", " ", "\n\n", "“", "”", "é", "😀", "--",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| {
        let mut text = String::new();
        let mut entities = Vec::new();
        for piece in pieces {
            let kind = match piece {
                "London" | "ROME" | "東京" => Some(EntityKind::Gpe),
                "Alps" => Some(EntityKind::Loc),
                "Ann" | "Müller" => Some(EntityKind::Person),
                _ => None,
            };
            let start = text.len();
            text.push_str(piece);
            if let Some(kind) = kind {
                let span = Span::new(start, text.len());
                entities.push(Entity { span, kind });
            }
        }
        (text, entities)
    })
}

/// Applies changes and takes them back by their places in the new text.
fn is_undone(text: &str, changes: &[Change]) -> bool {
    let new = apply(text, changes);
    let mut old = String::new();
    let mut at_old = 0;
    let mut at_new = 0;
    for change in changes {
        let kept = change.span.start - at_old;
        old.push_str(&new[at_new..at_new + kept]);
        old.push_str(change.span.of(text));
        at_new += kept + change.new.len();
        at_old = change.span.end;
    }
    old.push_str(&new[at_new..]);
    old == text
}

fn operations(changes: &[Change]) -> usize {
    let all: std::collections::BTreeSet<usize> =
        changes.iter().map(|change| change.operation).collect();
    all.len()
}

#[test]
fn a_term_after_that_or_which_has_an_article() {
    for (text, expected) in [
        (
            "no doubt that London’s men",
            "no doubt that the thing’s men",
        ),
        ("of which London is one", "of which the thing is one"),
        ("in all London", "in all the thing"),
        ("in old London", "in old thing"),
        ("to his London", "to his thing"),
    ] {
        let entities = mark(text, &[("London", EntityKind::Gpe)]);
        let terms = things(&["thing"], Article::The);
        let changes = entities_to_terms(
            text,
            &[],
            &entities,
            &EntityKind::NOT_PERSONS,
            &terms,
            1,
            &mut draw(0),
        )
        .unwrap();
        assert_eq!(apply(text, &changes), expected);
    }
}

#[test]
fn initials_and_abbreviations_are_no_names_to_swap_or_exchange() {
    let text = "Major C., St Paul, Wm. Hall, Geo. Tam, U.S troops and Ann.";
    let names = ["C", "St", "Wm", "Geo", "U.S", "Hall", "Ann"];
    let entities = mark(text, &names.map(|name| (name, EntityKind::Person)));
    assert_eq!(entities.len(), 7);
    assert_eq!(swappable(text, &entities, &EntityKind::ALL), 2);
    assert_eq!(exchangeable(text, &entities, &EntityKind::ALL), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changes_keep_to_entities_and_can_be_undone(
        (text, entities) in texts(),
        wanted in 0_usize..6,
        seed in 0_u64..4,
    ) {
        let spans = sentences(&text);
        let all = EntityKind::ALL;
        let terms = things(&["thing", "idea", "stuff"], Article::Either);
        let drawn = things(&["thing", "idea", "stuff"], Article::Drawn);
        let made = [
            swap_entities(&text, &entities, &all, Mentions::All, wanted, &mut draw(seed)),
            swap_entities(&text, &entities, &all, Mentions::One, wanted, &mut draw(seed)),
            exchange_entities(&text, &entities, &all, wanted, &mut draw(seed)),
            entities_to_pronouns(&text, &spans, &entities, &all, wanted, &mut draw(seed)),
            entities_to_terms(&text, &spans, &entities, &all, &terms, wanted, &mut draw(seed)),
            entities_to_terms(&text, &spans, &entities, &all, &drawn, wanted, &mut draw(seed)),
        ];
        for (which, changes) in made.into_iter().enumerate() {
            let Ok(changes) = changes else { continue };
            prop_assert_eq!(operations(&changes), wanted, "manipulation {}", which);
            prop_assert!(changes.windows(2).all(|two| two[0].span.end <= two[1].span.start));
            prop_assert!(is_undone(&text, &changes));
            for change in &changes {
                let inside = entities.iter().find(|entity| change.span.contains(entity.span));
                prop_assert!(inside.is_some(), "{:?}", change);
                let name = inside.unwrap().span;
                prop_assert!(which > 2 || change.span == name);
                let before = text[change.span.start..name.start].trim().to_lowercase();
                prop_assert!(matches!(before.as_str(), "" | "the" | "a" | "an"));
                let after = &text[name.end..change.span.end];
                prop_assert!(matches!(after, "" | "'s" | "’s" | "’"), "{}", after);
            }
        }
    }

    #[test]
    fn enough_mentions_are_never_refused(
        (text, entities) in texts(),
        seed in 0_u64..4,
    ) {
        let spans = sentences(&text);
        let all = EntityKind::ALL;
        let pool = replaceable(&entities, &all);
        let terms = things(&["thing"], Article::Either);
        prop_assert!(entities_to_pronouns(&text, &spans, &entities, &all, pool, &mut draw(seed)).is_ok());
        prop_assert!(entities_to_terms(&text, &spans, &entities, &all, &terms, pool, &mut draw(seed)).is_ok());
        let pool = exchangeable(&text, &entities, &all);
        prop_assert!(exchange_entities(&text, &entities, &all, pool, &mut draw(seed)).is_ok());
        let pool = swappable(&text, &entities, &all);
        let swapped = swap_entities(&text, &entities, &all, Mentions::All, pool, &mut draw(seed));
        prop_assert_eq!(swapped.is_ok(), pool > 1);
    }
}
